import type { ConversationRecord } from "./record.ts";

/** A conversation as it is shown: with its duration, once it has ended. */
export function view<R extends ConversationRecord>(record: R): R & { duration_ms: number | null } {
  const { started_at, ended_at } = record;
  return { ...record, duration_ms: ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at) };
}
