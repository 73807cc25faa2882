import { expect, it } from "vitest";
import { hmac } from "../../../src/phone/carriers/signature.ts";
import { BASE, call, tenant } from "../../support/client.ts";
import { putCall } from "../../support/ledger.ts";
import { webhookPath } from "./support.ts";

it("a carrier that requests instructions when a call is answered gets them", async () => {
  const { server, account } = await tenant();
  const created = await server.post<{ id: string }>("/api/v1/telephony/providers", {
    provider: "plivo",
    credentials: { auth_id: "MA1", auth_token: "secret" },
  });
  const id = await putCall(account, { provider: "plivo", credentials_id: created.body.id });
  const path = await webhookPath({ account }, id, null, { provider: "plivo", credentials_id: created.body.id });
  const fields = { CallStatus: "in-progress", CallUUID: "c-1", Direction: "outbound", Event: "StartApp" };
  const sorted = Object.entries(fields).map(([name, value]) => name + value);
  const signature = await hmac("SHA-256", "secret", `${BASE}${path}.${sorted.join("")}.n`);
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-plivo-signature-v3-nonce": "n",
    "x-plivo-signature-v3": signature,
  };
  const answer = await call<string>("POST", path, { headers, raw: new URLSearchParams(fields).toString() });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("xml")]);
  expect(answer.body).toContain("<Stream");
  expect(answer.body).toContain("wss://switchboard.test/runtime");
  const forged = { ...headers, "x-plivo-signature-v3": "no" };
  expect((await call("POST", path, { headers: forged, raw: new URLSearchParams(fields).toString() })).status).toBe(403);
});
