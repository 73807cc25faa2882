import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/**
 * Recordings of calls; the audio itself is in R2 under `account/id`. A campaign's call may be listed later than its
 * recording.
 */
export const recordings = sqliteTable(
  "recordings",
  {
    account: accountRef(),
    id: id(),
    call_id: text("call_id").notNull(),
    agent_id: text("agent_id").notNull(),
    campaign_id: text("campaign_id"),
    /** The carrier's id for it: what is reported twice is stored once. */
    provider_recording_id: text("provider_recording_id").notNull(),
    content_type: text("content_type").notNull(),
    size_bytes: integer("size_bytes").notNull(),
    duration_ms: integer("duration_ms"),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    uniqueIndex("recordings_account_source").on(t.account, t.call_id, t.provider_recording_id),
    index("recordings_account_created").on(t.account, t.created_at, t.id),
    index("recordings_account_call").on(t.account, t.call_id, t.created_at, t.id),
    index("recordings_account_agent").on(t.account, t.agent_id, t.created_at, t.id),
  ],
);
