import { asc, gt } from "drizzle-orm";
import pMap from "p-map";
import { z } from "zod";
import { campaigns } from "../../../kernel/db/schema/index.ts";
import { accountMeter, campaignObject } from "../../../kernel/durable/objects.ts";
import { clientErrorOf } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { HOUR_MS, SECOND_MS } from "../../../kernel/time.ts";
import { hangUpCall } from "../../../phone/calls/hang-up.ts";
import type { CallsFound } from "../../../records/ledger/call-queries.ts";
import { CALL_STATUSES, isTerminal } from "../../../records/ledger/call-status.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import { type Deleting, step } from "../step.ts";

/** The number of campaigns stopped, and of calls hung up, at a time. */
const PAGE = 100;
const AT_ONCE = 6;
/** The interval at which to check whether everything has ended, ms. */
const LOOK_AGAIN_MS = 5 * SECOND_MS;
/**
 * If a call still seems live this long after the beginning, its carrier does not answer, and the deletion continues,
 * ms.
 */
const LONGEST_MS = 3 * HOUR_MS;

/** The last campaign that was stopped; null once all are. */
const cursor = z.object({ campaign: z.string().nullable() });

/** Stops the account's campaigns, hangs up its calls, and waits until nothing is live. */
export const endLive = step(cursor, async (work, at) => {
  const { env, store, row, now } = work;
  if (at === null || at.campaign !== null) {
    const last = await stopCampaigns(work, at?.campaign ?? "");
    return { next: { campaign: last } };
  }
  if (now >= Date.parse(row.begun_at ?? row.begins_at) + LONGEST_MS) return { next: null };
  const hungUp = await hangUpCalls(work);
  const meter = accountMeter(env, store.account);
  const [{ usage }, live] = await Promise.all([meter.usage(), meter.liveUse()]);
  const left = hungUp + usage.concurrent + Object.values(live).reduce((sum, n) => sum + n, 0);
  return left === 0 ? { next: null } : { next: at, waitUntil: now + LOOK_AGAIN_MS };
});

/** Stops some campaigns. Returns the last one; null if none are left. */
async function stopCampaigns({ env, store, row }: Deleting, after: string): Promise<string | null> {
  const [rows] = await store.read(
    store.select(campaigns, {
      where: gt(campaigns.id, after),
      columns: ["id"],
      orderBy: [asc(campaigns.id)],
      limit: PAGE,
    }),
  );
  const author = { actor: "system:deletion", request_id: "" };
  const stop = async ({ id }: { id: string }) => {
    try {
      await campaignObject(env, store.account, id).operate("stop", author, null, {
        id: `deletion ${row.requested_at}`,
      });
    } catch (error) {
      // The campaign has ended or is gone. If stopping it failed, it still places no calls, because the account is
      // disabled.
      if ((clientErrorOf(error)?.status ?? 500) >= 500) logError("account deletion", error, { campaign_id: id });
    }
  };
  await pMap(rows, stop, { concurrency: AT_ONCE });
  return rows.at(-1)?.id ?? null;
}

/** Hangs up some live calls. Returns how many there were. */
async function hangUpCalls({ env, store, now }: Deleting): Promise<number> {
  const ledger = new Ledger({ env, store });
  const part = { before: null, skip: 0, limit: PAGE, reads: PAGE };
  const live = CALL_STATUSES.filter((status) => !isTerminal(status));
  const found = (await Promise.all(
    (await ledger.volumes()).flatMap((volume) => live.map((status) => volume.findCalls({ status }, part))),
  )) as CallsFound[];
  const ids = found.flatMap(({ rows }) => rows.map(({ id }) => id));
  const hangUp = (id: string) =>
    // A call that cannot be hung up ends at its time limit.
    hangUpCall({ env, store, now }, { id }).catch((error: unknown) =>
      logError("account deletion", error, { call_id: id }),
    );
  await pMap(ids, hangUp, { concurrency: AT_ONCE });
  return ids.length;
}
