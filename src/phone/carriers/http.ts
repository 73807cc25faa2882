import { redirectOf } from "../../kernel/egress/fetch-out.ts";
import {
  type CarrierContext,
  type CarrierReason,
  CarrierRefusal,
  CarrierUncertain,
  RecordingRefused,
} from "./carrier.ts";
import { judgeRecordingAddress } from "./recording-address.ts";
import { base64 } from "./signature.ts";

/** How long a carrier has to answer, ms. */
const TIMEOUT_MS = 10_000;
/** The most bytes of an answer that are read, where a request does not say otherwise. */
const MAX_ANSWER_BYTES = 512 * 1024;
/** Redirects that are followed on the way to a recording. */
const MAX_REDIRECTS = 3;

/** A carrier's answer; `body` is its JSON, undefined where it sent none that can be read. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A request to a carrier's API, with a form or with JSON. */
export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the carrier's address, with its query. */
  path: string;
  form?: [name: string, value: string][];
  json?: object;
  /** Statuses that are an answer here, not a refusal. */
  accept?: number[];
  /** The most bytes of the answer that are read. */
  max_bytes?: number;
}

/** What differs from one carrier's API to the next. */
export interface ApiStyle {
  name: string;
  /** The carrier's address, without a slash at its end. */
  base: string;
  authorization: () => string | Promise<string>;
  /** Where recordings are beside the carrier's address, as patterns of RecordingPlaces. */
  recordingHosts: readonly string[];
  /** What must not be in a message, whoever wrote it. */
  secrets: string[];
  /** What a refusal means, and what it says; for the statuses that HTTP itself explains there is a default. */
  explain: (answer: Answer) => { reason?: CarrierReason; text?: string };
}

/** A carrier's API, spoken with care: no answer is waited for or read without bounds, and no secret is passed on. */
export interface Api {
  /** @throws CarrierRefusal where the carrier said no, or gave no answer; CarrierUncertain where it may have acted */
  send(request: ApiRequest): Promise<Answer>;
  /**
   * A recording, with the account's credentials where `authorized`; those go to the first address alone, and no
   * address is asked that is not the carrier's. @throws RecordingRefused; CarrierRefusal where no answer comes
   */
  download(address: string, authorized: boolean): Promise<Response>;
}

export function connectApi(context: Pick<CarrierContext, "fetch" | "timeout_ms">, style: ApiStyle): Api {
  const { name, base, authorization, recordingHosts, secrets, explain } = style;
  const timeoutMs = context.timeout_ms ?? TIMEOUT_MS;
  /** Nothing has happened where something was only asked for; anything else may have been done. */
  const silence = (method: string, what: string) =>
    method === "GET" ? new CarrierRefusal("outage", `${name} ${what}`) : new CarrierUncertain(`${name} ${what}`);
  const call = async (url: string, init: RequestInit & { method: string }) => {
    try {
      return await context.fetch(url, init);
    } catch {
      throw silence(init.method, "did not answer");
    }
  };
  const own = (address: string, from?: URL) => {
    const verdict = judgeRecordingAddress(address, { hosts: recordingHosts, base }, from);
    if ("url" in verdict) return verdict.url;
    throw new RecordingRefused(`${name} did not return the recording: ${verdict.refused}`);
  };
  /** Only the wait for an answer to begin is bounded: a long recording takes its time. */
  const begin = async (url: URL, headers: Record<string, string>) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      return await call(url.href, { method: "GET", headers, signal: stop.signal, redirect: "manual" });
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    async send({ method = "GET", path, form, json, accept = [], max_bytes = MAX_ANSWER_BYTES }) {
      const headers: Record<string, string> = { authorization: await authorization(), accept: "application/json" };
      if (form) headers["content-type"] = "application/x-www-form-urlencoded";
      if (json) headers["content-type"] = "application/json";
      const body = form ? new URLSearchParams(form).toString() : json ? JSON.stringify(json) : null;
      const signal = AbortSignal.timeout(timeoutMs);
      // A redirect would take the credentials to where nobody configured them to go.
      const response = await call(`${base}${path}`, { method, headers, body, signal, redirect: "manual" });
      const { status } = response;
      const text = await readText(response, max_bytes).catch(() => {
        throw silence(method, "broke off its response");
      });
      const answer = { status, body: parseJson(text) };
      if (response.ok) {
        if (text !== "" && answer.body === undefined) throw silence(method, "sent an invalid response");
        return answer;
      }
      if (accept.includes(status)) return answer;
      if (status < 400 || status === 408 || status >= 500) throw silence(method, `answered ${status}`);
      const { reason, text: words = "" } = explain(answer);
      const said = cleanText(words, secrets);
      throw new CarrierRefusal(
        BY_STATUS[status] ?? reason ?? "rejected",
        `${name} refused the request (${status})${said === "" ? "" : `: ${said}`}`,
      );
    },
    async download(address, authorized) {
      const headers: Record<string, string> = authorized ? { authorization: await authorization() } : {};
      const first = own(address);
      let url = first;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const response = await begin(url, url.origin === first.origin ? headers : {});
        const next = redirectOf(response);
        if (next === null) return response;
        await response.body?.cancel();
        url = own(next, url);
      }
      throw new RecordingRefused(`${name} redirected the download of a recording more than ${MAX_REDIRECTS} times`);
    },
  };
}

/** What a status says by itself, whatever else a carrier writes into the answer. */
const BY_STATUS: Partial<Record<number, CarrierReason>> = { 401: "auth", 402: "funds", 429: "rate" };

/** HTTP Basic credentials. */
export function basic(user: string, password: string): string {
  return `Basic ${base64(new TextEncoder().encode(`${user}:${password}`))}`;
}

/** JSON, undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A carrier's words as they may go into a message: one short line, no phone numbers, nothing like a credential. */
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
