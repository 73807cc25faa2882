import { asc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { all } from "../../../kernel/db/conditions.ts";
import { auditLog, campaigns } from "../../../kernel/db/schema/index.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { step } from "../step.ts";

/** How long a campaign is asked again without a pause, ms. */
const AT_ONCE_MS = 5_000;

/** The campaign that it is at, and whether that has forgotten the person. */
const place = z.object({ campaign: z.string(), isDone: z.boolean() });

/** Has each campaign forget the number, one after the other. */
export const eraseInCampaigns = step(place, async ({ env, store, number, order }, at) => {
  if (number === null) return { next: null };
  const goesOn = at && !at.isDone ? at.campaign : undefined;
  const campaign = goesOn ?? (await campaignsToVisit(store, at?.campaign ?? "", 1, Date.now()))[0];
  if (campaign === undefined) return { next: null };
  const object = campaignObject(env, store.account, campaign);
  const until = Date.now() + AT_ONCE_MS;
  let forgotten = await object.forgetPerson({ erasure: order, numbers: [number] });
  while (!forgotten.done && Date.now() < until)
    forgotten = await object.forgetPerson({ erasure: order, numbers: [number] });
  const { counts, done } = forgotten;
  const result = {
    absolute: { of: `${campaign} ${order}`, counts },
    next: { campaign, isDone: done },
  };
  // A list that is being uploaded comes to its end first.
  return done ? result : Object.assign(result, { wait: true as const });
});

/** A deletion that was interrupted has its campaign listed again well within this time, ms. */
const DELETED_LATELY_MS = DAY_MS;

/**
 * The campaigns whose objects may hold something of a person, in the order of their ids, after one: those that D1 lists,
 * in any status, and those deleted lately. Fewer than `limit` are the last. One that is created or cloned while they are
 * visited comes behind the others.
 */
export async function campaignsToVisit(
  store: Pick<AccountStore, "read" | "select">,
  after: string,
  limit: number,
  now: number,
): Promise<string[]> {
  const since = new Date(now - DELETED_LATELY_MS).toISOString();
  const isDeletion = all(eq(auditLog.resource, "campaign"), eq(auditLog.action, "delete"), gt(auditLog.at, since));
  const [listed, deleted] = await store.read(
    store.select(campaigns, { where: gt(campaigns.id, after), columns: ["id"], orderBy: [asc(campaigns.id)], limit }),
    store.select(auditLog, {
      where: all(isDeletion, gt(auditLog.resource_id, after)),
      columns: ["resource_id"],
      orderBy: [asc(auditLog.resource_id)],
      limit,
    }),
  );
  const ids = [...listed.map(({ id }) => id), ...deleted.map(({ resource_id }) => resource_id)];
  return [...new Set(ids)].sort().slice(0, limit);
}
