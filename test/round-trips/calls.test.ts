import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signText } from "../../src/kernel/secrets/tokens.ts";
import { SANDBOX_WEBHOOK } from "../../src/phone/carriers/sandbox-carrier.ts";
import { type Caller, caller, originate, slowly, webhookPath } from "../phone/calls/support.ts";
import { BASE } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";
import { newId } from "../support/ids.ts";

/** Sends a report of the sandbox and returns its round trips. */
async function reported(who: Caller, id: string, status: string) {
  const path = await webhookPath(who, id);
  const body = { provider_call_id: id, status, answered_by: null, reason: "", recording: null };
  const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${path}\n${JSON.stringify(body)}`);
  return countRoundTrips(path, { "x-sandbox-signature": signature }, { method: "POST", body });
}

describe("round trips of a call", () => {
  it("reading a call costs one trip to D1 and one to the ledger, or none for an id of another time", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const read = await countRoundTrips(`/api/v1/calls/${call_id}`, who.server.headers);
    expect(read).toMatchObject({ status: 200, objects: 2 });
    expect(read.d1).toBeLessThanOrEqual(1);
    for (const id of [crypto.randomUUID(), newId(Date.parse("2020-01-01"))]) {
      const other = await countRoundTrips(`/api/v1/calls/${id}`, who.server.headers);
      expect(other).toMatchObject({ status: 404, objects: 1 });
      expect(other.d1).toBeLessThanOrEqual(1);
    }
    // For a call that may belong to a campaign, the meter is asked as well.
    const unknown = await countRoundTrips(`/api/v1/calls/${newId()}`, who.server.headers);
    expect(unknown).toMatchObject({ status: 404, objects: 3 });
  });

  it("a call's report costs one trip to the ledger, and one to the meter at the answer and the end", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const ringing = await reported(who, call_id, "ringing");
    expect(ringing).toMatchObject({ status: 204, objects: 1 });
    const answered = await reported(who, call_id, "in-progress");
    expect(answered).toMatchObject({ status: 204, objects: 2 });
    const ended = await reported(who, call_id, "completed");
    expect(ended).toMatchObject({ status: 204, objects: 2 });
    for (const { d1 } of [ringing, answered, ended]) expect(d1).toBeLessThanOrEqual(1);
  });
});
