import type { z } from "zod";
import type { CallStatus, Machine } from "./call-status.ts";
import type { CarrierNumbers } from "./numbers/numbers.ts";

export const PROVIDERS = ["twilio", "telnyx", "signalwire", "vonage", "plivo", "sandbox"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A call to place. */
export interface CallOrder {
  account: string;
  call_id: string;
  from_number: string;
  to_number: string;
  /** Where the carrier reports what the call does. */
  webhook_url: string;
  /** Signed; lets the media runtime fetch the agent and nothing else. */
  session_token: string;
  /** The runtime's WebSocket address, "" when none is configured. */
  runtime_url: string;
  /** How it is to speak with the runtime in text; null where it streams audio. */
  relay: RelaySettings | null;
  /** How it is to be recorded from its answer on; null where it is not. */
  recording: RecordingOrder | null;
  /** Whether it listens for machines, which carriers charge for. */
  detects_machines: boolean;
  /** A message is to be left with a machine: one is told of when its greeting is over too. */
  leaves_message: boolean;
  /** Seconds to let it ring, and to let it last. */
  ring_timeout: number;
  max_duration: number;
}

/** What a carrier that records a call says before anything else is said; null for nothing. */
export interface RecordingOrder {
  announcement: string | null;
}

/** What a carrier needs to know that turns speech into text and back itself (ConversationRelay). */
export interface RelaySettings {
  /** What it says as soon as it is connected, "" where the runtime says the first words. */
  greeting: string;
  /** Whether the other side can cut the greeting off. */
  greeting_interruptible: boolean;
  /** Whose voice, as agents name it. */
  voice_provider: string;
  voice_id: string;
}

/** Which call at the carrier; `provider_call_id` is null when the carrier's answer to `originate` never arrived. */
export interface CallRef {
  account: string;
  call_id: string;
  provider_call_id: string | null;
  from_number: string;
  to_number: string;
  /** When it was placed, ms. */
  placed_at: number;
  /** Whether somebody has picked up, as far as we know. */
  connected: boolean;
}

/** Where a call is handed over to. */
export interface HandoverTarget {
  to_number: string;
  /** The account's own number on the call, which whoever picks up is shown. */
  caller_id: string;
}

/** What a carrier is told of a call that is to be handed over. */
export interface Handover extends HandoverTarget {
  /** Where the carrier reports what the call does. */
  webhook_url: string;
  /** Gives an address of ours that answers the carrier with the instructions of `instructTransfer`, for this call alone. */
  instructionsUrl(): Promise<string>;
}

/** What is said to a machine that answered a call. */
export interface MachineMessage {
  text: string;
  /** Whether the carrier speaks with the call's runtime in text. */
  relay: boolean;
  /** An address of ours that answers the carrier with `instructMessage`, for this call alone. */
  instructions_url: string;
}

/** An event of a call, by a webhook or a look-up. */
export interface CallEvent {
  provider_call_id: string | null;
  /**
   * The id its originate was answered with, where the carrier may give the call another one later; null where this
   * report does not say it, absent for a carrier whose calls have one id.
   */
  request_id?: string | null;
  status: CallStatus;
  /** Who picked up, where the carrier can tell. */
  answered_by: "human" | "machine" | null;
  /** Of a machine, where the carrier can tell. */
  machine?: Machine | undefined;
  /** The carrier's own word for the end, "" while it runs. */
  reason: string;
  /** A recording the carrier has ready. */
  recording: Recording | null;
}

/** A recording at the carrier. */
export interface Recording {
  id: string;
  url: string;
  duration_ms: number | null;
  content_type: string;
}

/** Why a carrier did not take a call: one small set for all of them. */
export type CarrierReason = "bad_number" | "caller_id" | "auth" | "funds" | "rate" | "outage" | "rejected";

/** Whether a refusal says nothing about the number called: the carrier, the credentials or the caller ID are the trouble. */
export function isCarrierTrouble(reason: CarrierReason): boolean {
  return reason !== "bad_number" && reason !== "rejected";
}

/** The carrier refused, for certain: no call was placed. */
export class CarrierRefusal extends Error {
  readonly reason: CarrierReason;
  constructor(reason: CarrierReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** No telling whether the carrier acted (time-out, broken connection): look it up, never retry. */
export class CarrierUncertain extends Error {}

/** A recording that is not fetched, now or later: it is said to be where its carrier keeps none, or is too long. */
export class RecordingRefused extends Error {}

/** A webhook that is not from the carrier. */
export class ForgedWebhook extends Error {}

/** A webhook as it arrived: the signature covers the exact URL and bytes. */
export interface Webhook {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

/** What an adapter may reach: the configured addresses, the network, the clock. */
export interface CarrierContext {
  /** Whose calls these are. */
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
  /** How long the carrier has to answer, ms; the adapters' own time-out where it is not given. */
  timeout_ms?: number;
  now: () => number;
}

/** A call that comes in at a carrier. */
export interface InboundCall {
  provider_call_id: string;
  from_number: string;
  to_number: string;
}

/** Where the media of a call goes, and who reports what. */
export type MediaSession = Pick<
  CallOrder,
  "call_id" | "webhook_url" | "session_token" | "runtime_url" | "relay" | "recording" | "max_duration"
>;

/**
 * What becomes of a call whose carrier asks: it is connected (anew), is over, or is left alone: with whom it was handed
 * over to, or with the machine that takes a message.
 */
export type NextOfCall = MediaSession | "over" | "handed_over" | "leaving_message";

/** Which call an unchecked webhook says it is of, and which number it says was dialled. */
export interface Claims {
  provider_call_id: string | null;
  to_number: string | null;
}

/** An answer in a carrier's own words. */
export interface CarrierDocument {
  content_type: string;
  body: string;
}

/** How a carrier hands over calls that come in. */
export interface Inbound {
  /** Checks the signature and gives the call; null for events of one announced before, which `parseWebhook` reads. @throws ForgedWebhook */
  parse(webhook: Webhook): Promise<InboundCall | null>;
  /** Has the carrier pick up and connect the call to the media runtime, by command or by the answer alone. @throws CarrierRefusal, CarrierUncertain */
  connect(call: InboundCall, session: MediaSession): Promise<CarrierDocument>;
  /** Turns the caller away with a sentence. */
  reject(call: InboundCall, sentence: string): Promise<CarrierDocument>;
}

/** Whether a carrier accepts credentials, and whether it answered at all. */
export interface CredentialsVerdict {
  ok: boolean;
  answered: boolean;
  detail: string;
}

/** One carrier, for one set of credentials. */
export interface Carrier {
  /** Places the call; gives the carrier's id for it. @throws CarrierRefusal, CarrierUncertain */
  originate(order: CallOrder): Promise<{ provider_call_id: string; status: CallStatus }>;
  /** What the carrier says of the call; null when it cannot tell (an empty list of calls is "cannot tell"). */
  lookup(ref: CallRef): Promise<CallEvent | null>;
  /** What the carrier says of those of the calls that one list of its names, by our ids; absent where it lists none. */
  list?(refs: CallRef[]): Promise<Map<string, CallEvent>>;
  /** Ends the call; a call already over is no error. */
  hangup(ref: CallRef): Promise<void>;
  /**
   * Hands the caller over to a number. The call goes on, and ends with whoever picks up, or at once where nobody does.
   * @throws CarrierRefusal, CarrierUncertain
   */
  transfer(ref: CallRef, handover: Handover): Promise<void>;
  /** The instructions that lead a call there, for a carrier that fetches them from an address. */
  instructTransfer?(target: HandoverTarget): CarrierDocument;
  /**
   * Speaks to the machine that answered the call, in place of the runtime, and ends the call then; absent where the
   * carrier cannot. @throws CarrierRefusal, CarrierUncertain
   */
  leaveMessage?(ref: CallRef, message: MachineMessage): Promise<void>;
  /** The instructions that do so, for a carrier that fetches them from an address. */
  instructMessage?(text: string): CarrierDocument;
  /** Checks the signature and gives the events in it, none for a webhook that is of no interest. @throws ForgedWebhook */
  parseWebhook(webhook: Webhook): Promise<CallEvent[]>;
  /** The audio as the carrier sends it, to be streamed on. @throws RecordingRefused; else where the carrier does not answer */
  fetchRecording(recording: Recording): Promise<Response>;
  /**
   * What a webhook that `parseWebhook` took is answered with; null where nothing but a status is expected, absent for
   * a carrier that was told all at originate. `next` tells what becomes of the call, `message` what is being said to the
   * machine that answered it, null where nothing is.
   */
  answer?(
    webhook: Webhook,
    next: () => Promise<NextOfCall>,
    message?: () => Promise<string | null>,
  ): Promise<CarrierDocument | null>;
  /** Checks that a WebSocket's handshake is the carrier's; absent where it signs none. @throws ForgedWebhook */
  verifyHandshake?(handshake: Webhook): Promise<void>;
  /** Calls that come in; absent where the adapter takes none. */
  inbound?: Inbound;
  /** The numbers of the carrier's account; absent for one that has none of its own. */
  numbers?: CarrierNumbers;
  /** Whether the credentials work, with a word about it. */
  verifyCredentials(): Promise<CredentialsVerdict>;
}

/** What there is to know of a carrier before a call: the credentials it needs, and how to get it going with them. */
export interface CarrierKind<C = unknown> {
  credentials: z.ZodType<C>;
  /** Whether it can speak with a runtime in text (ConversationRelay), and signs the handshake of its WebSocket. */
  relay?: { signed: boolean };
  connect(credentials: C, context: CarrierContext): Carrier;
  /**
   * What an inbound webhook says before its signature is checked: good for finding the credentials to check it by, and
   * for nothing else. Absent for a carrier without credentials.
   */
  claims?(webhook: Webhook): Claims;
}
