import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { campaignOf, report as reportInCampaign, withRinging } from "../../campaign/held-calls.ts";
import { onLedger } from "../../support/ledger.ts";
import { type Caller, caller, originate, report as reportSingle, settled, slowly } from "./support.ts";

/** An answered call. Its object can be made to do now what its alarm would do later. */
interface LiveCall {
  who: Caller;
  id: string;
  /** Reports an event of it as its carrier does; returns the status of the answer. */
  report(event: Record<string, unknown>): Promise<number>;
  /** Moves its answer, or its placing, to this time. */
  since(at: number): Promise<void>;
  /** Makes the object that watches the call check it now. */
  look(): Promise<void>;
}

/** Makes the account's meter check its calls now. */
export async function lookNow({ account }: Caller): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(account);
  await runInDurableObject(meter, async (_, { storage }) => {
    storage.sql.exec("UPDATE call_leases SET look_at = 1 WHERE look_at IS NOT NULL");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(meter);
}

async function singleCall(voicemail?: string): Promise<LiveCall> {
  const who = await caller();
  await slowly(who);
  const id = (await originate(who, "+13035550110", { voicemail })).body.call_id;
  const report = async (event: Record<string, unknown>) => (await reportSingle(who, id, event)).status;
  expect(await report({ status: "in-progress" })).toBe(204);
  return {
    who,
    id,
    report,
    async since(at) {
      await onLedger(who.account, "UPDATE calls SET connected_at = ? WHERE id = ?", new Date(at).toISOString(), id);
    },
    look: () => lookNow(who),
  };
}

async function campaignCall(voicemail?: string): Promise<LiveCall> {
  const { who, path, callId: id } = await withRinging(1, voicemail === undefined ? {} : { voicemail });
  const campaign = campaignOf(who, path);
  const report = async (event: Record<string, unknown>) => (await reportInCampaign(who, path, id, event)).status;
  expect(await report({ status: "in-progress" })).toBe(204);
  await settled(who.server, id, ({ status }) => status === "in-progress");
  return {
    who,
    id,
    report,
    async since(at) {
      await runInDurableObject(campaign, (_, { storage }) =>
        storage.sql.exec("UPDATE attempts SET connected_at = ? WHERE call_id = ?", at, id),
      );
    },
    async look() {
      await runInDurableObject(campaign, async (object, { storage }) => {
        storage.sql.exec("UPDATE attempts SET deadline = 1 WHERE deadline IS NOT NULL");
        storage.sql.exec("UPDATE attempts SET hangup_at = 1 WHERE hangup = 1");
        // The object knows from its last round when its calls are due, and does not notice that a test changed that.
        await object.wake();
      });
      await runDurableObjectAlarm(campaign);
    },
  };
}

export const KINDS: [string, (voicemail?: string) => Promise<LiveCall>][] = [
  ["a single call", singleCall],
  ["a campaign's call", campaignCall],
];
