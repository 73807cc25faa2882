import type { z } from "zod";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallStatus, Machine } from "../../records/ledger/call-status.ts";
import type { CarrierNumbers } from "./numbers/numbers.ts";

export const PROVIDERS = ["twilio", "telnyx", "signalwire", "vonage", "plivo", "sandbox"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A call to place. */
export interface CallOrder {
  account: string;
  call_id: string;
  from_number: string;
  to_number: string;
  /** The address for the carrier's reports of the call. */
  webhook_url: string;
  /** Makes a runtime of one's own the call's; to ours it shows which call the carrier is on. */
  session_token: string;
  /** The same for instructions by which the carrier speaks the greeting itself. */
  greeted_token: string;
  /** The runtime's WebSocket address; "" if none is configured. */
  runtime_url: string;
  /** Settings for speaking with the runtime in text; null if audio is streamed. */
  relay: RelaySettings | null;
  /** The language of the agent and of fixed texts (BCP 47). */
  language: string;
  /** What the carrier speaks before anything else, before the runtime is connected; null for nothing. */
  disclosure: Disclosure | null;
  /** How to record it from its answer on; null for no recording. */
  recording: RecordingOrder | null;
  /** Whether to detect machines, which carriers charge for. */
  detects_machines: boolean;
  /** Whether a message may be left, so that the end of a machine's greeting is reported too. */
  leaves_message: boolean;
  /** Longest ringing and longest duration, s. */
  ring_timeout: number;
  max_duration: number;
}

/** A text that a carrier speaks by itself. */
export interface SpokenText {
  text: string;
  /** BCP 47 */
  language: string;
}

/** The announcement of a recorded call, spoken before the runtime is connected; null for none. */
export interface RecordingOrder {
  announcement: string | null;
}

/** Settings for a carrier that converts speech and text itself (ConversationRelay). */
export interface RelaySettings {
  /** Spoken as soon as it is connected; "" if the runtime speaks first. */
  greeting: string;
  /** Whether the caller can interrupt the greeting. */
  greeting_interruptible: boolean;
  /** The agent's voice. */
  voice_provider: string;
  voice_id: string;
  /** The language to recognize and speak (BCP 47), and those that the conversation may change to. */
  language: string;
  languages: string[];
  /** Words that speech recognition should expect. */
  key_terms: string[];
  /** Whether noise around the caller is to be filtered out. */
  suppresses_noise: boolean;
}

/** A call at the carrier; `provider_call_id` is null if the carrier's answer to `originate` never arrived. */
export interface CallRef {
  account: string;
  call_id: string;
  provider_call_id: string | null;
  from_number: string;
  to_number: string;
  /** When it was placed, ms. */
  placed_at: number;
  /** Whether it was answered, as far as we know. */
  connected: boolean;
}

/** The target of a transfer. */
export interface HandoverTarget {
  to_number: string;
  /** The account's number on the call, shown as caller ID. */
  caller_id: string;
}

/** A call to transfer. */
export interface Handover extends HandoverTarget {
  /** The address for the carrier's reports of the call. */
  webhook_url: string;
  /** Returns an address of ours that serves the instructions of `instructTransfer` for this call only. */
  instructionsUrl(): Promise<string>;
}

/** A message for a machine, and what is spoken before it by a voice of its own language; null for nothing. */
export interface SpokenMessage extends SpokenText {
  before?: SpokenText | null | undefined;
}

/** The message for a machine that answered a call. */
export interface MachineMessage extends SpokenMessage {
  /** Whether the carrier exchanges text with the call's runtime. */
  relay: boolean;
  /** An address of ours that serves the instructions of `instructMessage` for this call only. */
  instructions_url: string;
}

/** An event of a call, from a webhook or a look-up. */
export interface CallEvent {
  provider_call_id: string | null;
  /**
   * The id its originate was answered with, where the carrier may give the call another one later; null if this
   * report does not say it, absent for a carrier whose calls have one id.
   */
  request_id?: string | null;
  status: CallStatus;
  /** Who answered, if the carrier reports it. */
  answered_by: "human" | "machine" | null;
  /** The state of a machine's greeting, if the carrier reports it. */
  machine?: Machine | undefined;
  /** The carrier's own reason for the end; "" while it runs. */
  reason: string;
  /** How long the call went on after its answer, ms; absent if the carrier does not say. */
  talked_ms?: number | undefined;
  /** A recording that is ready at the carrier. */
  recording: Recording | null;
}

/** A recording at the carrier. */
export interface Recording {
  id: string;
  url: string;
  duration_ms: number | null;
  content_type: string;
}

/** Why a carrier refused a call, in one vocabulary for all carriers. */
export type CarrierReason = "bad_number" | "caller_id" | "auth" | "funds" | "rate" | "outage" | "rejected";

/** Whether the carrier, the credentials or the caller ID caused the refusal, rather than the number called. */
export function isCarrierTrouble(reason: CarrierReason): boolean {
  return reason !== "bad_number" && reason !== "rejected";
}

/** The carrier certainly refused: no call was placed. */
export class CarrierRefusal extends Error {
  readonly reason: CarrierReason;
  constructor(reason: CarrierReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The carrier may or may not have acted (timeout, broken connection): look it up, never retry. */
export class CarrierUncertain extends Error {}

/** A recording that is never fetched: its address is not the carrier's, or it is too long. */
export class RecordingRefused extends Error {}

/** A webhook that the carrier did not sign. */
export class ForgedWebhook extends Error {}

/** A webhook as received: the signature covers the exact URL and bytes. */
export interface Webhook {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

/** Dependencies of an adapter: the configured addresses, the network, the clock. */
export interface CarrierContext {
  /** The account of the calls. */
  account: string;
  env: Pick<
    Env,
    | "SANDBOX_CARRIER"
    | "SIGNING_KEYS"
    | "TWILIO_API_URL"
    | "TELNYX_API_URL"
    | "SIGNALWIRE_API_URL"
    | "VONAGE_API_URL"
    | "PLIVO_API_URL"
  >;
  fetch: typeof fetch;
  /** Timeout of requests to the carrier, ms; the adapters' own if omitted. */
  timeout_ms?: number;
  /** Waits for a random part of this time, ms; does not wait if omitted. */
  pause?: (longest_ms: number) => Promise<void>;
  now: () => number;
}

/** An inbound call at a carrier. */
export interface InboundCall {
  provider_call_id: string;
  from_number: string;
  to_number: string;
}

/** The addresses for a call's media and reports. */
export type MediaSession = Pick<
  CallOrder,
  | "call_id"
  | "webhook_url"
  | "session_token"
  | "greeted_token"
  | "runtime_url"
  | "relay"
  | "language"
  | "disclosure"
  | "recording"
  | "max_duration"
>;

/**
 * What happens to a call whose carrier asks for instructions: it is connected (again), is over, or is left alone, with
 * the number it was transferred to or the machine that takes a message.
 */
export type NextOfCall = MediaSession | "over" | "handed_over" | "leaving_message";

/** Returns what happens to a call next; `"unspoken"` if its carrier could not speak what comes before the runtime. */
export type Next = (begins?: "unspoken") => Promise<NextOfCall>;

/** The call and the dialled number that an unverified webhook names. */
export interface Claims {
  provider_call_id: string | null;
  to_number: string | null;
}

/** An answer in a carrier's own format. */
export interface CarrierDocument {
  content_type: string;
  body: string;
}

/** Inbound calls of a carrier. */
export interface Inbound {
  /**
   * Checks the signature and gives the call; null for events of one announced before, which `parseWebhook` reads.
   * @throws ForgedWebhook
   */
  parse(webhook: Webhook): Promise<InboundCall | null>;
  /**
   * Has the carrier pick up and connect the call to the media runtime, by command or by the answer alone. @throws
   * CarrierRefusal, CarrierUncertain
   */
  connect(call: InboundCall, session: MediaSession): Promise<CarrierDocument>;
  /** Rejects the caller with a sentence. */
  reject(call: InboundCall, sentence: SpokenText): Promise<CarrierDocument>;
}

/** Whether a carrier accepts the credentials, and whether it answered at all. */
export interface CredentialsVerdict {
  ok: boolean;
  answered: boolean;
  detail: string;
}

/** One carrier, for one set of credentials. */
export interface Carrier {
  /** Places the call and returns the carrier's id for it. @throws CarrierRefusal, CarrierUncertain */
  originate(order: CallOrder): Promise<{ provider_call_id: string; status: CallStatus }>;
  /** The call's state at the carrier; null if unknown (an empty list of calls means unknown). */
  lookup(ref: CallRef): Promise<CallEvent | null>;
  /** The states of those calls that the carrier's list contains, by our ids; absent if it has no list. */
  list?(refs: CallRef[]): Promise<Map<string, CallEvent>>;
  /** Ends the call; that it is already over is not an error. */
  hangup(ref: CallRef): Promise<void>;
  /**
   * Transfers the caller to a number. The call goes on; it ends when whoever answers hangs up, or at once if nobody
   * answers. @throws CarrierRefusal, CarrierUncertain
   */
  transfer(ref: CallRef, handover: Handover): Promise<void>;
  /** The instructions for a transfer, for a carrier that fetches them from an address. */
  instructTransfer?(target: HandoverTarget): CarrierDocument;
  /**
   * Speaks to the machine that answered the call, in place of the runtime, and ends the call then; absent where the
   * carrier cannot. @throws CarrierRefusal, CarrierUncertain
   */
  leaveMessage?(ref: CallRef, message: MachineMessage): Promise<void>;
  /** The instructions for a message, for a carrier that fetches them from an address. */
  instructMessage?(message: SpokenMessage): CarrierDocument;
  /** Verifies the signature and returns the events, none if they are irrelevant. @throws ForgedWebhook */
  parseWebhook(webhook: Webhook): Promise<CallEvent[]>;
  /**
   * The audio as a stream from the carrier. @throws RecordingRefused; any other error if the carrier does not answer
   */
  fetchRecording(recording: Recording): Promise<Response>;
  /**
   * Deletes a recording by the carrier's id; that it is gone already, or was never kept, is not an error.
   * @throws CarrierRefusal, CarrierUncertain
   */
  deleteRecording(id: string): Promise<void>;
  /**
   * The answer to a webhook that `parseWebhook` accepted; null if only a status is expected, absent for a carrier that
   * got all instructions at originate. `next` says what happens to the call (`"unspoken"` if the carrier has not spoken
   * what comes first), `message` what is being said to the machine that answered it, null if nothing is.
   */
  answer?(webhook: Webhook, next: Next, message?: () => Promise<SpokenMessage | null>): Promise<CarrierDocument | null>;
  /**
   * Verifies the signature of a WebSocket's handshake; absent if the carrier does not sign it. @throws ForgedWebhook
   */
  verifyHandshake?(handshake: Webhook): Promise<void>;
  /** Inbound calls; absent if the adapter takes none. */
  inbound?: Inbound;
  /** The numbers of the carrier's account; absent for a carrier without numbers of its own. */
  numbers?: CarrierNumbers;
  /** Whether the credentials work, with an explanation. */
  verifyCredentials(): Promise<CredentialsVerdict>;
}

/** A kind of carrier: the credentials it needs, and how to connect to it with them. */
export interface CarrierKind<C = unknown> {
  credentials: z.ZodType<C>;
  /**
   * Whether it can exchange text with a runtime (ConversationRelay), and whether it signs the WebSocket's handshake.
   */
  relay?: { signed: boolean };
  connect(credentials: C, context: CarrierContext): Carrier;
  /**
   * What an inbound webhook says before its signature is checked: good for finding the credentials to check it by, and
   * for nothing else. Absent for a carrier without credentials.
   */
  claims?(webhook: Webhook): Claims;
}
