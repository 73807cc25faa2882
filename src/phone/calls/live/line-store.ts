import type { CallEvent, CallRef } from "../../carriers/carrier.ts";
import type { OpenCall } from "../reconciliation.ts";

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

/** Where calls are stored: a campaign's attempts, or the ledger's rows. */
export interface LineStore {
  /** The call as it is now; null if nothing is to be asked about it any more. */
  current(callId: string): LiveCall | null;
  /** Writes the outcome, unless something newer was written meanwhile. */
  write(callId: string, outcome: Outcome): void | Promise<void>;
  /** Silences the agent of a call that a machine answered; never throws. */
  silence(callId: string): Promise<void>;
}
