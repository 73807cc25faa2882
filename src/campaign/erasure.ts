import { asc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../kernel/db/account-store.ts";
import { all } from "../kernel/db/conditions.ts";
import { auditLog, campaigns } from "../kernel/db/schema/index.ts";
import type { campaignObject } from "../kernel/durable/objects.ts";
import type { Erasing, Swept } from "../kernel/erasure/sweep.ts";
import { NumberMask } from "../kernel/mask-number.ts";
import { DAY_MS } from "../kernel/time.ts";

/** How long one step keeps calling a campaign, ms. */
const AT_ONCE_MS = 5_000;

export async function eraseInCampaign(
  campaign: ReturnType<typeof campaignObject>,
  { number, order }: Erasing,
): Promise<Swept> {
  if (number === null) return { next: null };
  const until = Date.now() + AT_ONCE_MS;
  let erased = await campaign.erasePerson({ erasure: order, numbers: [number] });
  while (!erased.done && Date.now() < until) erased = await campaign.erasePerson({ erasure: order, numbers: [number] });
  const absolute = { of: `${campaign.name} ${order}`, counts: erased.counts };
  // An upload that is being read must finish first.
  return erased.done ? { absolute, next: null } : { absolute, next: "more", wait: true };
}

/**
 * How long a deleted campaign counts as recently deleted. A deletion that was interrupted lists its campaign in D1 again
 * within this time.
 */
const DELETED_LATELY_MS = DAY_MS;

/**
 * Returns the campaigns after an ID, in order, whose objects may contain data of a person: those listed in D1 in any
 * status, and those deleted recently. Fewer than `limit` are the last. A campaign that is created or cloned meanwhile
 * comes after the others.
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

/** Rows read at a time. */
const ROWS = 100;
const lastRow = z.string().nullable();

export async function maskInList({ store, number }: Erasing, cursor: unknown): Promise<Swept> {
  if (number === null) return { next: null };
  const mask = new NumberMask(number);
  const [rows] = await store.read(
    store.select(campaigns, {
      where: all(gt(campaigns.id, lastRow.parse(cursor) ?? "")),
      columns: ["id", "record"],
      orderBy: [asc(campaigns.id)],
      limit: ROWS,
    }),
  );
  const masked = rows.flatMap(({ id, record }) => {
    const maskedRecord = mask.jsonText(JSON.stringify(record));
    return maskedRecord === JSON.stringify(record)
      ? []
      : [{ id, record: JSON.parse(maskedRecord) as Record<string, unknown> }];
  });
  if (masked.length > 0)
    await store.record(...masked.map(({ id, record }) => store.update(campaigns, { record }, eq(campaigns.id, id))));
  // Nothing is counted here, because the campaign's object counts the mention.
  return { next: rows.length < ROWS ? null : rows.at(-1)?.id, unsettled: masked.length > 0 };
}
