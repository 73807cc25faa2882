import { z } from "zod";
import { arrayItems } from "./array-items.ts";

/** An error of the API, in the form in which the assistant receives it. */
export class Refused extends Error {
  readonly status: number;
  /** The problem's slug; "" if it has none. */
  readonly code: string;
  /** The time after which to retry, s, if the API sent Retry-After; null otherwise. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, code = "", retryAfter: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter === null || !/^\d{1,6}$/.test(retryAfter) ? null : Number(retryAfter);
  }
}

const problem = z.object({ title: z.string(), code: z.string() });
const FROM_WHERE = ["cf-connecting-ip"];
/** The headers that identify the caller and its address. */
const OF_THE_CALLER = [...FROM_WHERE, "authorization", "x-account-id"];

interface Revised<T> {
  value: T;
  revision: number;
  version: string;
}

type Query = Record<string, string | number | null | undefined>;

interface Sent {
  body?: unknown;
  /** The revision that the resource must have. */
  revision?: number;
  query?: Query;
}

/**
 * Calls the API with the key of the incoming request, so that scopes, agents, masking, quotas, rates and the audit log
 * apply to tools as they do to every client.
 */
export class Api {
  readonly #caller: Request;
  readonly #service: (request: Request) => Promise<Response>;

  constructor(caller: Request, service: (request: Request) => Promise<Response>) {
    this.#caller = caller;
    this.#service = service;
  }

  /** Returns the resource at the path, parsed with its schema, which drops other fields. @throws Refused */
  async get<S extends z.ZodType>(path: string, schema: S, query: Query = {}): Promise<z.output<S>> {
    return schema.parse(await (await this.#send("GET", path, { query })).json());
  }

  /** Returns the items of the list at the path one after the other, because it may be long. @throws Refused */
  async *each<S extends z.ZodType>(path: string, schema: S): AsyncGenerator<z.output<S>> {
    const { body } = await this.#send("GET", path, {});
    if (body) for await (const item of arrayItems(body)) yield schema.parse(item);
  }

  /**
   * Returns the resource with its ETag, which changes whenever the response does, and the revision in it.
   * @throws Refused
   */
  async revised<S extends z.ZodType>(path: string, schema: S): Promise<Revised<z.output<S>>> {
    const response = await this.#send("GET", path, {});
    const version = response.headers.get("etag") ?? "";
    const [, revision = "0"] = /^(?:W\/)?"(\d+)\./.exec(version) ?? [];
    return { value: schema.parse(await response.json()), revision: Number(revision), version };
  }

  /** @throws Refused */
  async send<S extends z.ZodType>(
    method: "POST" | "PATCH",
    path: string,
    schema: S,
    sent: Sent = {},
  ): Promise<z.output<S>> {
    return schema.parse(await (await this.#send(method, path, sent)).json());
  }

  /** @throws Refused */
  async text(path: string): Promise<string> {
    return (await this.#send("GET", path, {})).text();
  }

  /** Opens a WebSocket at the path and accepts it; its first frame authenticates the session. @throws Refused */
  async socket(path: string): Promise<WebSocket> {
    const response = await this.#service(this.#request("GET", path, { upgrade: "websocket" }, null, FROM_WHERE));
    const { webSocket } = response;
    if (!webSocket) throw new Refused(response.status, "there is no connection to the agent");
    webSocket.accept();
    return webSocket;
  }

  async #send(method: string, path: string, { body, revision, query = {} }: Sent): Promise<Response> {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) params.set(name, String(value));
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["content-type"] = "application/json";
    // An assistant's request is either carried out completely or refused.
    if (method !== "GET") headers.prefer = "handling=strict";
    if (revision !== undefined) headers["if-match"] = `"${revision}."`;
    const address = params.size === 0 ? path : `${path}?${params}`;
    const response = await this.#service(
      this.#request(method, address, headers, body === undefined ? null : JSON.stringify(body)),
    );
    if (response.ok) return response;
    const parsed = problem.safeParse(await response.json().catch(() => null));
    const { title, code } = parsed.success ? parsed.data : { title: `failed with ${response.status}`, code: "" };
    const message = code === "" ? title : `${title} (${code})`;
    throw new Refused(response.status, message, code, response.headers.get("retry-after"));
  }

  #request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | null = null,
    carried = OF_THE_CALLER,
  ): Request {
    const all = new Headers({ accept: "application/json, application/problem+json" });
    for (const name of carried) {
      const value = this.#caller.headers.get(name);
      if (value !== null) all.set(name, value);
    }
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return new Request(new URL(path, this.#caller.url), { method, headers: all, body });
  }
}
