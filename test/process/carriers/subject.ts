import type { CallEvent, CarrierKind, CarrierReason, Provider, Webhook } from "../../../src/phone/carriers/carrier.ts";
import type { ReceivedRequest, Reply } from "./stand-in.ts";

export const NOW = Date.parse("2026-11-21T09:30:00.000Z");
/** Clock offsets of Telnyx reports, s, and whether they are accepted. */
export const TELNYX_CLOCK: [offsetS: number, accepted: boolean][] = [
  [0, true],
  [-300, true],
  [300, true],
  [-301, false],
  [301, false],
  [86_400, false],
];
export const CALL = "019a0000-0000-7000-8000-000000000001";
/** The number to which a call is transferred. */
export const TARGET = "+12025550177";
/** The address of the instructions for the carrier. */
export const INSTRUCTIONS_URL = `https://switchboard.example/api/telephony/webhooks/x/acme/${CALL}?campaign=c1&transfer=eyJ.t-t_t.s`;
export const order = {
  account: "acme",
  call_id: CALL,
  from_number: "+12025550100",
  to_number: "+12025550199",
  webhook_url: `https://switchboard.example/api/telephony/webhooks/x/acme/${CALL}?campaign=c1`,
  session_token: "eyJ.a-b_c.d",
  greeted_token: "eyJ.a-b_c.g",
  runtime_url: "wss://media.example/ws?a=1&b=2",
  relay: null,
  language: "en-US",
  disclosure: null,
  recording: { announcement: null },
  detects_machines: true,
  leaves_message: false,
  ring_timeout: 300,
  max_duration: 7200,
};
/** The message for a machine, and its address for the carrier. */
export const MESSAGE = 'Hello "Ada" & Łukasz, this is <Acme>.';
export const MESSAGE_URL = `${order.webhook_url}&message=1`;
/** Normalizes the prolog, layout and escaping of a document, in which builders differ. */
export const plain = (document: string) =>
  document
    .replace(/^<\?xml[^>]*\?>/, "")
    .replace(/>\s+</g, "><")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&")
    .trim();
export type Payload = Record<string, unknown>;

/** A carrier with everything that the conformance suite needs to test it. */
export interface Subject {
  name: Provider;
  kind: CarrierKind<never>;
  credentials: Record<string, string>;
  variable: string;
  /** Checks the authorization of the service's requests. */
  authorization: (header: string) => void;
  /** Creates a signed webhook as the carrier sends it. */
  webhook(payload: Payload | string, options?: { url?: string; now?: number }): Webhook;
  originate: { path: string; body: (request: ReceivedRequest) => void; reply: Reply; id: string };
  refusals: [what: string, status: number, body: object, reason: CarrierReason][];
  events: [what: string, payload: Payload, event: Partial<CallEvent> | null][];
  /** The carrier's answers about a call by its id. */
  lookups: [what: string, replies: (request: ReceivedRequest) => Reply, status: string | null][];
  /** A list of calls that contains the call placed at NOW, and the same list without it. */
  search: { found: (request: ReceivedRequest) => Reply; id: string; none: (request: ReceivedRequest) => Reply };
  hangup: { expects: [method: string, path: string][]; reply: (request: ReceivedRequest) => Reply; over: Reply };
  /** The transfer of a running call to TARGET. */
  transfer: {
    expects: [method: string, path: string];
    body: (request: ReceivedRequest) => void;
    reply: Reply;
    over: Reply;
    /** The response of INSTRUCTIONS_URL as the carrier's own library writes it; null if it is not fetched. */
    instructions: string | null;
  };
  /** How MESSAGE is left with a machine. */
  message: {
    /** Checks the option that makes the carrier report the end of a machine's greeting. */
    ordered: (request: ReceivedRequest) => void;
    /** The requests in order. The last one leaves the message. */
    expects: [method: string, path: string][];
    body: (requests: ReceivedRequest[]) => void;
    reply: Reply;
    over: Reply;
    /** The response of MESSAGE_URL as the carrier's own library writes it; null if it is not fetched. */
    instructions: string | null;
    /** Maximum length of a text. */
    most: number;
  };
  recording: { payload: Payload; path: string; authorized: boolean; id: string; duration_ms: number };
  verify: { path: string; body: object };
  inbound: {
    payload: Payload;
    id: string;
    report: Payload;
    connected: (text: string) => void;
    rejected: (text: string) => void;
  };
}
