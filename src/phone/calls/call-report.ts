import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallEvent } from "../carriers/carrier.ts";

/** A webhook's report of a call. */
export interface CallReport {
  callId: string;
  /** The credentials that signed it. */
  credentialsId: string | null;
  events: CallEvent[];
}

/** The call that a report was about. */
export interface ReportedCall {
  agent_id: string;
  /** The version that its agent is pinned to; null if it follows the one in force. */
  pinned_version: number | null;
  /** What is said on it before the first word; null for nothing. */
  disclosure: Disclosure | null;
  /** Whether it was set to be recorded. */
  recorded: boolean;
  /** Whether it is left to the machine that takes a message. */
  leaving_message: boolean;
}

/** The result of a report: `another_call` if the events belong to another call, null if there is no such call. */
export type TakenReport = ReportedCall | "another_call" | null;
