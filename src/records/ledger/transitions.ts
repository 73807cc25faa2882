import type { AnalysisReport } from "../analysis/brief.ts";
import { type NewEvent, newEvent } from "../events/event.ts";
import type { EventData } from "../events/types.ts";
import type { CallStatus } from "./call-status.ts";
import { timeBetween, wasAnswered } from "./counters.ts";
import { type EndReason, recordedEndReason } from "./end-reason.ts";
import type { CallRow, ConversationRow, RecordingRow, ToolRunRow } from "./report.ts";

/** The end reasons of answered calls without a person: a machine was hung up on, or the caller was never connected. */
const NOT_ANSWERED: (EndReason | null)[] = ["machine", "failed"];

const LIFE = ["call.started", "call.answered", "call.ended"] as const;

/**
 * Returns the number of the last stage that a call has reached; 0 before the first. A stage without a report counts as
 * reached if a later one was.
 */
export function stageOf(row: CallRow): number {
  const { line_revision, started_at, ended_at } = row;
  if (line_revision === 0) return 0;
  if (ended_at !== null) return 3;
  if (wasAnswered(row)) return 2;
  return started_at === null ? 0 : 1;
}

/**
 * Returns how a call was disclosed: as its conversation reports; at the beginning of a message that was left; or not at
 * all, if the call was answered and ended without either. Null while that is undecided, and if no person answered.
 */
export function disclosedOnCall(call: CallRow): Pick<CallRow, "disclosed" | "disclosed_at"> {
  const { connected_at, ended_at, metadata, disclosure, disclosed, disclosed_at } = call;
  if (disclosure === null || disclosed_at !== null) return { disclosed, disclosed_at };
  if (metadata.message_left === true) return { disclosed: "spoken", disclosed_at: connected_at ?? ended_at };
  const isMissing = connected_at !== null && ended_at !== null && !NOT_ANSWERED.includes(recordedEndReason(call));
  return { disclosed: isMissing ? "missing" : null, disclosed_at: null };
}

/**
 * Returns the events of a call that was at `stage`: one for each stage reached since, in order. The end is always the
 * last event, even if reports arrive later.
 */
export function callEvents(stage: number, after: CallRow): NewEvent[] {
  const { id: call_id, direction, status, agent_id, campaign_id, contact_id, from_number, to_number } = after;
  const { created_at, started_at, connected_at, ended_at } = after;
  const end_reason = recordedEndReason(after);
  const answered = wasAnswered(after);
  const data: EventData<(typeof LIFE)[number]> = {
    call_id,
    direction,
    status: status as CallStatus,
    agent_id,
    campaign_id,
    contact_id,
    from_number,
    to_number,
    conversation_id: after.conversation_id,
    end_reason,
    duration_ms: connected_at && ended_at ? timeBetween(connected_at, ended_at) : null,
    url: `/api/v1/calls/${call_id}`,
  };
  const times = [started_at ?? created_at, connected_at ?? ended_at ?? created_at, ended_at ?? created_at];
  return LIFE.slice(stage, after.stage).flatMap((type, i) =>
    type === "call.answered" && !answered ? [] : [newEvent(type, times[stage + i] ?? created_at, call_id, data)],
  );
}

export function conversationEvents(before: ConversationRow | null, after: ConversationRow): NewEvent[] {
  const { id: conversation_id, kind, status, agent_id, call_id, campaign_id, contact_id, visitor_type } = after;
  const { end_reason, disposition, turn_count, tool_call_count, ended_at, started_at } = after;
  const transcript_url = `/api/v1/conversations/${conversation_id}/transcript`;
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
    duration_ms: ended_at === null ? null : timeBetween(started_at, ended_at),
    url: `/api/v1/conversations/${conversation_id}`,
  };
  const started = before === null ? [newEvent("conversation.started", started_at, conversation_id, data)] : [];
  const ended =
    ended_at !== null && (before?.ended_at ?? null) === null
      ? [newEvent("conversation.ended", ended_at, conversation_id, Object.assign({ transcript_url }, data))]
      : [];
  const isMissing = after.disclosed === "missing" && before?.disclosed !== "missing";
  const undisclosed = isMissing ? [undisclosedEvent(after.ended_at ?? started_at, conversation_id, after)] : [];
  return [...started, ...ended, ...undisclosed];
}

/**
 * Returns the event of a call that was answered, had no conversation and ended before the disclosure; empty for any
 * other call.
 */
export function undisclosedCall(before: CallRow, after: CallRow): NewEvent[] {
  const { id: call_id, disclosed, conversation_id, created_at, ended_at } = after;
  if (disclosed !== "missing" || before.disclosed === "missing" || conversation_id !== null) return [];
  const of = Object.assign({}, after, { kind: "call" as const, call_id });
  return [undisclosedEvent(ended_at ?? created_at, null, of)];
}

type Undisclosed = Pick<ConversationRow, "kind" | "agent_id" | "call_id" | "campaign_id" | "contact_id" | "disclosure">;

function undisclosedEvent(at: string, conversation_id: string | null, of: Undisclosed): NewEvent {
  const { kind, agent_id, call_id, campaign_id, contact_id, disclosure } = of;
  const url = conversation_id === null ? `/api/v1/calls/${call_id}` : `/api/v1/conversations/${conversation_id}`;
  const data = { conversation_id, kind, agent_id, call_id, campaign_id, contact_id, text: disclosure?.text ?? "", url };
  return newEvent("conversation.disclosure_missing", at, conversation_id ?? call_id ?? "", data);
}

/** Returns the event of a finished analysis; each analysis of a conversation has one. */
export function analysisEvents(
  { id: conversation_id, kind, agent_id, call_id, campaign_id, contact_id }: ConversationRow,
  { run, status, successful, ended_at }: AnalysisReport,
): NewEvent[] {
  if (status === "pending" || ended_at === null) return [];
  const url = `/api/v1/conversations/${conversation_id}`;
  const ids = { conversation_id, kind, agent_id, call_id, campaign_id, contact_id };
  const data = Object.assign(ids, { status, successful, url });
  return [newEvent("conversation.analyzed", ended_at, conversation_id, data, run)];
}

/** Returns the event of a recording that can be downloaded. */
export function recordingEvent({ id: recording_id, ...row }: RecordingRow): NewEvent {
  const { call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type, created_at } = row;
  const url = `/api/v1/recordings/${recording_id}`;
  const data = { recording_id, call_id, agent_id, campaign_id, duration_ms, size_bytes, content_type, url };
  return newEvent("recording.ready", created_at, recording_id, data);
}

export function toolRunEvents(run: ToolRunRow, agent_id: string | null): NewEvent[] {
  const { id: run_id, ok, at, conversation_id, tool_name, status, duration_ms } = run;
  if (ok) return [];
  const url = `/api/v1/tools/${tool_name}/runs`;
  const data = { run_id, tool_name, conversation_id, agent_id, status, duration_ms, url };
  return [newEvent("tool_run.failed", at, run_id, data)];
}
