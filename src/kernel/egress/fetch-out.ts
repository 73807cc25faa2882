import { type AddressVerdict, type EgressRules, judgeAddress } from "./address.ts";

/** Most redirects followed. */
const MAX_REDIRECTS = 3;
/** The User-Agent, so that the server's operators can identify us. */
export const USER_AGENT = "Switchboard/1.0";
/** Headers that belong to the connection, contradict the address's host, or carry state of other requests. */
const NOT_SENT =
  /^(host|cookie2?|connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;
/** Headers of a body, removed together with it. */
const OF_BODY = ["content-type", "content-encoding", "content-language", "content-location"];

/** A request that was refused or got no complete answer; the message is a sentence without secrets. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  /** Whether the request had been sent by then, and so may have been carried out. */
  hasLeft = false;
}

/** A request configured by an account. */
export interface OutRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The response; `text` ends at the limit if `truncated`, never inside a character. */
export interface OutAnswer {
  status: number;
  content_type: string;
  text: string;
  truncated: boolean;
}

/** The limits of a request: permitted addresses, time including redirects, and bytes read of the response. */
export interface OutLimits {
  rules: EgressRules;
  fetch: typeof fetch;
  timeout_ms: number;
  max_bytes: number;
  /** Whether redirects must keep scheme and port too, as for a request that carries a secret. */
  same_origin?: boolean;
}

/**
 * Sends a request to an address that an account configured, with limits on addresses, time and size; the size counts
 * after decompression. At most three redirects are followed, and only to the same host, so that no credential goes
 * elsewhere. Cookies are neither sent nor kept, nothing is cached, and the user agent is always ours.
 * @throws EgressRefused if the address or a redirect is refused, or no complete answer comes in time
 */
export async function fetchOut(request: OutRequest, limits: OutLimits): Promise<OutAnswer> {
  const headers = headersOf(request.headers);
  let { method, body } = request;
  let url = allowed("the address is refused", judgeAddress(request.url, limits.rules));
  // Called as a method, fetch would get the limits as `this`, which the runtime refuses.
  const { fetch } = limits;
  const deadline = new Deadline(limits.timeout_ms);
  const begin = async () => {
    const { signal } = deadline;
    try {
      return await deadline.race(fetch(url, { method, headers, body, signal, redirect: "manual", cache: "no-store" }));
    } catch (error) {
      throw error instanceof EgressRefused ? error : new EgressRefused(`${nameOf(url)} could not be reached`);
    }
  };
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await begin();
      const location = redirectOf(response);
      if (location === null) return await read(response, url, limits.max_bytes, deadline);
      response.body?.cancel().catch(() => undefined);
      if (redirects === MAX_REDIRECTS)
        throw new EgressRefused(`${nameOf(url)} redirected more than ${MAX_REDIRECTS} times`);
      url = next(url, location, limits);
      if (!losesBody(response.status, method)) continue;
      method = method === "HEAD" ? method : "GET";
      body = null;
      for (const name of OF_BODY) headers.delete(name);
    }
  } catch (error) {
    if (error instanceof EgressRefused) error.hasLeft = true;
    throw error;
  } finally {
    deadline.clear();
  }
}

/** The target of a redirect; null for other responses. */
export function redirectOf({ status, headers }: Pick<Response, "status" | "headers">): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
}

/** Whether a redirect is permitted: to the same host, and never from https to http. */
function next(from: URL, location: string, { rules, same_origin = false }: OutLimits): URL {
  const url = allowed(`a redirect from ${nameOf(from)} is refused`, judgeAddress(location, rules, from));
  if (url.host !== from.host) throw new EgressRefused(`${nameOf(from)} redirected to another host, ${nameOf(url)}`);
  if (from.protocol !== url.protocol && (same_origin || from.protocol === "https:"))
    throw new EgressRefused(`${nameOf(from)} redirected from ${schemeOf(from)} to ${schemeOf(url)}`);
  return url;
}

/** Whether a redirect turns the request into a GET (RFC 9110, 15.4), as browsers do. */
function losesBody(status: number, method: string): boolean {
  return status === 303 || (status < 303 && method === "POST");
}

function allowed(what: string, verdict: AddressVerdict): URL {
  if ("url" in verdict) return verdict.url;
  throw new EgressRefused(`${what}: ${verdict.refused}`);
}

function headersOf(given: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (NOT_SENT.test(name.toLowerCase())) throw new EgressRefused(`the header ${name} cannot be sent`);
    try {
      headers.append(name, value);
    } catch {
      throw new EgressRefused(`the header ${name.slice(0, 100)} has a name or a value that cannot be sent`);
    }
  }
  headers.set("user-agent", USER_AGENT);
  return headers;
}

async function read(response: Response, url: URL, maxBytes: number, deadline: Deadline): Promise<OutAnswer> {
  const head = { status: response.status, content_type: response.headers.get("content-type") ?? "" };
  const reader = response.body?.getReader();
  if (!reader) return { status: head.status, content_type: head.content_type, text: "", truncated: false };
  const decoder = new TextDecoder();
  let text = "";
  let remaining = maxBytes;
  try {
    for (;;) {
      const { done, value } = await deadline.race(reader.read());
      if (done) return { ...head, text: text + decoder.decode(), truncated: false };
      // The decoder keeps the bytes of an incomplete character.
      text += decoder.decode(value.subarray(0, remaining), { stream: true });
      remaining -= value.length;
      if (remaining < 0) return { ...head, text, truncated: true };
    }
  } catch (error) {
    throw error instanceof EgressRefused ? error : new EgressRefused(`${nameOf(url)} broke off its response`);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const schemeOf = ({ protocol }: URL) => protocol.replace(":", "");

function nameOf(url: URL): string {
  return url.host.slice(0, 100);
}

/** The deadline of the whole request; it holds even if a connection ignores the signal. */
class Deadline {
  readonly #stop = new AbortController();
  readonly #late: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(timeoutMs: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.#late = promise;
    this.#timer = setTimeout(() => {
      reject(new EgressRefused(`no complete response arrived within ${timeoutMs / 1000} s`));
      this.#stop.abort();
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#late]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
