import { z } from "zod";
import { valuesOf } from "../kernel/backup/declared.ts";
import { webhooks } from "../kernel/db/schema/index.ts";
import { webhookContext } from "../kernel/db/seal-contexts.ts";
import { accountEvents, ledgerVolume, webhookObject } from "../kernel/durable/objects.ts";
import type { Erasing } from "../kernel/erasure/sweep.ts";
import { timestamp } from "../kernel/http/fields.ts";
import { type BucketStore, byRows, idsAfter, ONE, objectStore, volumesOf } from "../kernel/stores/stores.ts";
import { bodyFields, CONFIGURATION, OUTBOX, type RowTables } from "../kernel/stores/tables.ts";
import { EVENTS_MIGRATIONS } from "./events/migrations.ts";
import { deliverPending } from "./events/pending-events.ts";
import { EVENT_TYPES } from "./events/types.ts";
import { CALL_STATUSES } from "./ledger/call-status.ts";
import { Ledger } from "./ledger/ledger.ts";
import { LEDGER_MIGRATIONS } from "./ledger/migrations.ts";
import * as schema from "./ledger/schema.ts";
import { newPrice } from "./prices/contract.ts";
import { createWebhook } from "./webhooks/contract.ts";
import { WEBHOOK_MIGRATIONS } from "./webhooks/object/migrations.ts";

const counted = { nobody: "counters, which identify nobody" } as const;
const sends = { left: "a restored webhook is disabled, and starts over once a user enables it" } as const;

/** The number of rows of the ledger, of its acts and of events that are scanned at a time. */
const LEDGER_ROWS = 1_000;
const ACT_ROWS = 500;
const EVENT_ROWS = 2_000;

const sweepCursor = z.object({ table: z.string(), after: z.union([z.string(), z.number()]).nullable() }).nullable();
const lastAct = z.string().nullable();
const lastEvent = z.number().nullable();

export const LEDGER = objectStore({
  migrations: LEDGER_MIGRATIONS,
  backup: "ledger",
  listing: {
    list: async (context, after, limit) => {
      const days = (await volumesOf(context)).filter((day) => after === null || day > after);
      return idsAfter(days, null, limit);
    },
    has: async (context, day) => (await volumesOf(context)).includes(day),
  },
  at: ledgerVolume,
  sweeps: {
    ledger: {
      async run(volume, { number }, cursor) {
        if (number === null) return { next: null };
        const { masked, next } = await volume.sweepNumber(number, sweepCursor.parse(cursor), LEDGER_ROWS);
        return { counts: { mentions: masked }, next };
      },
    },
    acts: {
      async run(volume, { number, visitor }, cursor) {
        if (number === null && visitor === null) return { next: null };
        const { masked, next } = await volume.sweepActs({ number, visitor }, lastAct.parse(cursor) ?? "", ACT_ROWS);
        return { counts: { audit_entries: masked }, next };
      },
    },
  },
  // The sums are read first. Rows that are read later may be newer than the sums, but never older.
  tables: {
    counters: { ...counted, copy: true },
    call_totals: { ...counted, left: "counted again as the calls are written" },
    // The totals are written again, so that D1's totals never depend on a backup alone.
    days: { ...counted, copy: true, set: { due_at: 0 } },
    other_usage: { nobody: "tokens used outside conversations, by random ids", copy: true },
    calls: {
      by: ["phone_number", "conversation_id", "text"],
      mentions: ["from_number", "to_number", "transferred_to", "end_reason", "metadata", "own_metadata", "variables"],
      erasure: "mask",
      copy: true,
      json: ["metadata", "variables", "own_metadata", "disclosure"],
      values: Object.assign({ status: CALL_STATUSES }, valuesOf(schema.calls)),
    },
    conversations: {
      by: ["phone_number", "visitor_id", "conversation_id", "call_id", "text"],
      columns: ["id", "phone_number", "visitor_id", "session_key"],
      mentions: ["transferred_to", "disposition", "end_reason", "variables", "analysis_brief"],
      erasure: "delete",
      copy: true,
      json: ["variables", "usage", "rates", "latency", "analysis_brief", "disclosure"],
      values: valuesOf(schema.conversations),
    },
    analysis_values: { by: ["conversation_id", "text"], mentions: ["value"], erasure: "delete", copy: true },
    recordings: { by: ["call_id"], columns: ["id", "provider_recording_id"], erasure: "delete", copy: true },
    tool_runs: {
      by: ["conversation_id", "text"],
      mentions: ["error"],
      erasure: "delete",
      copy: true,
      values: valuesOf(schema.toolRuns),
    },
    questions: {
      by: ["conversation_id", "text"],
      columns: ["id", "conversation_id"],
      mentions: ["question", "query"],
      erasure: "delete",
      copy: true,
      values: valuesOf(schema.questions),
    },
    acts: {
      by: ["visitor_id", "text"],
      columns: ["resource_id", "resource_name", "changes"],
      erasure: "mask",
      copy: true,
      json: ["changes"],
    },
    act_retention: {
      nobody: "when old acts were last deleted",
      left: "a copy deletes old acts by itself",
    },
    split: { nobody: "whether there is a later volume", copy: true },
    removed: { nobody: "random ids of removed rows, so that no late report restores them", copy: true },
    call_retention: { nobody: "the time from which calls are kept", copy: true },
    record_retention: { nobody: "the time from which records are kept", left: "set again within a day" },
    notices: {
      nobody: "random ids of deleted rows, until all other stores were notified",
      copy: true,
      json: ["body"],
    },
    outbox: { ...OUTBOX, copy: true, json: ["body"], only: { destination: ["events", "meter"] } },
  },
});

/** Returns the data that identifies the person in events. */
const inEvents = ({ number, traces }: Erasing) => ({ number, ids: [...traces("call"), ...traces("conversation")] });

export const EVENTS = objectStore({
  migrations: EVENTS_MIGRATIONS,
  backup: "events",
  listing: ONE,
  at: accountEvents,
  sweeps: {
    events: {
      async run(events, work, cursor) {
        const { masked, next } = await events.sweepPerson(inEvents(work), lastEvent.parse(cursor) ?? 0, EVENT_ROWS);
        return { counts: { events: masked }, next };
      },
    },
  },
  tables: {
    events: {
      by: ["text"],
      columns: ["data"],
      erasure: "mask",
      copy: true,
      json: ["data"],
      values: { type: EVENT_TYPES },
    },
    followers: { nobody: "the account's webhooks, by their ids", ...sends },
  },
});

export const WEBHOOK = objectStore({
  migrations: WEBHOOK_MIGRATIONS,
  listing: byRows("webhooks", webhooks),
  at: webhookObject,
  sweeps: {
    webhooks: {
      async run(webhook, work, cursor) {
        const { masked, next } = await webhook.sweepPerson(inEvents(work), lastEvent.parse(cursor) ?? 0, EVENT_ROWS);
        return { counts: { events: masked }, next };
      },
    },
  },
  tables: {
    endpoint: { nobody: "an address of the account, and the position up to which its events were sent", ...sends },
    deliveries: { by: ["text"], columns: ["body"], erasure: "mask", ...sends },
    attempts: { by: ["text"], columns: ["response"], erasure: "mask", ...sends },
    outbox: { ...OUTBOX, ...sends },
  },
});

/** The largest archive of a conversation, bytes: reading one takes several times its size in an isolate's memory. */
export const MAX_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** The archives of conversations and their analyses. */
export const CONVERSATIONS: BucketStore<"conversations"> = {
  by: ["conversation_id"],
  found: "by its key, the conversation's id, which is in its row in the ledger",
  erasure: "delete",
  backup: "conversations",
  most: MAX_ARCHIVE_BYTES,
  file: /^([0-9a-f-]{36})(?:\.analysis)?\.json$/,
  mediaType: () => "application/json",
  isListed: async (context, id) => (await new Ledger(context).conversation(id)) !== null,
};

/** The most day totals, and the most entries of other tables, deleted at a time. */
const EXPIRED_ROWS = 5_000;

/** The D1 tables for prices, webhooks, daily totals and pending events. */
export const RECORDS_ROWS = {
  prices: { ...CONFIGURATION, copy: true, borders: Object.assign({ since: timestamp }, newPrice.shape) },
  webhooks: {
    ...CONFIGURATION,
    copy: true,
    sealed: { secrets: webhookContext },
    set: { enabled: 0, disabled_reason: "requested", begins_at: { now: true } },
    borders: bodyFields(createWebhook),
  },
  account_days: {
    nobody: "the sums of a day",
    copy: true,
    // Every total that the restored ledger writes is newer.
    set: { revision: 0 },
    borders: { day: z.iso.date() },
    expiry: {
      job: "day_totals",
      most: EXPIRED_ROWS,
      run: (maintenance, now, most) => maintenance.deleteOldDays(now, most),
    },
  },
  pending_events: {
    by: ["text"],
    columns: ["resource", "data"],
    erasure: "mask",
    copy: true,
    borders: { type: z.enum(EVENT_TYPES) },
    sweeps: { gather_events: gatherEvents },
  },
} as const satisfies Partial<RowTables>;

/** Delivers pending events to the account's sequence, where they are masked. */
async function gatherEvents({ env, store }: Erasing) {
  while ((await deliverPending(store, (events) => accountEvents(env, store.account).take(events))) === "more");
  for (const volume of await new Ledger({ env, store }).volumes()) await volume.deliverEvents();
  return { next: null };
}
