import { contactName } from "../../kernel/http/contact-name.ts";
import type { ConversationRecord } from "./record.ts";

/** A conversation as it is shown: with who it was held with, and its duration once it has ended. */
export function view<R extends ConversationRecord>(
  record: R,
): R & { contact_name: string | null; duration_ms: number | null } {
  const { started_at, ended_at, variables } = record;
  return {
    ...record,
    contact_name: contactName(variables),
    duration_ms: ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at),
  };
}
