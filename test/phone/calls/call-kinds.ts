import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { campaignOf, report as reportInCampaign, withRinging } from "../../campaign/held-calls.ts";
import { onLedger } from "../../support/ledger.ts";
import { type Caller, caller, originate, report as reportSingle, settled, slowly } from "./support.ts";

/** A call that was answered, and how its object does now what its alarm would do later. */
interface LiveCall {
  who: Caller;
  id: string;
  /** Reports an event of it as its carrier does; gives the status of the answer. */
  report(event: Record<string, unknown>): Promise<number>;
  /** Has it be answered, or placed, that long ago. */
  since(at: number): Promise<void>;
  /** Has the object that watches the call look at it now. */
  look(): Promise<void>;
}

/** Has the account's meter look at its calls now. */
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
        // It knows when its calls are due from its last round, and does not see that a test has changed that.
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
