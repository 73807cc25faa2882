import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { DialRefusal } from "../../phone/calls/dial-refusal.ts";
import type { CallLimits } from "../../phone/calls/reconciliation.ts";
import type { Spoken } from "../../phone/calls/relay-settings.ts";
import type { Carrier, MachineMessage, Recording, RecordingOrder } from "../../phone/carriers/carrier.ts";
import type { AttemptLine, AttemptRow, LeaseChanges } from "../store/attempt-row.ts";
import type { ContactRow } from "../store/contacts.ts";

/** The dependencies of dialing: everything that takes time or can fail. */
export interface DispatchDependencies {
  now(): number;
  newCallId(now: number): string;
  /** Reports lease changes to the account's meter and requests new leases. */
  exchange(changes: LeaseChanges & { held: string[] | null; take: string[] }): Promise<Admission>;
  /** Returns the line for the next calls. @throws LineUnavailable */
  line(): Promise<CallLine>;
  carrierOf(attempt: AttemptRow): Promise<Carrier>;
  /** Called when the carrier has a recording of the call ready. */
  recorded(attempt: AttemptRow, recording: Recording): Promise<void>;
  machineMessage(attempt: AttemptRow): Promise<MachineMessage>;
  /** Silences the agent of a call that a machine answered. Never throws. */
  machineAnswered(attempt: AttemptRow): Promise<void>;
  place(line: CallLine, callId: string, contact: ContactRow): Promise<{ provider_call_id: string }>;
  /**
   * Checks again directly before the request to the carrier. Returns why the number must not be dialed; null if it may
   * be.
   * @throws LineUnavailable if the agent may no longer call, or the number can no longer place calls
   */
  lastLook(line: CallLine, number: string): Promise<DialRefusal | null>;
  /** Returns the numbers that the account doesn't dial, each with its reason. */
  refused(numbers: string[]): Promise<Map<string, DialRefusal>>;
  /** Called when placing a call has a result, so that another round is due. */
  changed(): void;
  /** The account's limits when the line was last read. */
  readonly limits: CallLimits;
}

/** The number, credentials, carrier, agent and recording setting with which calls are placed. */
export interface CallLine extends AttemptLine {
  carrier: Carrier;
  /** Whether the campaign records its calls; null to use the account's settings. */
  record: boolean | null;
  recording: RecordingOrder | null;
  speaker: Pick<Spoken, "agent" | "account_name">;
}

/**
 * Thrown if the campaign's agent, number or credentials can no longer be used. The message becomes the status reason.
 */
export class LineUnavailable extends Error {}
