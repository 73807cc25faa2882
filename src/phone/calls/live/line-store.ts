import type { CallEvent, CallRef, Carrier, MachineMessage } from "../../carriers/carrier.ts";
import type { CallLimits, OpenCall } from "../reconciliation.ts";

/** A call as its executor sees it: where it is at its carrier, and how far it has got. */
export interface LiveCall extends OpenCall {
  ref: CallRef;
  /** It has ended on record; it may still run at its carrier. */
  over: boolean;
  /** A requested hang-up has not been confirmed. */
  owesHangUp: boolean;
  /** Its conversation must learn that a machine answered before the call is hung up. */
  silencesAgent: boolean;
}

/** What a request to the carrier has led to; the store writes all of it. */
export interface Outcome {
  /** What to record; null for nothing new. */
  event: CallEvent | null;
  /** When (ms) to look the call up next; null if that is not needed, or not before the hang-up is tried again. */
  lookAt: number | null;
  /** The hang-up was accepted, or is tried again at that time (ms); null if none was tried for itself. */
  hangUp: "accepted" | { again: number } | null;
}

/** A step of the message to a machine. */
export type MessageMove =
  /** The carrier is about to be asked to speak this text. */
  | { from: "due"; to: "asked"; text: string }
  /** It could not be left, so that the call is hung up. */
  | { from: "due" | "asked"; to: "failed" }
  | { from: "asked"; to: "left" };

/** Where calls are stored: a campaign's attempts, or the ledger's rows. */
export interface LineStore {
  /** The call as it is now; null if nothing is to be asked about it any more. */
  current(callId: string): LiveCall | null;
  /** Stores that the call is to be hung up at `at`, ms, unless an outcome is written before. */
  oweHangUp(callId: string, at: number): void | Promise<void>;
  /** Writes the outcome, unless something newer was written meanwhile. */
  write(callId: string, outcome: Outcome): void | Promise<void>;
  /** Silences the agent of a call that a machine answered; never throws. */
  silence(callId: string): Promise<void>;
  /** The message for the machine on a call, rendered; its text is "" if there is none. */
  message(callId: string): Promise<MachineMessage>;
  /** Moves the message on, if it is where the move begins and the call goes on; returns whether it moved. */
  move(callId: string, move: MessageMove): Promise<boolean>;
}

/** Where calls are stored, and the carrier that runs them. */
export interface Desk {
  store: LineStore;
  /** Null if it cannot be reached. */
  carrier: Carrier | null;
  limits: CallLimits;
  clock: () => number;
}
