import { errorOf, SwitchboardError } from "./errors.ts";
import { retryWaitMs } from "./retry.ts";
import type { Answer, CallOptions, Init, Method, PathOf } from "./types.ts";

export interface Authorization {
  headers: Record<string, string>;
  /** Called for a request that was refused or not answered; may throw its own error. */
  failed?: (error: SwitchboardError) => void;
}

export interface TransportOptions {
  /** The service's address, such as `https://voice.example.com`; "" for the page's own origin. */
  baseUrl: string;
  /** Called before every attempt. */
  authorize: () => Authorization | Promise<Authorization>;
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Creates a key for a POST without one. If it returns undefined, the request is sent without a key. */
  newKey?: (() => string | undefined) | undefined;
  pause?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  random?: (() => number) | undefined;
}

export interface Sending extends CallOptions {
  body?: unknown;
  accept?: string;
}

/** Turns a successful response into the result, or returns it unread. */
type Take<T> = (response: Response) => T | Promise<T>;

const TIMEOUT_MS = 60_000;
/** Makes the service refuse unknown fields instead of ignoring them. */
export const STRICT = "handling=strict";
/** Endpoints that sign visitors in with single-use tokens. They take no idempotency keys. */
const WITHOUT_KEYS = /^\/api\/v1\/widget\/auth\//;
const etags = new WeakMap<object, string>();

/** Returns the ETag of a result, so that it is written back only if it has not changed. */
export const etagOf = (read: object): string | undefined => etags.get(read);

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Calls an operation of the API. @throws SwitchboardError, or the signal's reason */
  async request<M extends Method, P extends PathOf<M>>(method: M, path: P, ...init: Init<M, P>): Promise<Answer<M, P>> {
    return (await this.send(method, path, ...init)).data;
  }

  /** Calls an operation and also returns the response's headers. @throws as `request` */
  async send<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[options]: Init<M, P>
  ): Promise<{ data: Answer<M, P>; response: Response }> {
    return this.#repeated(method, fill(path, options?.params ?? {}), options ?? {}, async (response) => ({
      data: (await read(response)) as Answer<M, P>,
      response,
    }));
  }

  /** Returns a successful response unread, for files and streams. @throws as `request` */
  fetch(method: string, path: string, options: Sending = {}): Promise<Response> {
    return this.#repeated(method, path, options, (response) => response);
  }

  /**
   * Sends the request until it is answered, as often as is safe. A response counts as an answer once `take` has read
   * it.
   */
  async #repeated<T>(method: string, path: string, options: Sending, take: Take<T>): Promise<T> {
    const { maxRetries = this.#options.maxRetries ?? 1, signal } = options;
    const headers = this.#headers(method, path, options);
    for (let repeated = 0; ; repeated++) {
      signal?.throwIfAborted();
      const authorization = await this.#options.authorize();
      signal?.throwIfAborted();
      try {
        return await this.#attempt(
          method,
          path,
          { ...options, headers: { ...headers, ...authorization.headers } },
          take,
        );
      } catch (error) {
        if (!(error instanceof SwitchboardError)) throw error;
        const { status, code, retryAfterS } = error;
        const isConditional = headers["if-match"] !== undefined;
        const failed = { method, hasKey: "idempotency-key" in headers, isConditional, status, code, retryAfterS };
        const waitMs = repeated < maxRetries ? retryWaitMs(failed, repeated, this.random()) : undefined;
        if (waitMs === undefined) {
          authorization.failed?.(error);
          throw error;
        }
        await this.pause(waitMs, signal ?? undefined);
      }
    }
  }

  /** Waits this long, ms. @throws the signal's reason if it is aborted */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return (this.#options.pause ?? pause)(ms, signal);
  }

  random(): number {
    return (this.#options.random ?? Math.random)();
  }

  /** Returns the current credentials, for requests sent another way. */
  authorize(): Authorization | Promise<Authorization> {
    return this.#options.authorize();
  }

  /** Returns the full URL of a path. */
  urlOf(path: string): string {
    return this.#options.baseUrl.replace(/(\/api\/v1)?\/*$/, "") + path;
  }

  #headers(method: string, path: string, options: Sending): Record<string, string> {
    const { accept = "application/json", body, ifMatch } = options;
    // Errors in this format name every invalid field.
    const headers: Record<string, string> = { accept: `${accept}, application/problem+json` };
    if (method !== "GET") headers.prefer = STRICT;
    if (body !== undefined && !isForm(body)) headers["content-type"] = "application/json";
    const tag = typeof ifMatch === "object" ? etagOf(ifMatch) : ifMatch;
    if (ifMatch !== undefined && tag === undefined)
      throw new TypeError("ifMatch: must be an ETag or a resource that this SDK has read");
    if (tag !== undefined) headers["if-match"] = tag;
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
    const takesKey = method === "POST" && path.startsWith("/api/v1/") && !isForm(body);
    const key = options.idempotencyKey ?? (takesKey && !WITHOUT_KEYS.test(path) ? this.#options.newKey?.() : undefined);
    if (key !== undefined) headers["idempotency-key"] ??= key;
    return headers;
  }

  async #attempt<T>(method: string, path: string, options: Sending, take: Take<T>): Promise<T> {
    const { signal, body, headers = {}, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS } = options;
    // AbortSignal.any is missing in browsers that the console still supports.
    const attempt = new AbortController();
    const abort = () => attempt.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    let isLate = false;
    const late = () => {
      isLate = true;
      attempt.abort();
    };
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    const sent: RequestInit = { method, headers, signal: attempt.signal };
    if (body !== undefined) sent.body = isForm(body) ? body : JSON.stringify(body);
    // The specification requires it for streamed bodies.
    if (body instanceof ReadableStream) Object.assign(sent, { duplex: "half" });
    // Called without `this`, because browsers reject fetch as another object's method.
    const { fetch = globalThis.fetch } = this.#options;
    let unread: Response | undefined;
    try {
      const response = await fetch(this.urlOf(path), sent).finally(() => clearTimeout(timer));
      if (!response.ok) throw await errorOf(response);
      const taken = await take(response);
      if (taken === response) unread = response;
      return taken;
    } catch (error) {
      if (error instanceof SwitchboardError) throw error;
      if (signal?.aborted) throw signal.reason;
      const [code, message] = isLate
        ? ["timeout", `no answer in ${timeoutMs} ms`]
        : ["unreachable", `no answer${reasonOf(error)}`];
      throw new SwitchboardError({ status: 0, code, message: `${method} ${path}: ${message}`, cause: error });
    } finally {
      // The signal can still abort reading a body that was returned unread.
      if (!unread) signal?.removeEventListener("abort", abort);
    }
  }
}

/** Checks whether a body is a form, or the bytes of one. */
const isForm = (body: unknown): body is FormData | ReadableStream<Uint8Array> =>
  body instanceof FormData || body instanceof ReadableStream;

/** Returns why a request did not arrive, as far as the runtime reports it. Node puts the system's code into `cause`. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (typeof code === "string") return ` (${code})`;
  return error instanceof Error && error.message !== "" ? ` (${error.message})` : "";
}

/** Fills a path's parameters and query. */
export function fill(path: string, params: { path?: unknown; query?: unknown }): string {
  const at: Record<string, unknown> = Object.assign({}, params.path);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = at[name];
    // An empty value, or dots, which no encoding preserves, would lead to another address.
    if (value === undefined || value === "") throw new TypeError(`${path}: ${name} is missing`);
    const text = String(value);
    if (text === "." || text === "..") throw new TypeError(`${path}: ${name} must not be ${text}`);
    return encodeURIComponent(text);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object.assign({}, params.query)))
    if (value !== undefined && value !== null) query.set(name, String(value));
  const search = query.toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** Reads a response's body: its JSON, its text if it is not JSON, or nothing. */
async function read(response: Response): Promise<unknown> {
  const text = response.status === 204 ? "" : await response.text();
  const type = response.headers.get("content-type") ?? "";
  // A text may be empty, such as the transcript of a silent call.
  if (text === "" && !type.startsWith("text/")) return undefined;
  if (type.startsWith("text/html"))
    throw unexpected(response, "a web page instead of JSON: is baseUrl the service's address?");
  if (!type.includes("json")) return text;
  const body = parsed(text);
  if (body === undefined) throw unexpected(response, "a response that is not JSON");
  const tag = response.headers.get("etag");
  if (tag !== null && typeof body === "object" && body !== null) etags.set(body, tag);
  return body;
}

/** Parses JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates the error for an answer that cannot be the service's. */
function unexpected({ status, headers, url }: Response, what: string): SwitchboardError {
  const requestId = headers.get("x-request-id") ?? "";
  return new SwitchboardError({ status, code: "unexpected_answer", message: `${url}: ${what}`, requestId });
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop);
  });
}
