import { SECOND_MS } from "../../kernel/time.ts";
import { advances, type CallStatus, isTerminal, type Machine } from "./call-status.ts";
import { type MachineStep, type MessageState, machineStep, type Voicemail } from "./machine-message.ts";

/* Determines how events change a call. The rules are the same for campaigns' and other calls. Pure functions. */

/** Carriers count whole seconds and report late, so a difference below this (ms) causes no correction. */
const TOLERANCE_MS = 3 * SECOND_MS;

/** A carrier's report of a call. */
export interface LineEvent {
  status: CallStatus;
  /** The call's id at the carrier, if the event contains it. */
  provider_call_id: string | null;
  /**
   * The id in the response to the originate request, if it can differ from the call's id; null if the event does not
   * contain it.
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
  /** Whether the call is recorded as ended. It may still run at its carrier. */
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
  // The carrier's "queued" means that it has the call, so the call is no longer queued in this service.
  const status = event.status === "queued" ? "initiated" : event.status;
  const advanced = !call.over && advances(call.status, status);
  const over = call.over || (advanced && isTerminal(status));
  const isNews = call.answered_by !== "machine" && (event.answered_by === "machine" || !call.over);
  const answered_by = isNews ? (event.answered_by ?? call.answered_by) : call.answered_by;
  const { placedAt, connectedAt } = call;
  const step = over ? null : stepOf(call, event);
  // The id in the call's own event is more reliable than the response to its originate request, which may contain only
  // the request's id.
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

/** When a call was placed and answered, ms; null if no answer was reported. */
interface Answering {
  placedAt: number;
  connectedAt: number | null;
}

/** The fields of a carrier's report from which the answer time follows. */
export interface AnswerReport {
  status: CallStatus;
  /** How long the call lasted after its answer (ms), if the report of its end contains it. */
  talked_ms?: number | undefined;
}

/**
 * Returns when (ms) a call was answered, after a report that arrives at `now`; null if it was not answered. Campaigns'
 * calls and single calls both use it. The report of an answer may be lost or late if the service or the network is
 * down. The answer time then follows from the call's length in the report of its end; without a length, the time of the
 * end is used. Every call that counts as answered therefore has an answer time.
 */
export function answeredAt(
  { placedAt, connectedAt }: Answering,
  { status, talked_ms }: AnswerReport,
  now: number,
): number | null {
  if (status === "in-progress") return connectedAt ?? now;
  if (status !== "completed") return connectedAt;
  const byCarrier = Math.max(placedAt, now - (talked_ms ?? 0));
  return connectedAt !== null && byCarrier > connectedAt - TOLERANCE_MS ? connectedAt : byCarrier;
}

/** Returns what to do about a machine reported on a running call. */
function stepOf(call: CallState, { answered_by, machine }: LineEvent): MachineStep | null {
  const isReported = answered_by === "machine" || (call.answered_by === "machine" && machine !== undefined);
  return isReported && call.voicemail !== null ? machineStep(call.voicemail, machine, call.message) : null;
}

/**
 * Returns the call after its carrier has accepted it. If the first event arrived before the carrier's response, the
 * event's data is kept.
 */
export function afterPlaced(call: CallState, provider_call_id: string | null): CallState {
  const after = Object.assign({}, call);
  after.provider_call_id ??= provider_call_id;
  if (call.status === "queued") after.status = "initiated";
  return isSame(call, after) ? call : after;
}

/**
 * Checks whether the message to a machine may leave the state `from`. The message is requested at most once, and only
 * on a running call. The outcome of a requested message may become known after the call has ended.
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

/** The ids by which a carrier's event names its call. */
interface CallReference {
  provider_call_id: string | null;
  request_id?: string | null;
}

/**
 * Checks whether a carrier's event belongs to the call with this id at the carrier; null if the id is not known yet. A
 * report that is correctly signed for one call may contain the id of another. If a call's id can differ from the id in
 * the response to its originate request, a report without the request's id cannot be assigned by ids.
 */
export function speaksOf(providerCallId: string | null, { provider_call_id, request_id }: CallReference): boolean {
  if (providerCallId === null || provider_call_id === null || request_id === null) return true;
  return provider_call_id === providerCallId || request_id === providerCallId;
}

function isSame(before: CallState, after: CallState): boolean {
  return (Object.keys(after) as (keyof CallState)[]).every((field) => before[field] === after[field]);
}
