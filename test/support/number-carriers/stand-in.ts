import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";

/** A request as received by a stand-in. */
export interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
}
export interface CarrierReply {
  status: number;
  body?: object;
}
/** The allowed values of a field: one of these words, or a match of a pattern. */
export type Field = RegExp | readonly string[];

/** A refusal in the carrier's own words. */
export class Refusal extends Error {
  readonly reply: CarrierReply;
  constructor(reply: CarrierReply) {
    super(JSON.stringify(reply));
    this.reply = reply;
  }
}

export interface Seed {
  e164: string;
  /** The capabilities that the carrier reports. */
  voice?: boolean;
  sms?: boolean;
  mms?: boolean;
  fax?: boolean;
}

/** A carrier's behavior that all tests use; the credentials and the target are as the service stores them. */
export interface NumberCarrier {
  name: "twilio" | "signalwire" | "telnyx" | "vonage" | "plivo";
  kind: CarrierKind<never>;
  credentials: Record<string, string>;
  /** The variable with the API's address, and that address. */
  variable: string;
  base: string;
  /** Maximum numbers per page. */
  page_rows: number;
  fetch: typeof fetch;
  requests: Sent[];
  /** Answers in place of the stand-in if it returns a response. */
  intercept: ((sent: Sent) => Response | Promise<Response> | null) | null;
  own(...seeds: Seed[]): void;
  /** Ways in which calls to the number can miss the target, with the expected report of each. */
  astray: [what: string, arrange: (e164: string, target: string) => void, says: RegExp][];
  /** Routes calls to the number to the target. */
  lead(e164: string, target: string): void;
  /** Returns the part of the carrier's state that changing the address must not affect. */
  untouched(e164: string): unknown;
}

/** Creates a stand-in's network: a function that answers each request and records it. */
export function network(judge: (sent: Sent) => CarrierReply, options: { intercept: () => NumberCarrier["intercept"] }) {
  const requests: Sent[] = [];
  const wire = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const request = input instanceof Request ? input : null;
    const sent: Sent = {
      method: (init.method ?? request?.method ?? "GET").toUpperCase(),
      url: new URL(request?.url ?? String(input)),
      headers: new Headers(init.headers ?? request?.headers ?? {}),
      body: init.body === undefined || init.body === null ? ((await request?.text()) ?? "") : String(init.body),
    };
    requests.push(sent);
    const other = await options.intercept()?.(sent);
    if (other) return other;
    const { status, body } = judged(judge, sent);
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json" },
    });
  };
  return { requests, fetch: wire as typeof fetch };
}

function judged(judge: (sent: Sent) => CarrierReply, sent: Sent): CarrierReply {
  try {
    return judge(sent);
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

/** Returns the secret of a request. A careless carrier might repeat it. */
export function secretIn({ headers }: Sent): string {
  const [scheme, value = ""] = (headers.get("authorization") ?? "").split(" ");
  return scheme === "Basic" ? (atob(value).split(":")[1] ?? "") : value;
}

export const basicAuth = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

type Refuse = (why: string) => CarrierReply;

/** Parses a form whose fields are all known and valid; otherwise throws the carrier's refusal. */
export function formOf(sent: Sent, allowed: Record<string, Field>, refuse: Refuse): Record<string, string> {
  if (!sent.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded"))
    throw new Refusal(refuse("the body must be a form"));
  return fieldsOf([...new URLSearchParams(sent.body)], allowed, refuse);
}

/** Parses a query whose parameters are all known and valid. */
export function queryOf(sent: Sent, allowed: Record<string, Field>, refuse: Refuse): Record<string, string> {
  return fieldsOf([...sent.url.searchParams], allowed, refuse);
}

/** Parses a JSON object whose fields are known and whose texts are valid. */
export function jsonOf(sent: Sent, allowed: Record<string, Field | "any">, refuse: Refuse): Record<string, unknown> {
  if (!sent.headers.get("content-type")?.startsWith("application/json"))
    throw new Refusal(refuse("the body must be JSON"));
  const body = JSON.parse(sent.body) as Record<string, unknown>;
  for (const [name, value] of Object.entries(body)) {
    const kind = allowed[name];
    if (!kind) throw new Refusal(refuse(`${name} is not known`));
    if (kind !== "any" && (typeof value !== "string" || !fits(kind, value)))
      throw new Refusal(refuse(`${name} must not be ${JSON.stringify(value)}`));
  }
  return body;
}

function fieldsOf(entries: [string, string][], allowed: Record<string, Field>, refuse: Refuse): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of entries) {
    const kind = allowed[name];
    if (!kind) throw new Refusal(refuse(`${name} is not known`));
    if (name in fields) throw new Refusal(refuse(`${name} comes twice`));
    if (!fits(kind, value)) throw new Refusal(refuse(`${name} must not be ${JSON.stringify(value)}`));
    fields[name] = value;
  }
  return fields;
}

const fits = (kind: Field, value: string) => (kind instanceof RegExp ? kind.test(value) : kind.includes(value));

export const URI = /^https?:\/\/\S+$/;
export const METHOD = ["GET", "POST"] as const;
