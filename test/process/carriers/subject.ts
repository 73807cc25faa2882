import type { CallEvent, CarrierKind, CarrierReason, Webhook } from "../../../src/carriers/carrier.ts";
import type { Asked, Reply } from "./stand-in.ts";

export const NOW = Date.parse("2026-11-21T09:30:00.000Z");
export const CALL = "019a0000-0000-7000-8000-000000000001";
/** The number that a call is handed over to. */
export const TARGET = "+12025550177";
/** Where a carrier fetches the way to it. */
export const INSTRUCTIONS_URL = `https://switchboard.example/api/telephony/webhooks/x/acme/${CALL}?campaign=c1&transfer=eyJ.t-t_t.s`;
export const order = {
  account: "acme",
  call_id: CALL,
  from_number: "+12025550100",
  to_number: "+12025550199",
  webhook_url: `https://switchboard.example/api/telephony/webhooks/x/acme/${CALL}?campaign=c1`,
  session_token: "eyJ.a-b_c.d",
  runtime_url: "wss://media.example/ws?a=1&b=2",
  relay: null,
  recording: { announcement: null },
  ring_timeout: 300,
  max_duration: 7200,
};
export type Payload = Record<string, unknown>;

/** One carrier as the conformance suite tries it. */
export interface Subject {
  name: string;
  kind: CarrierKind<never>;
  credentials: Record<string, string>;
  variable: string;
  /** What our requests must bring to be let in. */
  authorization: (header: string) => void;
  /** A webhook as the carrier sends it, signed. */
  webhook(payload: Payload | string, options?: { url?: string; now?: number }): Webhook;
  originate: { path: string; body: (asked: Asked) => void; reply: Reply; id: string };
  refusals: [what: string, status: number, body: object, reason: CarrierReason][];
  events: [what: string, payload: Payload, event: Partial<CallEvent> | null][];
  /** What the carrier knows of a call by its id. */
  known: [what: string, replies: (asked: Asked) => Reply, status: string | null][];
  /** A list of calls in which ours is the one placed at NOW, and the same without it. */
  search: { found: (asked: Asked) => Reply; id: string; none: (asked: Asked) => Reply };
  hangup: { expects: [method: string, path: string][]; reply: (asked: Asked) => Reply; over: Reply };
  /** How a running call is handed over to TARGET. */
  transfer: {
    asked: [method: string, path: string];
    body: (asked: Asked) => void | Promise<void>;
    reply: Reply;
    over: Reply;
    /** What INSTRUCTIONS_URL answers with, as the carrier's own library writes it; null where nobody fetches it. */
    instructions: string | null;
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
