import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { DialRefusal } from "../../phone/calls/dial-refusal.ts";
import type { CallLimits } from "../../phone/calls/reconciliation.ts";
import type { Spoken } from "../../phone/calls/relay-settings.ts";
import type { Carrier, MachineMessage, Recording, RecordingOrder } from "../../phone/carriers/carrier.ts";
import type { AttemptLine, AttemptRow, LeaseChanges } from "../store/attempt-row.ts";
import type { ContactRow } from "../store/contacts.ts";

/** The dependencies of dialling: everything that takes time or can fail. */
export interface DispatchDependencies {
  now(): number;
  newCallId(now: number): string;
  /** Reports changes of leases to the account's meter and requests more. */
  exchange(changes: LeaseChanges & { held: string[] | null; take: string[] }): Promise<Admission>;
  /** The line of the campaign's next calls. @throws LineUnavailable */
  line(): Promise<CallLine>;
  /** The carrier of a placed call. @throws LineUnavailable */
  carrierOf(attempt: AttemptRow): Promise<Carrier>;
  /** The carrier has a recording of the call ready. */
  recorded(attempt: AttemptRow, recording: Recording): Promise<void>;
  /** The text to speak to the machine that answered a call. */
  machineMessage(attempt: AttemptRow): Promise<MachineMessage>;
  /** Silences the agent of a call that a machine answered; never throws. */
  machineAnswered(attempt: AttemptRow): Promise<void>;
  place(line: CallLine, callId: string, contact: ContactRow): Promise<{ provider_call_id: string }>;
  /**
   * The last check before the request to the carrier: why the number must not be dialled by now, null if it may be.
   * @throws LineUnavailable if the agent may no longer call, or the number no longer places calls
   */
  lastLook(line: CallLine, number: string): Promise<DialRefusal | null>;
  /** The numbers that the account does not dial, with the reason of each. */
  refused(numbers: string[]): Promise<Map<string, DialRefusal>>;
  /** A call that was being placed has a result: another round is due. */
  changed(): void;
  /** The account's settings as of when the line was last read. */
  readonly limits: CallLimits;
}

/** What calls are placed with: number, credentials and carrier, agent, and recording. */
export interface CallLine extends AttemptLine {
  carrier: Carrier;
  /** Whether the campaign records its calls; null if the account's settings decide. */
  record: boolean | null;
  recording: RecordingOrder | null;
  speaker: Pick<Spoken, "agent" | "account_name">;
}

/** The campaign's agent, number or credentials cannot be used any more; the message becomes its status reason. */
export class LineUnavailable extends Error {}
