import { afterEvent, afterPlaced, type CallState, type LineEvent, messageMoves } from "./call-state.ts";
import { type CallStatus, isTerminal } from "./call-status.ts";
import { wasAnswered } from "./counters.ts";
import { endNotes, endReason } from "./end-reason.ts";
import type { MachineStep } from "./machine-message.ts";
import type { CallLine, CallRow } from "./report.ts";

/* Decides how the line of a single or inbound call changes. Pure functions of the row that the transaction has read. */

/** The events of one call, in the order in which they arrived. */
export interface CallEvents {
  id: string;
  events: LineEvent[];
  /** The credentials that signed the events, if a carrier's webhook sent them. */
  proof?: { credentials_id: string | null };
  /** Whether the call does not count towards the caps if these events end it. */
  uncounted?: boolean;
}

/** The result of applying a call's events. */
export type TakenEvents =
  | { outcome: "unknown" | "another_call" }
  | {
      outcome: "taken";
      /** The call after its events. */
      row: CallRow;
      /** What to do about the machine that answered. If a message is due or awaited, the row already says so. */
      step: MachineStep | null;
      /** Whether these events ended a call that had been answered. */
      ended: boolean;
    };

/** The current time, and how long a call waits for a machine's greeting, ms. */
export interface LineClock {
  now: number;
  message_ms: number;
}

export function stateOf(row: CallRow): CallState {
  const { answered_by } = row.metadata;
  return {
    status: row.status as CallStatus,
    provider_call_id: row.provider_call_id,
    answered_by: answered_by === "machine" || answered_by === "human" ? answered_by : null,
    placedAt: Date.parse(row.started_at ?? row.created_at),
    connectedAt: row.connected_at === null ? null : Date.parse(row.connected_at),
    voicemail: row.voicemail,
    message: row.message,
    over: isTerminal(row.status as CallStatus),
  };
}

/**
 * Returns the call after its events (the same object if nothing changes), with the next step if they report a machine.
 */
export function afterEvents(
  row: CallRow,
  events: LineEvent[],
  clock: LineClock,
): { row: CallRow; step: MachineStep | null } {
  let step: MachineStep | null = null;
  let after = row;
  for (const event of events) {
    const before = stateOf(after);
    const taken = afterEvent(before, event, clock.now);
    step = taken.step ?? step;
    if (taken.call !== before) after = rowAfter(after, before, taken.call, event, clock);
  }
  return { row: after, step: stateOf(after).over ? null : step };
}

/** Checks whether these events ended a call that had been answered. */
export function endedAnswered(before: CallRow, after: CallRow): boolean {
  return !stateOf(before).over && stateOf(after).over && wasAnswered(after);
}

function rowAfter(
  row: CallRow,
  before: CallState,
  call: CallState,
  event: LineEvent,
  { now, message_ms }: LineClock,
): CallRow {
  const { status, provider_call_id, answered_by, connectedAt, message } = call;
  const after = Object.assign({}, row, { status, provider_call_id, message });
  if (message !== before.message) after.message_until = now + message_ms;
  if (connectedAt !== null && connectedAt !== before.connectedAt)
    after.connected_at = new Date(connectedAt).toISOString();
  const end = { status, reason: event.reason, answered_by };
  const isEnd = call.over && !before.over;
  if (isEnd) Object.assign(after, { ended_at: new Date(now).toISOString(), end_reason: endReason(end) });
  const notes = isEnd ? endNotes(end) : answered_by !== null && { answered_by };
  after.metadata = Object.assign({}, row.metadata, notes);
  return after;
}

/** A change that the service itself makes to a line. */
export type LineChange =
  /** The carrier has accepted the call. Its first report may have arrived before its response. */
  | { to: "placed"; provider_call_id: string }
  /** The carrier is about to be asked to speak the message, which ends by `until` (ms) at the latest. */
  | { to: "message_asked"; until: number }
  | { to: "message_left" }
  | { to: "message_failed"; from: "due" | "asked" };

/** Returns the changed fields of a line; null if the change does not apply to the call. */
export function lineAfter(row: CallRow, change: LineChange): Partial<CallLine> | null {
  const call = stateOf(row);
  switch (change.to) {
    case "placed": {
      const after = afterPlaced(call, change.provider_call_id);
      return after === call ? null : { provider_call_id: after.provider_call_id, status: after.status };
    }
    case "message_asked":
      return messageMoves(call, "due") ? { message: "asked", message_until: change.until } : null;
    case "message_left":
      if (!messageMoves(call, "asked")) return null;
      return { message: "left", metadata: Object.assign({}, row.metadata, { message_left: true }) };
    case "message_failed":
      return messageMoves(call, change.from) ? { message: "failed" } : null;
  }
}
