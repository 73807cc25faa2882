import { describe, expect, it } from "vitest";
import { call } from "../../support/client.ts";
import { caller, getCall, originate, report, settled, webhookPath } from "./support.ts";

describe("reports from carriers", () => {
  it("a report without a valid signature of its own is refused", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    const before = await settled(who.server, call_id, ({ status }) => status === "in-progress");
    const path = await webhookPath(who, call_id);
    const body = { provider_call_id: call_id, status: "completed", answered_by: null, reason: "", recording: null };
    for (const headers of [{}, { "x-sandbox-signature": "" }, { "x-sandbox-signature": "AAAA" }]) {
      const answer = await call("POST", path, { headers: headers as Record<string, string>, body });
      expect([answer.status, answer.code]).toEqual([403, "forged_webhook"]);
    }
    const replayed = await report(who, call_id, body, { path: `${path}&campaign=x` });
    expect([replayed.status, replayed.code]).toEqual([403, "forged_webhook"]);
    expect(await getCall(who.server, call_id)).toEqual(before);
  });

  it("a report for one account's call changes nothing in another account", async () => {
    const [one, other] = [await caller(), await caller()];
    const { call_id } = (await originate(one, "+13035550106")).body;
    const before = await settled(one.server, call_id, ({ status }) => status === "in-progress");
    expect((await report(other, call_id, { status: "completed" })).status).toBe(404);
    const path = `/api/telephony/webhooks/sandbox/${other.account}/${call_id}`;
    expect((await report(one, call_id, { status: "completed" }, { path })).status).toBe(403);
    expect(await getCall(one.server, call_id)).toEqual(before);
  });

  it("a report that names no account answers 404", async () => {
    const answer = await call("POST", "/api/telephony/webhooks/sandbox/NOT%20A%20NAME/x", { body: {} });
    expect(answer.status).toBe(404);
  });
});
