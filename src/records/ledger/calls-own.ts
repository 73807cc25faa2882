import { wholeSeconds } from "../../kernel/time.ts";
import type { CallRow, ConversationRow } from "./report.ts";

/**
 * Adds, to a conversation, the data that its call stores: the key that placed the call and, once the call is over, its
 * seconds.
 */
export function withCallsOwn(conversation: ConversationRow, call: CallRow | null): ConversationRow {
  if (call === null) return conversation;
  const { connected_at, ended_at } = call;
  const api_key_id = conversation.api_key_id ?? call.api_key_id;
  const { usage } = conversation;
  const isOver = connected_at !== null && ended_at !== null;
  const carrier_s = isOver ? wholeSeconds(Date.parse(ended_at) - Date.parse(connected_at)) : usage.carrier_s;
  return Object.assign({}, conversation, { api_key_id, usage: Object.assign({}, usage, { carrier_s }) });
}
