import { EgressRefused, openOut } from "../../kernel/egress/open-out.ts";
import {
  type CarrierContext,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  RecordingRefused,
} from "./carrier.ts";
import { judgeRecordingAddress } from "./recording-address.ts";
import { base64 } from "./signature.ts";

const TIMEOUT_MS = 10_000;
/** Maximum bytes read of a response by default. */
const MAX_ANSWER_BYTES = 512 * 1024;
const RECORDING_TIMEOUT_MS = 300_000;
/** Minimum speed of a recording's download, about the bit rate of a phone call, so that a slow one frees its slot. */
const RECORDING_PACE = { bytes: 64 * 1024, ms: 10_000 };
/** Maximum size of a recording, bytes: 100 MB. */
export const MAX_RECORDING_BYTES = 100 * 1024 * 1024;

/** A carrier's response. `body` is its JSON; undefined if it isn't valid JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  form?: [name: string, value: string][];
  json?: object;
  /** Statuses that don't count as a refusal. */
  accept?: number[];
  /** Maximum bytes read of the response. */
  max_bytes?: number;
}

/** The differences between carriers' APIs. */
export interface ApiStyle {
  name: string;
  base: string;
  authorization: () => string | Promise<string>;
  /** Other places of recordings, as patterns of RecordingPlaces. */
  recordingHosts: readonly string[];
  /** Secrets to remove from every message. */
  secrets: string[];
  /** Interprets a refusal. Statuses explained by HTTP itself have a default. */
  explain: (answer: Answer) => { reason?: CarrierReason; text?: string };
}

/** A client for a carrier's API with bounded waits and reads. It never passes a secret on. */
export interface Api {
  /** @throws CarrierRefusal if the carrier refused or didn't answer; CarrierUncertain if it may have acted */
  send(request: ApiRequest): Promise<Answer>;
  /**
   * Downloads a recording, with the account's credentials if `authorized`. They are only sent to the first address, and
   * only addresses of the carrier are requested. @throws RecordingRefused; CarrierRefusal if there is no answer
   */
  download(address: string, authorized: boolean): Promise<Response>;
}

export function connectApi(context: Pick<CarrierContext, "fetch" | "timeout_ms">, style: ApiStyle): Api {
  const { name, base, authorization, recordingHosts, secrets, explain } = style;
  const timeoutMs = context.timeout_ms ?? TIMEOUT_MS;
  /**
   * Creates the error for a missing response. A failed GET definitely changed nothing; any other request may have been
   * carried out.
   */
  const silence = (method: string, what: string) =>
    method === "GET" ? new CarrierRefusal("outage", `${name} ${what}`) : new CarrierUncertain(`${name} ${what}`);
  const call = async (url: string, init: RequestInit & { method: string }) => {
    try {
      return await context.fetch(url, init);
    } catch {
      throw silence(init.method, "did not answer");
    }
  };
  return {
    async send({ method = "GET", path, form, json, accept = [], max_bytes = MAX_ANSWER_BYTES }) {
      const headers: Record<string, string> = { authorization: await authorization(), accept: "application/json" };
      if (form) headers["content-type"] = "application/x-www-form-urlencoded";
      if (json) headers["content-type"] = "application/json";
      const body = form ? new URLSearchParams(form).toString() : json ? JSON.stringify(json) : null;
      const signal = AbortSignal.timeout(timeoutMs);
      // A redirect would send the credentials to an address that wasn't configured.
      const response = await call(`${base}${path}`, { method, headers, body, signal, redirect: "manual" });
      const { status } = response;
      const text = await readText(response, max_bytes).catch(() => {
        throw silence(method, "ended its response early");
      });
      const answer = { status, body: parseJson(text) };
      if (response.ok) {
        if (text !== "" && answer.body === undefined) throw silence(method, "sent an invalid response");
        return answer;
      }
      if (accept.includes(status)) return answer;
      if (status < 400 || status === 408 || status >= 500) throw silence(method, `answered ${status}`);
      const { reason, text: words = "" } = explain(answer);
      const reasonText = cleanText(words, secrets);
      throw new CarrierRefusal(
        BY_STATUS[status] ?? reason ?? "rejected",
        `${name} refused the request (${status})${reasonText === "" ? "" : `: ${reasonText}`}`,
      );
    },
    async download(address, authorized) {
      const headers: Record<string, string> = authorized ? { authorization: await authorization() } : {};
      const request = { method: "GET", url: address, headers, body: null };
      try {
        const { status, headers, body } = await openOut(request, {
          judge: (target, from) => judgeRecordingAddress(target, { hosts: recordingHosts, base }, from),
          redirects: "other_hosts",
          fetch: context.fetch,
          head_ms: timeoutMs,
          idle_ms: timeoutMs,
          total_ms: RECORDING_TIMEOUT_MS,
          slowest: RECORDING_PACE,
          max_bytes: MAX_RECORDING_BYTES,
        });
        return new Response(body, { status, headers });
      } catch (error) {
        if (!(error instanceof EgressRefused)) throw error;
        if (error.reason !== "refused_address" && error.reason !== "refused_redirect")
          throw new CarrierRefusal("outage", `${name} did not answer`);
        throw new RecordingRefused(`${name} did not return the recording: ${error.message}`);
      }
    },
  };
}

const BY_STATUS: Partial<Record<number, CarrierReason>> = { 401: "auth", 402: "funds", 429: "rate" };

export function basic(user: string, password: string): string {
  return `Basic ${base64(new TextEncoder().encode(`${user}:${password}`))}`;
}

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes a carrier's text safe for a message: one short line without phone numbers or possible credentials. */
export function cleanText(text: string, secrets: string[] = []): string {
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text.slice(0, 2_000))
    .replace(/\p{Cc}+/gu, " ")
    .replace(/[\w+/=.~-]{20,}/g, "***")
    .replace(/\+?\d(?:[ ().-]{0,2}\d){6,}/g, "***")
    .trim()
    .slice(0, 200);
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError("the response is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
