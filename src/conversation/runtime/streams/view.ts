import { wholeSeconds } from "../../../kernel/time.ts";
import {
  type ConversationDetail,
  isComplete,
  speechChars,
  tally,
  turnsOf,
} from "../../../records/conversations/record.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

/** The conversation with all that was said, as its object has it. */
export function detailOf({ existing, identity, session, events, runs }: ConversationStore): ConversationDetail {
  const { id, started_at, ended_at, end_reason, transferred_to, held_by } = existing;
  const { snapshot, phone_number, direction } = session;
  const call = identity.kind === "call" ? snapshot.call : null;
  const visitor = identity.kind === "call" ? null : identity.visitor;
  const counted = tally(events);
  const usage = {
    speech_chars: call === null ? 0 : speechChars(events, held_by),
    // The ledger puts the call's own time in its place once that has ended.
    carrier_s: call === null || ended_at === null ? 0 : wholeSeconds(ended_at - started_at),
    tool_runs: runs.all.filter((run) => run.started_at !== null).length,
  };
  const time = (ms: number) => new Date(ms).toISOString();
  return {
    ...counted,
    usage: Object.assign(usage, counted.usage),
    id,
    kind: identity.kind,
    status: ended_at === null ? "live" : "ended",
    direction,
    agent_id: snapshot.agent.id,
    prompt_id: snapshot.agent.prompt_id,
    call_id: call?.id ?? null,
    campaign_id: call?.campaign_id ?? null,
    contact_id: call?.contact_id ?? null,
    visitor_id: visitor?.id ?? null,
    visitor_type: visitor?.type ?? null,
    phone_number,
    variables: snapshot.variables,
    started_at: time(started_at),
    ended_at: ended_at === null ? null : time(ended_at),
    end_reason,
    transferred_to,
    complete: isComplete(events),
    turns: turnsOf(events),
  };
}
