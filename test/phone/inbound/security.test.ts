import { describe, expect, it } from "vitest";
import { numberRefusal } from "../../../src/phone/inbound/decision.ts";
import { call, operator } from "../../support/client.ts";
import type { Calls } from "../calls/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

const body = { provider_call_id: "in-1", from_number: "+13035550106", to_number: NUMBER };

describe("the security of inbound calls", () => {
  it("an inbound call without the carrier's signature is refused", async () => {
    const { account, server } = await answering();
    for (const headers of [{}, { "x-sandbox-signature": "AAAA" }]) {
      const answer = await call("POST", `/api/telephony/inbound/sandbox/${account}`, {
        headers: headers as Record<string, string>,
        body,
      });
      expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
    }
    expect((await server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("an inbound call for an unknown carrier or for a closed or unknown account is refused", async () => {
    const who = await answering();
    await (await operator()).patch(`/api/admin/v1/accounts/${who.account}`, { disabled: true });
    expect((await ring(who)).code).toBe("account_closed");
    expect((await ring({ account: "nobody-here" })).status).toBe(403);
    expect((await call("POST", "/api/telephony/inbound/sandbox/NOT%20A%20NAME", { body })).status).toBe(404);
    expect((await call("POST", `/api/telephony/inbound/pigeon/${who.account}`, { body })).status).toBe(404);
  });

  it("an inbound call does not reach a number of another account", async () => {
    const [one, other] = [await answering(), await answering()];
    await other.server.delete(`/api/v1/telephony/numbers/${other.number_id}`);
    expect((await ring(other)).body).toMatchObject({ action: "reject" });
    expect((await one.server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("credentials vouch only for calls to their own numbers", () => {
    const number = { provider: "twilio", credentials_id: "c1", inbound_enabled: true };
    const by = (provider: string, credentials_id: string | null) => numberRefusal(number, { provider, credentials_id });
    expect(by("twilio", "c1")).toBeNull();
    expect(by("twilio", "c2")).toBe("unknown_number");
    expect(by("telnyx", "c1")).toBe("unknown_number");
    expect(by("sandbox", null)).toBe("unknown_number");
  });
});
