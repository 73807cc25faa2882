import type { z } from "zod";
import type { Disclosure } from "../../kernel/db/schema/index.ts";
import type { CallStatus, Machine } from "../../records/ledger/call-status.ts";
import type { CarrierNumbers } from "./numbers/numbers.ts";

export const PROVIDERS = ["twilio", "telnyx", "signalwire", "vonage", "plivo", "sandbox"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface CallOrder {
  account: string;
  call_id: string;
  from_number: string;
  to_number: string;
  /** The address for the carrier's reports of the call. */
  webhook_url: string;
  /** Token that lets a custom runtime take over the call. For the built-in runtime it identifies the call. */
  session_token: string;
  /** The token for instructions in which the carrier speaks the greeting itself. */
  greeted_token: string;
  /** The runtime's WebSocket address; "" if none is configured. */
  runtime_url: string;
  /** Settings for exchanging text with the runtime; null if audio is streamed. */
  relay: RelaySettings | null;
  /** The language of the agent and of fixed texts (BCP 47). */
  language: string;
  /** Spoken by the carrier first, before the runtime is connected; null for none. */
  disclosure: Disclosure | null;
  /** How to record it from its answer on; null for no recording. */
  recording: RecordingOrder | null;
  /** Whether to detect machines, for which carriers charge. */
  detects_machines: boolean;
  /** Whether a message may be left for a machine. If so, the end of its greeting is reported too. */
  leaves_message: boolean;
  /** Maximum ring time and duration, s. */
  ring_timeout: number;
  max_duration: number;
}

export interface SpokenText {
  text: string;
  language: string;
}

/** The announcement of a recorded call, spoken before the runtime is connected; null for none. */
export interface RecordingOrder {
  announcement: string | null;
}

/** Settings for a carrier that converts between speech and text itself (ConversationRelay). */
export interface RelaySettings {
  /** Spoken as soon as it is connected; "" if the runtime speaks first. */
  greeting: string;
  greeting_interruptible: boolean;
  voice_provider: string;
  voice_id: string;
  /** The language to recognize and speak (BCP 47), and those to which the conversation may change. */
  language: string;
  languages: string[];
  /** Words that speech recognition should expect. */
  key_terms: string[];
  /** Whether noise around the caller is filtered out. */
  suppresses_noise: boolean;
}

/** A call at the carrier. `provider_call_id` is null if the carrier's response to `originate` never arrived. */
export interface CallRef {
  account: string;
  call_id: string;
  provider_call_id: string | null;
  from_number: string;
  to_number: string;
  /** When it was placed, ms. */
  placed_at: number;
  /** Whether it was answered, as far as known. */
  connected: boolean;
}

export interface HandoverTarget {
  to_number: string;
  /** The account's number on the call, shown as caller ID. */
  caller_id: string;
}

export interface Handover extends HandoverTarget {
  /** The address for the carrier's reports of the call. */
  webhook_url: string;
  /** Returns an address of this service that serves the instructions of `instructTransfer` for this call only. */
  instructionsUrl(): Promise<string>;
}

/** A message for a machine, and a text spoken before it with a voice of its own language; null for none. */
export interface SpokenMessage extends SpokenText {
  before?: SpokenText | null | undefined;
}

export interface MachineMessage extends SpokenMessage {
  /** Whether the carrier exchanges text with the call's runtime. */
  relay: boolean;
  /** An address of this service that serves the instructions of `instructMessage` for this call only. */
  instructions_url: string;
}

/** An event of a call, from a webhook or a lookup. */
export interface CallEvent {
  provider_call_id: string | null;
  /**
   * The ID in the response to originate, if the carrier may give the call another ID later. Null if this report doesn't
   * contain it; absent for a carrier whose calls have only one ID.
   */
  request_id?: string | null;
  status: CallStatus;
  answered_by: "human" | "machine" | null;
  /** The state of a machine's greeting, if the carrier reports it. */
  machine?: Machine | undefined;
  /** The carrier's own reason for the end; "" while it runs. */
  reason: string;
  /** How long the call lasted after its answer, ms; absent if the carrier doesn't report it. */
  talked_ms?: number | undefined;
  recording: Recording | null;
}

export interface Recording {
  id: string;
  url: string;
  duration_ms: number | null;
  content_type: string;
}

/** Why a carrier refused a call, in one vocabulary for all carriers. */
export type CarrierReason = "bad_number" | "caller_id" | "auth" | "funds" | "rate" | "outage" | "rejected";

/** Checks whether the carrier, the credentials or the caller ID caused the refusal, rather than the called number. */
export function isCarrierTrouble(reason: CarrierReason): boolean {
  return reason !== "bad_number" && reason !== "rejected";
}

/** Thrown if the carrier definitely refused, so no call was placed. */
export class CarrierRefusal extends Error {
  readonly reason: CarrierReason;
  constructor(reason: CarrierReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Thrown if the carrier may or may not have acted (timeout, broken connection). Look the call up; never retry. */
export class CarrierUncertain extends Error {}

/** Thrown for a recording that is never fetched: its address isn't the carrier's, or it is too long. */
export class RecordingRefused extends Error {}

/** Thrown for a webhook that the carrier didn't sign. */
export class ForgedWebhook extends Error {}

/** A webhook as received. The signature covers the exact URL and bytes. */
export interface Webhook {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

/** Dependencies of an adapter: the configured addresses, the network and the clock. */
export interface CarrierContext {
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
  /** Timeout of requests to the carrier, ms; the adapter's own if omitted. */
  timeout_ms?: number;
  /** Waits for a random part of this time, ms; doesn't wait if omitted. */
  pause?: (longest_ms: number) => Promise<void>;
  now: () => number;
}

export interface InboundCall {
  provider_call_id: string;
  from_number: string;
  to_number: string;
}

/** The addresses and settings for a call's media and reports. */
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
 * What happens to a call whose carrier asks for instructions: it is connected (again), is over, or is left alone,
 * because it was transferred or a machine takes a message.
 */
export type NextOfCall = MediaSession | "over" | "handed_over" | "leaving_message";

/** Returns what happens to a call next. `"unspoken"`: its carrier couldn't speak the first texts. */
export type Next = (begins?: "unspoken") => Promise<NextOfCall>;

/** The call and the called number in an unverified webhook. */
export interface Claims {
  provider_call_id: string | null;
  to_number: string | null;
}

/** A response in a carrier's own format. */
export interface CarrierDocument {
  content_type: string;
  body: string;
}

export interface Inbound {
  /**
   * Verifies the signature and returns the call; null if the webhook contains events of a call announced earlier, which
   * `parseWebhook` reads.
   * @throws ForgedWebhook
   */
  parse(webhook: Webhook): Promise<InboundCall | null>;
  /**
   * Tells the carrier to pick up and connect the call to the media runtime, by a command or by the response itself.
   * @throws CarrierRefusal, CarrierUncertain
   */
  connect(call: InboundCall, session: MediaSession): Promise<CarrierDocument>;
  reject(call: InboundCall, sentence: SpokenText): Promise<CarrierDocument>;
}

/** Whether a carrier accepts the credentials, and whether it answered at all. */
export interface CredentialsVerdict {
  ok: boolean;
  answered: boolean;
  detail: string;
}

/** A carrier with one set of credentials. */
export interface Carrier {
  /** Places the call and returns the carrier's ID for it. @throws CarrierRefusal, CarrierUncertain */
  originate(order: CallOrder): Promise<{ provider_call_id: string; status: CallStatus }>;
  /** Returns the call's state at the carrier; null if unknown (an empty list of calls means unknown). */
  lookup(ref: CallRef): Promise<CallEvent | null>;
  /**
   * Returns the states of those calls that the carrier's list contains, by the service's own IDs; absent if it has no
   * list.
   */
  list?(refs: CallRef[]): Promise<Map<string, CallEvent>>;
  /** Ends the call. It isn't an error if it is already over. */
  hangup(ref: CallRef): Promise<void>;
  /**
   * Transfers the caller to a number. The call continues; it ends when the person who answers hangs up, or at once if
   * the transfer isn't answered. @throws CarrierRefusal, CarrierUncertain
   */
  transfer(ref: CallRef, handover: Handover): Promise<void>;
  /** Returns the instructions for a transfer, for a carrier that fetches them from an address. */
  instructTransfer?(target: HandoverTarget): CarrierDocument;
  /**
   * Speaks to the machine that answered the call in place of the runtime, then ends the call; absent if the carrier
   * can't. @throws CarrierRefusal, CarrierUncertain
   */
  leaveMessage?(ref: CallRef, message: MachineMessage): Promise<void>;
  /** Returns the instructions for a message, for a carrier that fetches them from an address. */
  instructMessage?(message: SpokenMessage): CarrierDocument;
  /** Verifies the signature and returns the events, none if they are irrelevant. @throws ForgedWebhook */
  parseWebhook(webhook: Webhook): Promise<CallEvent[]>;
  /**
   * Returns the audio as a stream from the carrier. @throws RecordingRefused; any other error if the carrier doesn't
   * answer
   */
  fetchRecording(recording: Recording): Promise<Response>;
  /**
   * Deletes a recording by the carrier's ID. It isn't an error if it is already deleted or was never stored.
   * @throws CarrierRefusal, CarrierUncertain
   */
  deleteRecording(id: string): Promise<void>;
  /**
   * Returns the response to a webhook that `parseWebhook` accepted; null if only a status is expected. Absent for a
   * carrier that received all instructions at originate. `next` returns what happens to the call (pass `"unspoken"` if
   * the carrier hasn't spoken the first texts). `message` returns the message for the machine that answered; null for
   * none.
   */
  answer?(webhook: Webhook, next: Next, message?: () => Promise<SpokenMessage | null>): Promise<CarrierDocument | null>;
  /** Verifies the signature of a WebSocket's handshake; absent if the carrier doesn't sign it. @throws ForgedWebhook */
  verifyHandshake?(handshake: Webhook): Promise<void>;
  /** Inbound calls; absent if the adapter supports none. */
  inbound?: Inbound;
  /** The numbers of the carrier's account; absent for a carrier without numbers. */
  numbers?: CarrierNumbers;
  /** Checks whether the credentials work, with an explanation. */
  verifyCredentials(): Promise<CredentialsVerdict>;
}

/** A kind of carrier: the credentials it needs, and how to connect to it. */
export interface CarrierKind<C = unknown> {
  credentials: z.ZodType<C>;
  /**
   * Whether it can exchange text with a runtime (ConversationRelay), and whether it signs the WebSocket's handshake.
   */
  relay?: { signed: boolean };
  connect(credentials: C, context: CarrierContext): Carrier;
  /**
   * Returns the claims of an inbound webhook before its signature is verified. Use them only to find the credentials
   * for verifying it. Absent for a carrier without credentials.
   */
  claims?(webhook: Webhook): Claims;
}
