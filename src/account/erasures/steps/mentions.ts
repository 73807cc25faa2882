import { asc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { all } from "../../../kernel/db/conditions.ts";
import { auditLog, campaigns, webhooks } from "../../../kernel/db/schema/index.ts";
import { accountEvents, webhookObject } from "../../../kernel/durable/objects.ts";
import { type AuditedPerson, maskedEntry } from "../../../kernel/mask-entry.ts";
import { NumberMask } from "../../../kernel/mask-number.ts";
import { deliverPending } from "../../../records/events/pending-events.ts";
import { SWEPT_TABLES, type SweepPlace, type Swept } from "../../../records/ledger/erasure.ts";
import { step } from "../step.ts";

/** Rows scanned at a time. */
const LEDGER_ROWS = 1_000;
const AUDIT_ROWS = 500;
const CAMPAIGN_ROWS = 100;
const EVENT_ROWS = 2_000;

const sweepPlace: z.ZodType<SweepPlace> = z.object({
  table: z.enum(SWEPT_TABLES),
  after: z.string(),
});
const ledgerPlace = z.object({ day: z.string(), place: sweepPlace.nullable() });

/** Masks the number in the ledger's rows about others. */
export const maskInLedger = step(ledgerPlace, async ({ ledger, number }, at) => {
  const days = await ledger.days();
  const day = at?.day ?? days[0];
  if (number === null || day === undefined) return { next: null };
  const swept: Swept = await ledger.volume(day).sweepNumber(number, at?.place ?? null, LEDGER_ROWS);
  const following = days.find((other) => other > day);
  const counts = { mentions: swept.masked };
  if (swept.next) return { counts, next: { day, place: swept.next } };
  return { counts, next: following === undefined ? null : { day: following, place: null } };
});

/** Masks the number in the list of campaigns. */
export const maskInCampaignList = step(z.string(), async ({ store, number }, after) => {
  if (number === null) return { next: null };
  const mask = new NumberMask(number);
  const [rows] = await store.read(
    store.select(campaigns, {
      where: all(gt(campaigns.id, after ?? "")),
      columns: ["id", "record"],
      orderBy: [asc(campaigns.id)],
      limit: CAMPAIGN_ROWS,
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
  // Counted where the campaign itself is.
  return { next: rows.length < CAMPAIGN_ROWS ? null : rows.at(-1)?.id, unsettled: masked.length > 0 };
});

const actPlace = z.object({ day: z.string(), after: z.string() });

/** Masks the person in the audit log's entries of acts, one volume of the ledger after the other. */
export const maskInActs = step(actPlace, async ({ ledger, number, visitor }, at) => {
  const days = await ledger.days();
  const day = at?.day ?? days[0];
  if ((number === null && visitor === null) || day === undefined) return { next: null };
  const swept = await ledger.volume(day).sweepActs({ number, visitor }, at?.after ?? "", AUDIT_ROWS);
  const counts = { audit_entries: swept.masked };
  if (swept.next !== null) return { counts, next: { day, after: swept.next } };
  const following = days.find((other) => other > day);
  return { counts, next: following === undefined ? null : { day: following, after: "" } };
});

/** Masks the person in the audit log. */
export const maskInAuditLog = step(z.string(), async ({ store, number, visitor }, after) => {
  if (number === null && visitor === null) return { next: null };
  const mask = number === null ? null : new NumberMask(number);
  const { masked, next } = await maskAuditLog(store, { mask, visitor }, after ?? "", AUDIT_ROWS);
  return { counts: { audit_entries: masked }, next };
});

/** Brings events to the account's sequence that were on their way there. */
export const gatherEvents = step(z.null(), async ({ env, store, ledger }) => {
  while ((await deliverPending(store, (events) => accountEvents(env, store.account).take(events))) === "more");
  for (const volume of await ledger.volumes()) await volume.deliverEvents();
  return { next: null };
});

const webhookPlace = z.object({ id: z.string(), after: z.number() });

/** Masks the person in what webhooks sent and are to send, one webhook after the other. */
export const maskInWebhooks = step(webhookPlace, async ({ env, store, number, traces }, at) => {
  const [[webhook]] = await store.read(
    store.select(webhooks, {
      where: at === null || at.after === 0 ? gt(webhooks.id, at?.id ?? "") : eq(webhooks.id, at.id),
      columns: ["id"],
      orderBy: [asc(webhooks.id)],
      limit: 1,
    }),
  );
  if (!webhook) return { next: at === null || at.after === 0 ? null : { id: at.id, after: 0 } };
  const ids = [...traces("call"), ...traces("conversation")];
  const object = webhookObject(env, store.account, webhook.id);
  const { masked, next } = await object.sweepPerson({ number, ids }, at?.after ?? 0, EVENT_ROWS);
  return { counts: { events: masked }, next: { id: webhook.id, after: next ?? 0 } };
});

/** Masks the person in the account's events. */
export const maskInEvents = step(z.number(), async ({ env, store, number, traces }, after) => {
  const ids = [...traces("call"), ...traces("conversation")];
  const person = { number, ids };
  const { masked, next } = await accountEvents(env, store.account).sweepPerson(person, after ?? 0, EVENT_ROWS);
  return { counts: { events: masked }, next };
});

/** How many entries a step masked, and after which entry it continues; null at the end. */
interface AuditSwept {
  masked: number;
  next: string | null;
}

/** Masks a person in the next `limit` entries of the audit log in D1, which are of changes. Who did what and when stays. */
export async function maskAuditLog(
  store: Pick<AccountStore, "read" | "record" | "select" | "update">,
  person: AuditedPerson,
  after: string,
  limit: number,
): Promise<AuditSwept> {
  const [entries] = await store.read(
    store.select(auditLog, {
      where: all(gt(auditLog.id, after)),
      columns: ["id", "resource", "resource_id", "resource_name", "changes"],
      orderBy: [asc(auditLog.id)],
      limit,
    }),
  );
  const updates = entries.flatMap(({ id, ...entry }) => {
    const masked = maskedEntry(entry, person);
    return masked === null ? [] : [store.update(auditLog, masked, eq(auditLog.id, id))];
  });
  if (updates.length > 0) await store.record(...updates);
  return { masked: updates.length, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}
