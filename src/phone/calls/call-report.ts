import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallEvent } from "../carriers/carrier.ts";

export interface CallReport {
  callId: string;
  /** The credentials with which it was signed. */
  credentialsId: string | null;
  events: CallEvent[];
}

/** The call that a report concerns. */
export interface ReportedCall {
  agent_id: string;
  /** The version to which its agent is pinned; null if it follows the one in force. */
  pinned_version: number | null;
  disclosure: Disclosure | null;
  recorded: boolean;
  /** Whether the call is left to a machine that takes a message. */
  leaving_message: boolean;
}

/** The result of a report: `another_call` if its events belong to another call, null if there is no such call. */
export type TakenReport = ReportedCall | "another_call" | null;
