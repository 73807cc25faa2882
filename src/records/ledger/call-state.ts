import { answeredAt } from "./answered-at.ts";
import { speaksOf } from "./call-identity.ts";
import { advances, type CallStatus, isTerminal, type Machine } from "./call-status.ts";
import { type MachineStep, type MessageState, machineStep, type Voicemail } from "./machine-message.ts";

/* What events do to a call, wherever its line is stored: the one decision for campaigns' and other calls. Pure. */

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

/** How a call stands. Times are ms. */
export interface CallState {
  status: CallStatus;
  provider_call_id: string | null;
  answered_by: "human" | "machine" | null;
  placedAt: number;
  connectedAt: number | null;
  /** What follows from a machine; null if nothing does. */
  voicemail: Voicemail | null;
  message: MessageState | null;
  /** It has ended on record; it may still run at its carrier. */
  over: boolean;
}

/**
 * The call after an event, the same object if nothing changes, and what to do about a machine that is reported. Late and
 * repeated events change nothing, and an end is never undone. Who answered may be reported after the answer itself, and
 * a machine even after the end, because carriers listen for a while. A machine stays one: its greeting may sound like a
 * person.
 */
export function afterEvent(
  call: CallState,
  event: LineEvent,
  now: number,
): { call: CallState; step: MachineStep | null } {
  // A carrier that queues a call has it.
  const status = event.status === "queued" ? "initiated" : event.status;
  const advanced = !call.over && advances(call.status, status);
  const over = call.over || (advanced && isTerminal(status));
  const isNews = call.answered_by !== "machine" && (event.answered_by === "machine" || !call.over);
  const answered_by = isNews ? (event.answered_by ?? call.answered_by) : call.answered_by;
  const { placedAt, connectedAt } = call;
  const step = over ? null : stepOf(call, event);
  // Its own event knows a call better than the answer to its originate, which may name the request only.
  const named = advanced || (call.provider_call_id === null && !call.over) ? event.provider_call_id : null;
  const after: CallState = {
    status: advanced ? status : call.status,
    provider_call_id: named ?? call.provider_call_id,
    answered_by,
    placedAt,
    connectedAt: advanced ? answeredAt({ placedAt, connectedAt }, event, now) : connectedAt,
    voicemail: call.voicemail,
    message: step === "greeting" || step === "due" ? step : call.message,
    over,
  };
  return { call: isSame(call, after) ? call : after, step };
}

/** What follows from a report of a machine on a running call. */
function stepOf(call: CallState, { answered_by, machine }: LineEvent): MachineStep | null {
  const isReported = answered_by === "machine" || (call.answered_by === "machine" && machine !== undefined);
  return isReported && call.voicemail !== null ? machineStep(call.voicemail, machine, call.message) : null;
}

/** The call once its carrier has accepted it; the first event may have come before the carrier's answer, and knows more. */
export function afterPlaced(call: CallState, provider_call_id: string | null): CallState {
  const after = Object.assign({}, call);
  after.provider_call_id ??= provider_call_id;
  if (call.status === "queued") after.status = "initiated";
  return isSame(call, after) ? call : after;
}

/**
 * Whether the message to a machine may move on from there: it is asked for at most once, and only on a call that goes on.
 * What became of it may be known only after the call has ended.
 */
export function messageMoves({ message, over }: Pick<CallState, "message" | "over">, from: "due" | "asked"): boolean {
  return message === from && (from === "asked" || !over);
}

/** Whether events that a carrier's webhook reports, signed with these credentials, are about another call. */
export function areOfAnotherCall(
  call: { provider_call_id: string | null; credentials_id: string | null },
  events: LineEvent[],
  credentialsId: string | null,
): boolean {
  const own = call.credentials_id === null || call.credentials_id === credentialsId;
  return !own || !events.every((event) => speaksOf(call.provider_call_id, event));
}

function isSame(before: CallState, after: CallState): boolean {
  return (Object.keys(after) as (keyof CallState)[]).every((field) => before[field] === after[field]);
}
