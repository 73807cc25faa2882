import { derivedId } from "../../kernel/instant-ids.ts";
import type { EventType, NewEvent } from "../events/event.ts";
import { wasAnswered } from "./counters.ts";
import { recordedEndReason } from "./end-reason.ts";
import type { CallRow, ConversationRow, RecordingRow, ToolRunRow } from "./report.ts";

/** What a call has gone through, and when; what was skipped in the reports is in it too. */
function passedByCall(row: CallRow | null): Map<EventType, string> {
  const passed = new Map<EventType, string>();
  if (row === null || row.line_revision === 0) return passed;
  const { started_at, connected_at, ended_at, created_at } = row;
  if (started_at !== null || ended_at !== null) passed.set("call.started", started_at ?? created_at);
  if (wasAnswered(row)) passed.set("call.answered", connected_at ?? ended_at ?? created_at);
  if (ended_at !== null) passed.set("call.ended", ended_at);
  return passed;
}

/** The events of a call whose row has become `after`. */
export function callEvents(before: CallRow | null, after: CallRow): NewEvent[] {
  const earlier = passedByCall(before);
  const { id: call_id, direction, status, agent_id, campaign_id, contact_id, from_number, to_number } = after;
  const { connected_at, ended_at } = after;
  const data = {
    call_id,
    direction,
    status,
    agent_id,
    campaign_id,
    contact_id,
    from_number,
    to_number,
    conversation_id: after.conversation_id,
    end_reason: recordedEndReason(after),
    duration_ms: connected_at && ended_at ? Date.parse(ended_at) - Date.parse(connected_at) : null,
    url: `/api/v1/calls/${call_id}`,
  };
  return [...passedByCall(after)].flatMap(([type, at]) => (earlier.has(type) ? [] : [event(type, at, call_id, data)]));
}

/** The events of a conversation whose row has become `after`. */
export function conversationEvents(before: ConversationRow | null, after: ConversationRow): NewEvent[] {
  const { id: conversation_id, kind, status, agent_id, call_id, campaign_id, contact_id, visitor_type } = after;
  const { end_reason, disposition, turn_count, tool_call_count, ended_at, started_at } = after;
  const data = {
    conversation_id,
    kind,
    status,
    agent_id,
    call_id,
    campaign_id,
    contact_id,
    visitor_type,
    end_reason,
    disposition,
    turn_count,
    tool_call_count,
    duration_ms: ended_at === null ? null : Date.parse(ended_at) - Date.parse(started_at),
    url: `/api/v1/conversations/${conversation_id}`,
  };
  const started = before === null ? [event("conversation.started", started_at, conversation_id, data)] : [];
  const ended =
    ended_at !== null && (before?.ended_at ?? null) === null
      ? [event("conversation.ended", ended_at, conversation_id, data)]
      : [];
  return [...started, ...ended];
}

/** The event of a recording that can be fetched. */
export function recordingEvent({ id: recording_id, ...row }: RecordingRow): NewEvent {
  const { call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type, created_at } = row;
  const data = { recording_id, call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type };
  return event(
    "recording.ready",
    created_at,
    recording_id,
    Object.assign(data, { url: `/api/v1/recordings/${recording_id}` }),
  );
}

/** The event of a tool run that failed; none of another. */
export function toolRunEvents({
  id: run_id,
  ok,
  at,
  conversation_id,
  tool_name,
  status,
  duration_ms,
}: ToolRunRow): NewEvent[] {
  if (ok) return [];
  const url = `/api/v1/tools/${tool_name}/runs`;
  return [event("tool_run.failed", at, run_id, { run_id, tool_name, conversation_id, status, duration_ms, url })];
}

function event(type: EventType, at: string, resource: string, data: Record<string, unknown>): NewEvent {
  return { id: derivedId(Date.parse(at), resource, type, 1), type, at, data };
}
