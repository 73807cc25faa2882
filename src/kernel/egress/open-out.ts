import type { AddressVerdict } from "./address.ts";
import { nextRequest, type RedirectPolicy, type Sent, shownHost } from "./redirects.ts";

/** The name by which this service identifies itself to the operators of the server. */
const USER_AGENT = "Switchboard/1.0";
/** The maximum number of characters of response headers. The runtime accepts more than four times as many. */
const MAX_HEADER_CHARS = 32 * 1024;
/** Headers that belong to the connection, contradict the address's host, or carry state of other requests. */
const NOT_SENT =
  /^(host|cookie2?|connection|content-length|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

export interface OutRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The response. Reading its body fails with EgressRefused at a limit. `url` is the address after redirects. */
export interface OutResponse {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  url: URL;
}

export interface OutLimits {
  /** Checks the address of the request and of each redirect. */
  judge: (address: string, from?: URL) => AddressVerdict;
  redirects: RedirectPolicy;
  fetch: typeof fetch;
  /** The time limit for the response's headers, including redirects, ms; by default `total_ms`. */
  head_ms?: number;
  /** The time limit for the whole request, until its body has been read, ms. */
  total_ms: number;
  /** How long the server may send nothing while the body is read, ms; by default `total_ms`. */
  idle_ms?: number;
  /** The slowest permitted body: `bytes` in every `ms` of waiting. There is no minimum if this is omitted. */
  slowest?: { bytes: number; ms: number };
  /**
   * The maximum size of the body after decompression, bytes. A larger stream fails with `too_large` after these bytes.
   */
  max_bytes: number;
  signal?: AbortSignal;
}

/** The rule or limit that ended a request. */
export type EgressReason =
  | "refused_header"
  | "refused_address"
  | "refused_redirect"
  | "unreachable"
  | "timeout"
  | "too_large"
  | "broken"
  | "aborted";

/** Thrown if a request was refused or got no complete response. The message is a sentence without secrets. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  readonly reason: EgressReason;
  /** Whether the request had already been sent, and so may have taken effect. */
  hasLeft = false;

  constructor(reason: EgressReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Sends a request to an address that an account chose, and returns the response when its headers arrive. The body is
 * read from the network only as fast as the caller reads it. The connection is closed at a limit, on abort, and when
 * the caller cancels the body. Cookies are neither sent nor stored, nothing is cached, and the user agent is always
 * this service's own.
 * @throws EgressRefused if the address, a header or a redirect is refused, or if no response arrives in time
 */
export async function openOut({ method, url, headers, body }: OutRequest, limits: OutLimits): Promise<OutResponse> {
  const head = headersOf(headers);
  const verdict = limits.judge(url);
  if ("refused" in verdict) throw new EgressRefused("refused_address", `the address is refused: ${verdict.refused}`);
  const life = new Lifetime(limits);
  try {
    return await life.within(follow({ url: verdict.url, method, headers: head, body }, limits, life), {
      ms: limits.head_ms,
      late: "no answer arrived",
    });
  } catch (error) {
    if (error instanceof EgressRefused) life.fail(error);
    throw error;
  }
}

async function follow(first: Sent, limits: OutLimits, life: Lifetime): Promise<OutResponse> {
  let sent = first;
  for (let followed = 0; ; followed++) {
    const response = await life.send(sent, limits.fetch);
    const { status, headers } = response;
    const next = nextRequest(sent, { status, location: headers.get("location") }, followed, limits);
    if (next === null) return { status, headers, body: life.bound(response.body, sent.url, limits), url: sent.url };
    response.body?.cancel().catch(() => undefined);
    if ("refused" in next) throw new EgressRefused("refused_redirect", next.refused);
    sent = next;
  }
}

function headersOf(given: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (NOT_SENT.test(name.toLowerCase()))
      throw new EgressRefused("refused_header", `the header ${name} cannot be sent`);
    try {
      headers.append(name, value);
    } catch {
      const shown = name.slice(0, 100);
      throw new EgressRefused("refused_header", `the header ${shown} has a name or a value that cannot be sent`);
    }
  }
  headers.set("user-agent", USER_AGENT);
  return headers;
}

/** The time from a request until the end of its body. The limits apply even if a connection ignores the signal. */
class Lifetime {
  readonly #connection = new AbortController();
  readonly #failed = Promise.withResolvers<never>();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  #failure: EgressRefused | null = null;
  #isOver = false;
  #hasLeft = false;
  #failBody = (_: EgressRefused) => {};

  constructor({ total_ms, signal }: OutLimits) {
    this.#failed.promise.catch(() => undefined);
    this.#timer = setTimeout(() => this.#late("no complete response arrived", total_ms), total_ms);
    this.#caller = signal;
    signal?.addEventListener("abort", this.#abort);
    if (signal?.aborted) this.#abort();
  }

  /** Waits for a part of the response. Ends the request after `ms`. */
  async within<T>(work: Promise<T>, { ms, late }: { ms: number | undefined; late: string }): Promise<T> {
    const timer = ms === undefined ? undefined : setTimeout(() => this.#late(late, ms), ms);
    try {
      return await Promise.race([this.#failed.promise, work]);
    } finally {
      clearTimeout(timer);
    }
  }

  async send({ url, method, headers, body }: Sent, fetch: typeof globalThis.fetch): Promise<Response> {
    if (this.#failure) throw this.#failure;
    this.#hasLeft = true;
    const { signal } = this.#connection;
    // The function is async so that a synchronous exception of `fetch`, for example because of a refused method,
    // becomes a rejection.
    const begin = async () => fetch(url, { method, headers, body, signal, redirect: "manual", cache: "no-store" });
    const sent = begin();
    const response = await this.within(sent, { ms: undefined, late: "" }).catch((error: unknown) => {
      // If the signal was ignored, the response may still arrive.
      sent.then((late) => late.body?.cancel()).catch(() => undefined);
      throw error instanceof EgressRefused
        ? error
        : new EgressRefused("unreachable", `${shownHost(url)} could not be reached`);
    });
    const chars = [...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (chars <= MAX_HEADER_CHARS) return response;
    response.body?.cancel().catch(() => undefined);
    throw new EgressRefused("too_large", `${shownHost(url)} sent more than ${MAX_HEADER_CHARS / 1024} KB of headers`);
  }

  /** Returns the body within its limits; null if there is none, which also ends the request. */
  bound(
    source: Response["body"],
    url: URL,
    { max_bytes, idle_ms, slowest }: OutLimits,
  ): ReadableStream<Uint8Array> | null {
    if (source === null) {
      this.#end();
      return null;
    }
    const host = shownHost(url);
    const reader = source.getReader();
    const close = () => {
      this.#connection.abort();
      reader.cancel().catch(() => undefined);
    };
    const tooLarge = new EgressRefused("too_large", `${host} sent more than ${max_bytes} bytes`);
    let remaining = max_bytes;
    // Only time spent waiting for the server counts, because the caller may read slowly.
    const pace = { waited_ms: 0, bytes: 0 };
    const isTooSlow = (waited_ms: number, bytes: number): boolean => {
      pace.waited_ms += waited_ms;
      pace.bytes += bytes;
      if (slowest === undefined || pace.waited_ms < slowest.ms) return false;
      const tooSlow = pace.bytes < slowest.bytes;
      Object.assign(pace, { waited_ms: 0, bytes: 0 });
      return tooSlow;
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#failBody = (failure) => {
            controller.error(failure);
            close();
          };
        },
        pull: async (controller) => {
          if (remaining < 0) return this.fail(tooLarge);
          try {
            const idle = { ms: idle_ms, late: `${host} sent nothing` };
            const began = Date.now();
            const { done, value } = await this.within(reader.read(), idle);
            if (done) {
              this.#end();
              return controller.close();
            }
            if (isTooSlow(Date.now() - began, value.length))
              return this.fail(new EgressRefused("timeout", `${host} sent its response too slowly`));
            const part = value.subarray(0, remaining);
            remaining -= value.length;
            if (remaining < 0 && part.length === 0) return this.fail(tooLarge);
            // At the limit, the next read fails. Failing now would discard the part before it.
            controller.enqueue(part);
            if (remaining < 0) close();
          } catch {
            this.fail(new EgressRefused("broken", `${host} ended its response early`));
          }
        },
        cancel: () => {
          this.#end();
          close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends the request with its first failure, and closes the connection. */
  fail(failure: EgressRefused): void {
    if (this.#isOver) return;
    this.#end();
    failure.hasLeft = this.#hasLeft;
    this.#failure = failure;
    this.#failed.reject(failure);
    this.#connection.abort();
    this.#failBody(failure);
  }

  #late(what: string, ms: number): void {
    this.fail(new EgressRefused("timeout", `${what} within ${ms / 1000} s`));
  }

  readonly #abort = () => this.fail(new EgressRefused("aborted", "the request was aborted"));

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#abort);
  }
}
