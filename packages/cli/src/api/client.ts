/** Requests to the service: JSON, text, files and streams of events, with errors as failures of the command. */
import { randomUUID } from "node:crypto";
import { EXIT, type ExitCode, Failure } from "../kernel/failure.ts";
import { isObject, type Json, type JsonObject, textOf } from "../kernel/json.ts";
import { type ServerEvent, serverEvents } from "./server-events.ts";

/** A read, or a write under a key, is tried again after so long, ms. */
const RETRY_MS = 500;
/** A stream that was cut off is opened again after so long, ms: longer each time, until it sends again. */
const RECONNECT_MS = [250, 1_000, 3_000, 10_000];
/** So often in a row without an event; then the service is taken to be gone. */
const RECONNECTIONS = 20;

export interface Init {
  query?: Record<string, string | number | undefined>;
  /** A JSON body, or a form with files. */
  body?: JsonObject | FormData;
  /** The ETag that the record must still have. */
  ifMatch?: string;
}

/** An answer with what its headers say. */
export interface Answer {
  value: Json;
  etag: string | null;
}

export interface Connection {
  url: string;
  apiKey: string | null;
  /** The network. */
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
}

export class Client {
  readonly url: string;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.url = connection.url;
    this.#connection = connection;
  }

  /** A record. @throws Failure */
  async get(path: string, query: Init["query"] = {}): Promise<JsonObject> {
    const { value } = await this.request("GET", path, { query });
    if (!isObject(value)) throw new Failure(EXIT.failed, "unexpected", `${path} answered with something unexpected`);
    return value;
  }

  /** Any request that is answered in JSON. @throws Failure */
  async request(method: string, path: string, init: Init = {}): Promise<Answer> {
    const response = await this.#send(method, path, init, "application/json");
    const text = await response.text();
    try {
      return { value: text === "" ? null : (JSON.parse(text) as Json), etag: response.headers.get("etag") };
    } catch {
      const message = `${this.url} answers with something other than JSON: is it the address of a Switchboard?`;
      throw new Failure(EXIT.failed, "unexpected", message);
    }
  }

  /** A page or file as text. @throws Failure */
  async text(path: string): Promise<string> {
    return (await this.#send("GET", path, {}, "*/*")).text();
  }

  /**
   * A stream's events, without end: where the connection is lost, it goes on after the last event that came.
   * @throws Failure where the service refuses, or cannot be reached for minutes
   */
  async *events(path: string, query: Init["query"] = {}, options: StreamOptions = {}): AsyncGenerator<ServerEvent> {
    let { lastEventId, onLost } = options;
    for (let lost = 0; ; lost++) {
      try {
        const response = await this.#once("GET", path, { query }, "text/event-stream", lastEventId);
        if (lost > 0) options.onBack?.();
        for await (const event of serverEvents(response.body)) {
          lost = 0;
          if (event.id) lastEventId = event.id;
          yield event;
        }
      } catch (error) {
        if (!(error instanceof Failure) || error.exit !== EXIT.unavailable || lost >= RECONNECTIONS) throw error;
      }
      onLost?.();
      await this.#connection.sleep(RECONNECT_MS[Math.min(lost, RECONNECT_MS.length - 1)] ?? RETRY_MS);
    }
  }

  /** What may be repeated is tried a second time: reads and changes, and a POST under one Idempotency-Key. */
  async #send(method: string, path: string, init: Init, accept: string): Promise<Response> {
    const idempotencyKey = method === "POST" && !(init.body instanceof FormData) ? randomUUID() : undefined;
    const repeatable = !(init.body instanceof FormData);
    try {
      return await this.#once(method, path, init, accept, undefined, idempotencyKey);
    } catch (error) {
      if (!repeatable || !(error instanceof Failure) || error.exit !== EXIT.unavailable) throw error;
      await this.#connection.sleep(RETRY_MS);
      return this.#once(method, path, init, accept, undefined, idempotencyKey);
    }
  }

  async #once(
    method: string,
    path: string,
    { query = {}, body, ifMatch }: Init,
    accept: string,
    lastEventId?: string,
    idempotencyKey?: string,
  ): Promise<Response> {
    const address = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const headers = new Headers({ accept: `${accept}, application/problem+json` });
    const { apiKey } = this.#connection;
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    if (ifMatch) headers.set("if-match", ifMatch);
    if (lastEventId) headers.set("last-event-id", lastEventId);
    if (idempotencyKey) headers.set("idempotency-key", idempotencyKey);
    if (body && !(body instanceof FormData)) headers.set("content-type", "application/json");
    const payload = body instanceof FormData ? body : body && JSON.stringify(body);
    let response: Response;
    try {
      response = await this.#connection.fetch(address, { method, headers, body: payload ?? null, redirect: "error" });
    } catch {
      throw new Failure(EXIT.unavailable, "unreachable", `${this.url} cannot be reached`);
    }
    if (response.ok) return response;
    throw refusalOf(response, await response.text().catch(() => ""), apiKey !== null);
  }
}

export interface StreamOptions {
  /** Where to go on. */
  lastEventId?: string | undefined;
  onLost?: (() => void) | undefined;
  onBack?: (() => void) | undefined;
}

/** What a refused request says, and what the command's exit code makes of it. */
function refusalOf(response: Response, text: string, withKey: boolean): Failure {
  const { status, headers } = response;
  let problem: unknown = null;
  try {
    problem = JSON.parse(text);
  } catch {
    // What stands between here and the service may answer with a page: its status says enough.
  }
  const said = typeof problem === "string" ? problem : isObject(problem) ? textOf(problem, "detail") : "";
  const code = headers.get("x-error-code") ?? `http_${status}`;
  const advice = status === 401 ? ` Sign in: switchboard login` : "";
  const fallback = status === 401 && !withKey ? "you are not signed in" : `the service answered ${status}`;
  const message = status === 401 ? `${said || fallback}.${advice}` : said || fallback;
  return new Failure(exitOf(status), code, message, headers.get("x-request-id"));
}

function exitOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.signIn;
  if (status === 409 || status === 412) return EXIT.conflict;
  if (status === 429 || status >= 500) return EXIT.unavailable;
  return EXIT.failed;
}
