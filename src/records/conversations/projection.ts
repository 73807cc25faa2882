import { contactName } from "../../kernel/http/contact-name.ts";
import { type ProjectedDisclosure, projectDisclosure } from "../ledger/disclosed.ts";
import type { ConversationRow } from "../ledger/report.ts";
import { type Cost, costOf } from "../prices/cost.ts";
import type { ConversationRecord } from "./record.ts";

/** Returns a conversation as clients see it: with the contact's name, and the duration and cost once it has ended. */
export function projectConversation<R extends ConversationRecord & Partial<Pick<ConversationRow, "rates">>>(
  record: R,
): Omit<R, "disclosed"> & {
  contact_name: string | null;
  duration_ms: number | null;
  cost: Cost | null;
  disclosed: ProjectedDisclosure | null;
} {
  const { started_at, ended_at, variables, usage, rates } = record;
  return {
    ...record,
    contact_name: contactName(variables),
    duration_ms: ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at),
    cost: rates ? costOf(usage, rates) : null,
    disclosed: projectDisclosure(record),
  };
}
