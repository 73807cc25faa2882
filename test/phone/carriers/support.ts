import { env } from "cloudflare:workers";
import type {
  CallOrder,
  Carrier,
  CarrierKind,
  RelaySettings,
  SpokenText,
} from "../../../src/phone/carriers/carrier.ts";
import { plivo } from "../../../src/phone/carriers/plivo.ts";
import { signalwire } from "../../../src/phone/carriers/signalwire.ts";
import { base64 } from "../../../src/phone/carriers/signature.ts";
import { telnyx } from "../../../src/phone/carriers/telnyx.ts";
import { twilio } from "../../../src/phone/carriers/twilio.ts";
import { vonage } from "../../../src/phone/carriers/vonage.ts";

export const NOW = Date.parse("2026-11-21T09:30:00.000Z");

/** Returns a private key in the form of a Vonage application (PKCS #8). */
export async function privateKey(): Promise<string> {
  const pair = (await crypto.subtle.generateKey(
    { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  )) as CryptoKeyPair;
  const der = (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer;
  return `-----BEGIN PRIVATE KEY-----\n${base64(new Uint8Array(der))}\n-----END PRIVATE KEY-----\n`;
}

const applicationKey = privateKey();

/** Valid credentials for each carrier, and its answer to a placed call. */
const ACCOUNTS = {
  twilio: { kind: twilio as CarrierKind, keys: { account_sid: "AC1", auth_token: "secret" } },
  signalwire: {
    kind: signalwire as CarrierKind,
    keys: { space: "acme", project_id: "p1", api_token: "secret", signing_key: "key" },
  },
  telnyx: {
    kind: telnyx as CarrierKind,
    keys: { api_key: "secret", connection_id: "1", public_key: base64(new Uint8Array(32)) },
  },
  vonage: {
    kind: vonage as CarrierKind,
    keys: { application_id: "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab", signature_secret: "secret" },
  },
  plivo: { kind: plivo as CarrierKind, keys: { auth_id: "MA1", auth_token: "secret" } },
};
export type CarrierName = keyof typeof ACCOUNTS;
export const CARRIERS = Object.keys(ACCOUNTS) as CarrierName[];
const PLACED = { sid: "CA1", status: "queued", uuid: "u", request_uuid: "p", data: { call_control_id: "v3:1" } };

/** A request to a carrier. */
export interface Sent {
  path: string;
  body: string;
}

/** Creates a carrier that records its requests, answers each with `reply`, and waits as `pause` says. */
export async function lineTo(
  name: CarrierName,
  reply: (sent: Sent) => Response = () => Response.json(PLACED),
  pause?: (longest_ms: number) => Promise<void>,
): Promise<{ carrier: Carrier; sent: Sent[] }> {
  const { kind, keys } = ACCOUNTS[name];
  const sent: Sent[] = [];
  const credentials = name === "vonage" ? Object.assign({ private_key: await applicationKey }, keys) : keys;
  const carrier = kind.connect(kind.credentials.parse(credentials), {
    account: "acme",
    env,
    fetch: async (input, init) => {
      const one = { path: new URL(String(input)).pathname, body: String(init?.body ?? "") };
      sent.push(one);
      return reply(one);
    },
    ...(pause && { pause }),
    now: () => NOW,
  });
  return { carrier, sent };
}

/** The built-in runtime's settings for an agent in German. */
export const GERMAN: RelaySettings = {
  greeting: "Grüß Gott",
  greeting_interruptible: true,
  voice_provider: "cartesia",
  voice_id: "",
  language: "de-AT",
  languages: ["tr-TR"],
  key_terms: [],
  suppresses_noise: false,
};

/** An order for a call of an agent in German whose media are streamed. */
export const ORDER: CallOrder = {
  account: "acme",
  call_id: "c1",
  from_number: "+12025550100",
  to_number: "+12025550199",
  webhook_url: "https://switchboard.example/api/telephony/webhooks/x/acme/c1?token=t",
  session_token: "token",
  greeted_token: "greeted",
  runtime_url: "wss://media.example/ws",
  relay: null,
  language: "de-AT",
  disclosure: null,
  recording: null,
  detects_machines: false,
  leaves_message: false,
  ring_timeout: 60,
  max_duration: 600,
};

/** Returns a copy of the order with these fields replaced. */
export const ordered = (more: Partial<CallOrder>): CallOrder => Object.assign({}, ORDER, more);

/** Creates a carrier's report about the call. */
export const reportOf = (body: string, url = ORDER.webhook_url) => ({
  method: "POST",
  url,
  headers: new Headers(),
  body,
});

/** An element of an XML document with its own text. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/**
 * Matches the only tokens allowed in the service's documents: every special character of a text is written as a number.
 */
const TOKEN =
  /<\?xml version="1\.0" encoding="UTF-8"\?>|<(\/?)([A-Za-z]+)((?: [A-Za-z]+="(?:[^<>&"]|&#\d+;)*")*)(\/?)>|((?:[^<>&]|&#\d+;)+)/y;

/** Returns the elements of a document in order. @throws Error if it is not well-formed */
export function elementsOf(document: string): Element[] {
  const open: string[] = [];
  const elements: Element[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(document);
    if (!match) throw new Error(`not well-formed at ${at}: ${document.slice(at, at + 40)}`);
    const [, closes, name, attributes = "", isEmpty, text] = match;
    const last = elements.at(-1);
    if (text !== undefined && last) last.text += decoded(text);
    if (name === undefined) continue;
    if (closes && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    if (closes) continue;
    const pairs = [...attributes.matchAll(/ ([A-Za-z]+)="([^"]*)"/g)];
    const named = Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, decoded(value)]));
    elements.push({ name, attributes: named, text: "" });
    if (!isEmpty) open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is left open`);
  return elements;
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

/** A text that a carrier was told to speak, with the language or voice of the instruction. */
export interface Heard {
  text: string;
  voice: string;
}

/** Returns the texts that a document's instructions speak before they connect the call, and the connecting element. */
export function spokenIn(document: string): { heard: Heard[]; connects: string | undefined } {
  const elements = document.startsWith("[") ? actionsOf(document) : elementsOf(document);
  const at = elements.findIndex(({ name }) => ["Connect", "Stream", "connect"].includes(name));
  const before = elements.slice(0, at).filter(({ name }) => ["Say", "Speak", "talk"].includes(name));
  const heard = before.map(({ text, attributes: { voice, language } }) => ({ text, voice: voice ?? language ?? "" }));
  return { heard, connects: elements[at]?.name };
}

/** Returns the actions of an NCCO as elements with the text of their SSML. */
function actionsOf(document: string): Element[] {
  const actions = JSON.parse(document) as { action: string; text?: string; language?: string }[];
  return actions.map(({ action, text = "", language }) => {
    const [ssml] = text.startsWith("<speak>") ? elementsOf(text) : [];
    return { name: action, attributes: language === undefined ? {} : { language }, text: ssml?.text ?? text };
  });
}

/** Returns texts in the order in which a carrier spoke them. */
export const textsOf = (heard: Pick<SpokenText, "text">[]) => heard.map(({ text }) => text);
