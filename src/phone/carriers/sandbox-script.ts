import type { CallStatus, Machine } from "../../records/ledger/call-status.ts";

/** An event of a sandbox call, `after` ms from its start. */
export interface Moment {
  after: number;
  status: CallStatus;
  answered_by: "human" | "machine" | null;
  machine?: Machine;
  reason: string;
}

export interface Script {
  timeline: Moment[];
  /** The reports and their times; reports may be missing, repeated or out of order. */
  reports: Moment[];
}

/** Whether machines are detected on a call, and whether a message is left for one. */
export interface MachineDetection {
  detects_machines: boolean;
  leaves_message: boolean;
}
/** The machine detection of an inbound call. */
export const DEFAULT_DETECTION: MachineDetection = { detects_machines: true, leaves_message: false };

/** How long a machine records if no message arrives, ms. */
const RECORDS_MS = 120_000;

/**
 * Returns the course of a call by the number's last two digits: 01 busy; 02 no answer; 03 failed after ringing; 04
 * refused at once (null); 05 a machine answers, which is reported after the answer, as by carriers that listen first
 * (if a message is to be left, it records until it has the message); 06 the final event never arrives; 07 events arrive
 * twice and out of order. With any other digits, the other side answers, talks and hangs up: after its conversation if
 * it has one, otherwise after `talk`. `ring` and `talk` are in ms.
 */
export function sandboxScript(
  toNumber: string,
  ring: number,
  talk: number,
  detection: MachineDetection,
): Script | null {
  const outcome = toNumber.slice(-2);
  const moment = (after: number, status: CallStatus, reason = ""): Moment => ({
    after,
    status,
    reason,
    answered_by:
      detection.detects_machines && (status === "in-progress" || status === "completed") && outcome !== "05"
        ? "human"
        : null,
  });
  const ringing = moment(0, "ringing");
  const unanswered = (status: CallStatus, reason: string) => {
    const timeline = [ringing, moment(ring, status, reason)];
    return { timeline, reports: timeline };
  };
  const answered = moment(ring, "in-progress");
  const hungUp = moment(ring + talk, "completed", "normal_clearing");
  const timeline = [ringing, answered, hungUp];
  switch (outcome) {
    case "01":
      return unanswered("busy", "user_busy");
    case "02":
      return unanswered("no-answer", "no_answer");
    case "03":
      return unanswered("failed", "network_error");
    case "04":
      return null;
    case "05": {
      // Without detection a machine counts as a person.
      if (!detection.detects_machines) return { timeline, reports: timeline };
      const detected = moment(ring + talk / 2, "in-progress");
      const machine: Moment = { ...detected, answered_by: "machine", machine: "recording" };
      const after = detection.leaves_message ? machine.after + RECORDS_MS : hungUp.after;
      const ended: Moment = { ...hungUp, after, answered_by: "machine" };
      return { timeline: [ringing, answered, machine, ended], reports: [ringing, answered, machine, ended] };
    }
    case "06":
      return { timeline, reports: [ringing, answered] };
    case "07": {
      const last = ring + talk;
      const late = [hungUp, hungUp, answered, answered, ringing, ringing];
      return { timeline, reports: late.map((report, i) => ({ ...report, after: last + i })) };
    }
    default:
      return { timeline, reports: timeline };
  }
}

/**
 * Returns the course of a call that lasts as long as its conversation; `length` is in ms from its start, null while it
 * runs.
 */
export function conversationScript(ring: number, length: number | null): Script {
  const moment = (after: number, status: CallStatus, reason = ""): Moment => ({
    after,
    status,
    reason,
    answered_by: status === "ringing" ? null : "human",
  });
  const timeline = [moment(0, "ringing"), moment(ring, "in-progress")];
  if (length !== null) timeline.push(moment(length, "completed", "normal_clearing"));
  return { timeline, reports: timeline };
}

/** Returns the course of a call that is ended at `length` ms from its start. */
export function endedAt({ timeline, reports }: Script, length: number): Script {
  const before = timeline.filter(({ after }) => after < length);
  const last = before.at(-1);
  const answered_by = last?.answered_by ?? null;
  const end: Moment = { after: length, status: "completed", answered_by, reason: "normal_clearing" };
  return { timeline: [...before, end], reports: [...reports.filter(({ after }) => after < length), end] };
}

/** Checks whether the number's last digits determine the call's course, so that there is no conversation. */
export function isScripted(toNumber: string): boolean {
  return /0[1-7]$/.test(toNumber);
}

export function isMachine(toNumber: string): boolean {
  return toNumber.endsWith("05");
}

/** Returns the call's state at the carrier `elapsed` ms after its start. */
export function momentAt(script: Script, elapsed: number): Moment {
  const past = script.timeline.filter(({ after }) => after <= elapsed);
  return past.at(-1) ?? { after: 0, status: "initiated", answered_by: null, reason: "" };
}
