import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { CallLimits } from "../../phone/calls/reconciliation.ts";
import type { Spoken } from "../../phone/calls/relay-settings.ts";
import type { Carrier, MachineMessage, Recording, RecordingOrder } from "../../phone/carriers/carrier.ts";
import type { AttemptLine, AttemptRow, LeaseChanges } from "../store/attempt-row.ts";
import type { ContactRow } from "../store/contacts.ts";

/** The dependencies of dialling: everything that takes time or can fail. */
export interface DispatchDependencies {
  now(): number;
  newCallId(now: number): string;
  /** Tells the account's gate what became of leases and asks it for more. */
  exchange(changes: LeaseChanges & { known: string[] | null; take: string[] }): Promise<Admission>;
  /** The line of the campaign's next calls. @throws LineUnavailable */
  line(): Promise<CallLine>;
  /** The carrier of a call that was made. @throws LineUnavailable */
  carrierOf(attempt: AttemptRow): Promise<Carrier>;
  /** The carrier has a recording of the call ready. */
  recorded(attempt: AttemptRow, recording: Recording): Promise<void>;
  /** What is said to the machine that answered a call. */
  machineMessage(attempt: AttemptRow): Promise<MachineMessage>;
  /** Silences the agent of a call that a machine answered; never throws. */
  machineAnswered(attempt: AttemptRow): Promise<void>;
  place(line: CallLine, callId: string, contact: ContactRow): Promise<{ provider_call_id: string }>;
  /**
   * The last look before the carrier is asked: whether the number is on the do-not-call list by now.
   * @throws LineUnavailable where the agent may call nobody any more, or the line's number makes no calls
   */
  lastLook(line: CallLine, number: string): Promise<boolean>;
  /** Which of the numbers are on the account's do-not-call list. */
  blocked(numbers: string[]): Promise<Set<string>>;
  /** Something came of a call that was being placed: another round is due. */
  changed(): void;
  /** As the account has set them by when the line was last read. */
  readonly limits: CallLimits;
}

/** The number, agent and credentials that calls go by, with their carrier, who talks on them and how they are recorded. */
export interface CallLine extends AttemptLine {
  carrier: Carrier;
  /** What the campaign said of recording its calls; null where it leaves it to the account. */
  record: boolean | null;
  recording: RecordingOrder | null;
  speaker: Pick<Spoken, "agent" | "account_name">;
}

/** The campaign's agent, its number or its credentials cannot be used any more; the message is the campaign's status reason. */
export class LineUnavailable extends Error {}
