import { answeredAt } from "./answered-at.ts";
import { speaksOf } from "./call-identity.ts";
import { advances, type CallStatus, isTerminal, type Machine } from "./call-status.ts";
import { type MachineStep, type MessageState, machineStep, type Voicemail } from "./machine-message.ts";

/* How events change a call, the same for campaigns' and other calls. Pure functions. */

/** A carrier's report of a call. */
export interface LineEvent {
  status: CallStatus;
  /** The call's id at the carrier, if the event contains it. */
  provider_call_id: string | null;
  /**
   * The id that answered the originate request, if it can differ from the call's id; null if the event does not contain
   * it.
   */
  request_id?: string | null;
  /** Who answered, if known. */
  answered_by: "human" | "machine" | null;
  /** The state of a machine's greeting, if known. */
  machine?: Machine | undefined;
  /** The carrier's word for the end, or the service's. */
  reason: string;
  /** How long the call lasted after its answer (ms), if the event contains it. */
  talked_ms?: number | undefined;
}

/** The state of a call. Times are ms. */
export interface CallState {
  status: CallStatus;
  provider_call_id: string | null;
  answered_by: "human" | "machine" | null;
  placedAt: number;
  connectedAt: number | null;
  /** What to do if a machine answers; null for nothing. */
  voicemail: Voicemail | null;
  message: MessageState | null;
  /** Whether the call has ended on record. It may still run at its carrier. */
  over: boolean;
}

/**
 * Returns the call after an event (the same object if nothing changes), and what to do about a reported machine. Late
 * and repeated events change nothing, and an end is never undone. Who answered may be reported after the answer, and a
 * machine even after the end, because carriers keep listening for a while. A machine is never changed back to a person,
 * because its greeting may sound like one.
 */
export function afterEvent(
  call: CallState,
  event: LineEvent,
  now: number,
): { call: CallState; step: MachineStep | null } {
  // A call that the carrier has queued is no longer queued here.
  const status = event.status === "queued" ? "initiated" : event.status;
  const advanced = !call.over && advances(call.status, status);
  const over = call.over || (advanced && isTerminal(status));
  const isNews = call.answered_by !== "machine" && (event.answered_by === "machine" || !call.over);
  const answered_by = isNews ? (event.answered_by ?? call.answered_by) : call.answered_by;
  const { placedAt, connectedAt } = call;
  const step = over ? null : stepOf(call, event);
  // The call's own event is more reliable than the answer to its originate, which may name only the request.
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

/** Returns what to do about a machine reported on a running call. */
function stepOf(call: CallState, { answered_by, machine }: LineEvent): MachineStep | null {
  const isReported = answered_by === "machine" || (call.answered_by === "machine" && machine !== undefined);
  return isReported && call.voicemail !== null ? machineStep(call.voicemail, machine, call.message) : null;
}

/**
 * Returns the call once its carrier has accepted it. If the first event arrived before the carrier's answer, its data
 * stays.
 */
export function afterPlaced(call: CallState, provider_call_id: string | null): CallState {
  const after = Object.assign({}, call);
  after.provider_call_id ??= provider_call_id;
  if (call.status === "queued") after.status = "initiated";
  return isSame(call, after) ? call : after;
}

/**
 * Checks whether the message to a machine may leave the state `from`. It is requested at most once, and only on a
 * running call. The outcome of a requested message may become known after the call has ended.
 */
export function messageMoves({ message, over }: Pick<CallState, "message" | "over">, from: "due" | "asked"): boolean {
  return message === from && (from === "asked" || !over);
}

/** Checks whether events from a carrier's webhook, signed with these credentials, are about another call. */
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
