import type { CallEvent, CallRef, Carrier, MachineMessage } from "../../carriers/carrier.ts";
import type { CallLimits, OpenCall } from "../reconciliation.ts";

/** A call with its reference at the carrier and its progress. */
export interface LiveCall extends OpenCall {
  ref: CallRef;
  /** Whether its end is recorded. It may still run at its carrier. */
  over: boolean;
  /** Whether a requested hang-up is not confirmed yet. */
  owesHangUp: boolean;
  /** Whether its conversation must learn that a machine answered before the call is hung up. */
  silencesAgent: boolean;
}

/** The result of a request to the carrier. The store writes every part of it. */
export interface Outcome {
  /** The event to record; null if there is nothing new. */
  event: CallEvent | null;
  /** When (ms) to look the call up next; null if no lookup is needed before the hang-up is retried. */
  lookAt: number | null;
  /** Whether the hang-up was accepted, or when (ms) it is retried; null if none was tried. */
  hangUp: "accepted" | { again: number } | null;
}

/** A step of the message for a machine. */
export type MessageMove =
  /** The carrier is about to be asked to speak this text. */
  | { from: "due"; to: "asked"; text: string }
  /** It couldn't be left, so the call is hung up. */
  | { from: "due" | "asked"; to: "failed" }
  | { from: "asked"; to: "left" };

/** Stores calls: a campaign's attempts, or the ledger's rows. */
export interface LineStore {
  /** Returns the current state of the call; null if it needs no more requests. */
  current(callId: string): LiveCall | null;
  /** Stores that the call must be hung up at `at`, ms, unless an outcome is written before then. */
  oweHangUp(callId: string, at: number): void | Promise<void>;
  /** Writes the outcome, unless a newer one was written in the meantime. */
  write(callId: string, outcome: Outcome): void | Promise<void>;
  /** Silences the agent of a call that a machine answered. Never throws. */
  silence(callId: string): Promise<void>;
  /** Returns the rendered message for the machine on a call. Its text is "" if there is none. */
  message(callId: string): Promise<MachineMessage>;
  /**
   * Moves the message to its next state if it is in the expected one and the call is running. Returns whether it moved.
   */
  move(callId: string, move: MessageMove): Promise<boolean>;
}

export interface Desk {
  store: LineStore;
  /** Null if it can't be reached. */
  carrier: Carrier | null;
  limits: CallLimits;
  clock: () => number;
}
