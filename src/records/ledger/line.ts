import { answeredAt } from "./answered-at.ts";
import { speaksOf } from "./call-identity.ts";
import { advances, type CallStatus, isTerminal, type Machine } from "./call-status.ts";
import { wasAnswered } from "./counters.ts";
import { endNotes, endReason } from "./end-reason.ts";
import { type MachineStep, machineStep } from "./machine-message.ts";
import type { CallLine, CallRow } from "./report.ts";

/* What may become of the line of a single or inbound call: pure, and decided on the row that the transaction has. */

/** A carrier's report of a call. */
export interface LineEvent {
  status: CallStatus;
  /** The call's id at the carrier, if the event has it. */
  provider_call_id: string | null;
  /** The id its originate was answered with, where that may be another; null if the event does not say it. */
  request_id?: string | null;
  /** Who answered, if known. */
  answered_by: "human" | "machine" | null;
  /** The state of a machine's greeting, if known. */
  machine?: Machine | undefined;
  /** The carrier's word for the end, or ours. */
  reason: string;
  /** How long the call went on after its answer, ms, if the event says it. */
  talked_ms?: number | undefined;
}

/** The events of one call, in the order in which they arrived. */
export interface CallEvents {
  id: string;
  events: LineEvent[];
  /** A carrier's webhook: what must hold for it to be about this call. */
  proof?: { credentials_id: string | null };
}

/** The outcome of taking a call's events. */
export type TakenEvents =
  | { outcome: "unknown" | "another_call" }
  | {
      outcome: "taken";
      /** The call as it is now. */
      row: CallRow;
      /** What to do about the machine that answered; a message that is `due` or waited for is recorded. */
      step: MachineStep | null;
      /** Whether a call that had been answered has ended by these events. */
      ended: boolean;
    };

/** When it is, and how long a call waits for a machine's greeting, ms; null if nothing follows from a machine. */
export interface LineClock {
  now: number;
  message_ms: number | null;
}

/** Whether events that a carrier's webhook reports are about another call. */
export function areOfAnotherCall(row: CallRow, { events, proof }: CallEvents): boolean {
  if (!proof) return false;
  const own = row.credentials_id === null || row.credentials_id === proof.credentials_id;
  return !own || !events.every((event) => speaksOf(row.provider_call_id, event));
}

/** The call after its events, with the next step if they report a machine. */
export function afterEvents(
  row: CallRow,
  events: LineEvent[],
  { now, message_ms }: LineClock,
): { row: CallRow; step: MachineStep | null } {
  let step: MachineStep | null = null;
  let after = row;
  for (const event of events) {
    const next = message_ms === null ? null : stepOf(after, event);
    step = next ?? step;
    after = afterEvent(after, event, now);
    if (message_ms !== null && (next === "greeting" || next === "due"))
      after = changed(after, { message: next, message_until: now + message_ms });
  }
  return { row: after, step: isOver(after) ? null : step };
}

/** Whether the call, `before` its events, has ended by them and had been answered. */
export function endedAnswered(before: CallRow, after: CallRow): boolean {
  return !isOver(before) && isOver(after) && wasAnswered(after);
}

/**
 * The call after an event. Late and repeated events change nothing, and an end is never undone. Who answered may be
 * reported after the answer itself: carriers listen for a while, so a machine may be reported after the call is over.
 */
function afterEvent(row: CallRow, event: LineEvent, now: number): CallRow {
  const { status, provider_call_id, answered_by, reason } = event;
  const at = new Date(now).toISOString();
  const end = { status, reason, answered_by };
  let after = row;
  if (advances(row.status as CallStatus, status)) {
    after = changed(row, { status, provider_call_id: provider_call_id ?? row.provider_call_id });
    after = noted(after, endNotes(end));
    const connectedAt = answeredAt(timesOf(row), event, now);
    if (connectedAt !== null) after = changed(after, { connected_at: new Date(connectedAt).toISOString() });
    if (isTerminal(status)) after = changed(after, { ended_at: at, end_reason: endReason(end) });
  }
  if (answered_by === "machine" || (answered_by !== null && !isOver(after))) after = noted(after, { answered_by });
  return after;
}

function timesOf({ created_at, started_at, connected_at }: CallRow) {
  return {
    placedAt: Date.parse(started_at ?? created_at),
    connectedAt: connected_at === null ? null : Date.parse(connected_at),
  };
}

/** What follows from a report of a machine on a running call. */
function stepOf(row: CallRow, { status, answered_by, machine }: LineEvent): MachineStep | null {
  if (answered_by !== "machine" || row.voicemail === null || isOver(row) || isTerminal(status)) return null;
  return machineStep(row.voicemail, machine, row.message);
}

/** What the service itself does to a line. */
export type LineChange =
  /** The carrier has the call; its first report may have come before its answer. */
  | { to: "placed"; provider_call_id: string }
  /** The carrier is about to be asked to speak the message, which ends by then (ms) at the latest. */
  | { to: "message_asked"; until: number }
  | { to: "message_left" }
  | { to: "message_failed" };

/** The line after a change; null if the change does not apply to the call. */
export function lineAfter(row: CallRow, change: LineChange): Partial<CallLine> | null {
  switch (change.to) {
    case "placed": {
      const provider_call_id = row.provider_call_id ?? change.provider_call_id;
      const after = changed(row, { provider_call_id, status: row.status === "queued" ? "initiated" : row.status });
      return after === row ? null : after;
    }
    case "message_asked":
      if (isOver(row) || row.message !== "due") return null;
      return { message: "asked", message_until: change.until };
    case "message_left":
      if (row.message !== "asked") return null;
      return { message: "left", metadata: Object.assign({}, row.metadata, { message_left: true }) };
    case "message_failed":
      return row.message === "asked" ? { message: "failed" } : null;
  }
}

const isOver = ({ status }: CallRow): boolean => isTerminal(status as CallStatus);

/** The call with these changes; the very same where they change nothing, so that nothing is written. */
function changed(row: CallRow, changes: Partial<CallLine>): CallRow {
  const after: CallRow = Object.assign({}, row, changes);
  return JSON.stringify(after) === JSON.stringify(row) ? row : after;
}

const noted = (row: CallRow, notes: object): CallRow =>
  changed(row, { metadata: Object.assign({}, row.metadata, notes) });
