/** The SDK's client for commands: returns records of any shape and turns refusals into failures with an exit code. */
import { follow, type ServerEvent, SwitchboardError, Transport } from "../../../sdk/src/index.ts";
import { EXIT, type ExitCode, Failure } from "../kernel/failure.ts";
import { isObject, type Json, type JsonObject, objectsOf } from "../kernel/json.ts";

export interface Init {
  query?: Record<string, string | number | undefined>;
  /** A JSON body, or a form with files. */
  body?: JsonObject | FormData;
  /** The ETag that the record must still have. */
  ifMatch?: string;
}

/** A response's body and relevant headers. */
export interface Answer {
  value: Json;
  etag: string | null;
}

export interface Connection {
  url: string;
  apiKey: string | null;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
}

export interface StreamOptions {
  /** Called when the stream first opens: no event is missed from now on. */
  onOpen?: (() => unknown) | undefined;
  onLost?: (() => unknown) | undefined;
  onBack?: (() => unknown) | undefined;
}

export class Client {
  readonly #transport: Transport;
  readonly #withKey: boolean;

  constructor({ url, apiKey, fetch, sleep }: Connection) {
    this.#withKey = apiKey !== null;
    this.#transport = new Transport({
      baseUrl: url,
      authorize: () => ({ headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` } }),
      fetch: (address, init) => fetch(address, init),
      newKey: () => crypto.randomUUID(),
      pause: (ms) => sleep(ms),
    });
  }

  /** Requests a record. @throws Failure */
  async get(path: string, query: Init["query"] = {}): Promise<JsonObject> {
    const { value } = await this.request("GET", path, { query });
    if (!isObject(value)) throw new Failure(EXIT.failed, "unexpected", `${path} returned an unexpected response`);
    return value;
  }

  /** Sends any request with a JSON response. Repeats it once if that is safe. @throws Failure */
  async request(method: string, path: string, { query, body, ifMatch }: Init = {}): Promise<Answer> {
    // Uploading a large list may take any amount of time.
    const timeoutMs = body instanceof FormData ? 0 : undefined;
    const response = await this.#fetch(method, withQuery(path, query), { body, ifMatch, timeoutMs });
    const text = await response.text();
    try {
      return { value: text === "" ? null : (JSON.parse(text) as Json), etag: response.headers.get("etag") };
    } catch {
      const message = `${this.#transport.urlOf("")} does not answer with JSON: is this the address of a Switchboard?`;
      throw new Failure(EXIT.failed, "unexpected", message);
    }
  }

  /** Sends a POST once and returns the bytes of its response. @throws Failure */
  async bytes(path: string, body: JsonObject): Promise<Uint8Array> {
    const response = await this.#fetch("POST", path, { body, accept: "*/*", maxRetries: 0 });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Requests a page or file as text. @throws Failure */
  async text(path: string): Promise<string> {
    return (await this.#fetch("GET", path, { accept: "*/*" })).text();
  }

  /**
   * Yields a stream's events without end. After a lost connection it continues after the last received event.
   * @throws Failure if the service refuses or cannot be reached at the beginning
   */
  async *events(path: string, query: Init["query"] = {}, options: StreamOptions = {}): AsyncGenerator<ServerEvent> {
    const transport = this.#transport;
    let opened = false;
    const stream = follow(
      {
        connect: (lastEventId, signal) => {
          const headers: Record<string, string> = lastEventId === "" ? {} : { "last-event-id": lastEventId };
          const accept = "text/event-stream";
          return transport.fetch("GET", withQuery(path, query), { accept, headers, signal, maxRetries: 0 });
        },
        isPassing: (error) => opened && (!(error instanceof SwitchboardError) || error.isPassing),
        pause: (ms, signal) => transport.pause(ms, signal),
        random: () => transport.random(),
      },
      {
        onState: (state) => {
          if (state === "lost") options.onLost?.();
          else if (opened) options.onBack?.();
          else options.onOpen?.();
          opened = true;
        },
      },
    );
    try {
      yield* stream;
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  async #fetch(...request: Parameters<Transport["fetch"]>): Promise<Response> {
    try {
      return await this.#transport.fetch(...request);
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  #failureOf(error: unknown): unknown {
    if (!(error instanceof SwitchboardError)) return error;
    const { status, code, requestId } = error;
    if (status === 0) {
      const what = code === "timeout" ? "does not answer" : "cannot be reached";
      return new Failure(EXIT.unavailable, code, `${this.#transport.urlOf("")} ${what}`);
    }
    const reason = messageOf(error);
    // A malformed key is refused with a 400.
    const isSignIn = status === 401 || (status === 400 && code === "malformed_token");
    const message = isSignIn ? `${this.#withKey ? reason : "you are not signed in"}; run switchboard login` : reason;
    return new Failure(isSignIn ? EXIT.signIn : exitOf(status), code, message, requestId || null);
  }
}

/** Returns the service's message with every invalid field. */
function messageOf({ message, details }: SwitchboardError): string {
  // The message already names the first invalid field; the others are appended.
  const others = objectsOf(details as JsonObject, "errors").filter((one) => !message.includes(String(one.message)));
  return [message, ...others.map((one) => `${one.field} ${one.message}`.trim())].join("; ");
}

function withQuery(path: string, query: Init["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

function exitOf(status: number): ExitCode {
  if (status === 403) return EXIT.signIn;
  if (status === 409 || status === 412) return EXIT.conflict;
  if (status === 429 || status >= 500) return EXIT.unavailable;
  return EXIT.failed;
}
