import { type NewEvent, newEvent } from "../events/event.ts";
import type { EventData } from "../events/types.ts";
import type { CallStatus } from "./call-status.ts";
import { wasAnswered } from "./counters.ts";
import { recordedEndReason } from "./end-reason.ts";
import type { CallRow, ConversationRow, RecordingRow, ToolRunRow } from "./report.ts";

type CallEventType = "call.started" | "call.answered" | "call.ended";

/** What a call has gone through, and when; what was skipped in the reports is in it too. */
function passedByCall(row: CallRow | null): Map<CallEventType, string> {
  const passed = new Map<CallEventType, string>();
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
  const data: EventData<CallEventType> = {
    call_id,
    direction,
    status: status as CallStatus,
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
  return [...passedByCall(after)].flatMap(([type, at]) =>
    earlier.has(type) ? [] : [newEvent(type, at, call_id, data)],
  );
}

/** The events of a conversation whose row has become `after`. */
export function conversationEvents(before: ConversationRow | null, after: ConversationRow): NewEvent[] {
  const { id: conversation_id, kind, status, agent_id, call_id, campaign_id, contact_id, visitor_type } = after;
  const { end_reason, disposition, turn_count, tool_call_count, ended_at, started_at } = after;
  const data: EventData<"conversation.started"> = {
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
  const started = before === null ? [newEvent("conversation.started", started_at, conversation_id, data)] : [];
  const ended =
    ended_at !== null && (before?.ended_at ?? null) === null
      ? [newEvent("conversation.ended", ended_at, conversation_id, data)]
      : [];
  return [...started, ...ended];
}

/** The event of a recording that can be fetched. */
export function recordingEvent({ id: recording_id, ...row }: RecordingRow): NewEvent {
  const { call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type, created_at } = row;
  const url = `/api/v1/recordings/${recording_id}`;
  const data = { recording_id, call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type, url };
  return newEvent("recording.ready", created_at, recording_id, data);
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
  const data = { run_id, tool_name, conversation_id, status, duration_ms, url };
  return [newEvent("tool_run.failed", at, run_id, data)];
}
