import { wholeSeconds } from "../../kernel/time.ts";
import type { CallRow, ConversationRow } from "./report.ts";

/** The conversation of a call: once that is over, with the time that its carrier counts, from answer to end. */
export function withCarrierTime(conversation: ConversationRow, call: CallRow | null): ConversationRow {
  const { connected_at, ended_at } = call ?? { connected_at: null, ended_at: null };
  if (connected_at === null || ended_at === null) return conversation;
  const carrier_s = wholeSeconds(Date.parse(ended_at) - Date.parse(connected_at));
  return Object.assign({}, conversation, { usage: Object.assign({}, conversation.usage, { carrier_s }) });
}
