import type { CallEvent } from "../carriers/carrier.ts";

/** A webhook's report of a call. */
export interface CallReport {
  callId: string;
  /** The credentials that signed it. */
  credentialsId: string | null;
  events: CallEvent[];
}
