import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { NOW, order, TARGET } from "./subject.ts";
import { telnyxSubject } from "./telnyx.ts";

let server: StandIn;
beforeAll(async () => {
  server = await standIn();
});
afterAll(() => server.stop());

const OURS = "v3:1";
const THEIRS = "v3:2";

function carrier() {
  const env = { TELNYX_API_URL: server.url } as never;
  const parsed = telnyx.credentials.parse(telnyxSubject.credentials);
  return telnyx.connect(parsed, { account: "acme", env, fetch, now: () => NOW });
}

/** Transfers a call; returns the mark of the new leg. */
async function mark(): Promise<string> {
  server.play(() => ({ body: { data: { result: "ok" } } }));
  const ref = { ...order, provider_call_id: OURS, placed_at: NOW, connected: true };
  const target = { to_number: TARGET, caller_id: order.from_number };
  await carrier().transfer(ref, { ...target, webhook_url: order.webhook_url, instructionsUrl: async () => "" });
  return JSON.parse(server.requests[0]?.body ?? "{}").target_leg_client_state;
}

/** Creates a signed report of a leg. */
const reportOf = (event_type: string, call_control_id: string, client_state?: string) =>
  telnyxSubject.webhook({
    data: { event_type, id: "e-1", payload: { call_control_id, client_state, hangup_cause: "timeout" } },
  });

const answer = (webhook: ReturnType<typeof reportOf>) =>
  carrier().answer?.(webhook, () => Promise.reject(new TypeError("no session is to be made")));

describe("the target leg of a transfer", () => {
  it("reports of a transfer's target leg change nothing of the call", async () => {
    const state = await mark();
    for (const event of ["call.initiated", "call.answered", "call.hangup"]) {
      expect(await carrier().parseWebhook(reportOf(event, THEIRS, state))).toEqual([]);
    }
    expect(await carrier().parseWebhook(reportOf("call.hangup", OURS))).toMatchObject([{ status: "no-answer" }]);
  });

  it("the end of the target leg ends the call, even if it was never answered", async () => {
    const state = await mark();
    for (const reply of [
      { body: { data: { result: "ok" } } },
      { status: 422, body: { errors: [] } },
      { status: 404 },
    ]) {
      server.play(() => reply);
      expect(await answer(reportOf("call.hangup", THEIRS, state))).toBeNull();
      expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
        ["POST", "/v2/calls/v3%3A1/actions/hangup"],
      ]);
    }
  });

  it("a target leg that rings or talks, or another leg, does not end the call", async () => {
    const state = await mark();
    server.play(() => ({ status: 500 }));
    for (const event of ["call.initiated", "call.answered"]) await answer(reportOf(event, THEIRS, state));
    await answer(reportOf("call.hangup", OURS));
    await answer(reportOf("call.hangup", OURS, Buffer.from('{"call_id":"x"}').toString("base64")));
    expect(server.requests).toEqual([]);
  });

  it("ending the target leg is tried again if Telnyx does not accept it", async () => {
    const state = await mark();
    server.play(() => ({ status: 503 }));
    await expect(answer(reportOf("call.hangup", THEIRS, state))).rejects.toThrow();
  });
});
