import { MAX_ORIGIN_CHARS, MAX_ORIGINS } from "../../src/account/visitors/widget-fields.ts";
import {
  MAX_CLIENT_KEY_CHARS,
  MAX_TOKEN_CHARS,
  MAX_USER_ID_CHARS,
} from "../../src/conversation/widget/visitor-contract.ts";
import { FROM_A_PRINCIPAL, FROM_ANYBODY } from "../../src/kernel/http/body.ts";
import { MAX_TEXT_BYTES } from "../../src/kernel/http/fields.ts";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../../src/kernel/http/idempotency.ts";
import { MAX_KEY_CHARS, MAX_VALUES, MAX_VALUES_OF_ANYBODY } from "../../src/kernel/http/inspect-json.ts";
import { MAX_HEADERS_CHARS, MAX_URL_CHARS } from "../../src/kernel/http/request-scope.ts";
import { MAX_PARAMETER_CHARS, MAX_SEGMENT_CHARS } from "../../src/kernel/http/validate.ts";
import { MAX_DEPTH } from "../../src/kernel/objects.ts";
import { MAX_COLUMNS, MAX_FILE_COLUMNS, MAX_ROW_CHARS } from "../../src/lists/columns.ts";
import { MOST_OF_A_BATCH } from "../../src/mcp/contract.ts";
import { LIMIT as MCP_LIMIT } from "../../src/mcp/routes.ts";
import { AT_ONCE } from "../../src/phone/do-not-call/contract.ts";

type Headers_ = Record<string, string>;

/** A request of some size. */
export interface Sized {
  method?: string;
  path: string;
  headers?: Headers_;
  body?: BodyInit;
}

/** The context of a row's requests. */
export interface Around {
  account: string;
  agentId: string;
  clientKey: string;
  /** The headers of a server with an API key. */
  server: Headers_;
}

/** A size that a caller chooses. */
export interface Size {
  name: string;
  bound: number;
  /** Returns the request with this size. */
  request(size: number, around: Around): Sized | Promise<Sized>;
  /** The responses at the limit and just over it: the status, and the slug of an error. */
  at: string;
  over: string;
  /** The maximum number of storage round trips of the request at the limit. Over the limit, none of them writes. */
  trips: number;
  /**
   * The maximum number of characters that are joined into texts for the request at the limit, such as paths and
   * messages; 0 if omitted.
   */
  built?: number;
}

const ID = "019aa5c4-0000-7000-8000-000000000000";
const JSON_TYPE = { "content-type": "application/json" };
const zeros = (count: number) => `[${"0,".repeat(Math.max(count - 1, 0))}0]`;
/** Returns a body with this many values: the object, the list, and zeros. */
const valued = (values: number) => `{"x":${zeros(values - 2)}}`;
const nested = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
const gzipped = (text: string) =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
/** Returns a body that is sent in pieces, without Content-Length. */
const chunked = (text: string) => new Blob([text]).stream();

const anybody = (body: BodyInit, headers: Headers_ = {}): Sized => ({
  method: "POST",
  path: "/api/session/refresh",
  headers: Object.assign({}, JSON_TYPE, headers),
  body,
});
const tool = (body: BodyInit, { server }: Around, headers: Headers_ = {}): Sized => ({
  method: "POST",
  path: "/api/v1/tools",
  headers: Object.assign({}, JSON_TYPE, server, headers),
  body,
});
const post = (path: string, body: unknown, { server }: Around, headers: Headers_ = {}): Sized => ({
  method: "POST",
  path,
  headers: Object.assign({}, JSON_TYPE, server, headers),
  body: JSON.stringify(body),
});
const mcp = (body: string, { server }: Around): Sized => ({
  method: "POST",
  path: "/mcp",
  headers: Object.assign({ accept: "application/json, text/event-stream" }, JSON_TYPE, server),
  body,
});
const list = (csv: string, { server }: Around, fields: Record<string, string> = {}): Sized => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("contacts", new File([csv], "contacts.csv", { type: "text/csv" }));
  return { method: "POST", path: "/api/v1/campaigns", headers: server, body };
};
const get = (path: string, headers: Headers_): Sized => ({ path, headers });
/** Returns headers of this many characters. One of them repeats this piece as often as there is room. */
function padded(size: number, headers: Headers_, name = "x-pad", piece = "x"): Headers_ {
  const own = Object.entries(headers).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const room = size - own - name.length;
  return Object.assign({}, headers, {
    [name]: piece
      .repeat(Math.ceil(room / piece.length))
      .slice(0, room - 1)
      .padEnd(room, "x"),
  });
}
const columns = (count: number) => {
  const names = Array.from({ length: count - 1 }, (_, i) => `c${i}`);
  return `phone_number,${names.join(",")}\n+12025550110${",".repeat(count - 1)}\n`;
};
const ORIGIN = "https://a.example";

export const SIZES: Size[] = [
  {
    name: "Address, characters",
    bound: MAX_URL_CHARS,
    request: (size) => get(`/api/v1/tools?${"x".repeat(size - "https://switchboard.test/api/v1/tools?".length)}`, {}),
    at: "401 token_missing",
    over: "414 url_too_long",
    trips: 0,
  },
  ...["authorization", "accept", "if-none-match", "x-account-id", "x-visitor-token", "last-event-id"].map((name) => ({
    name: `All headers, with a long ${name}, characters`,
    bound: MAX_HEADERS_CHARS,
    request: (size: number) => get("/api/v1/tools", { [name]: "x".repeat(size - name.length) }),
    at: name === "authorization" ? "400 malformed_token" : "401 token_missing",
    over: "431 headers_too_long",
    trips: 0,
  })),
  {
    name: "All headers of an authenticated caller, characters",
    bound: MAX_HEADERS_CHARS,
    request: (size, { server }) => get("/api/v1/tools", padded(size, server)),
    at: "200",
    over: "431 headers_too_long",
    trips: 2,
  },
  {
    name: "If-None-Match with many tags, all headers, characters",
    bound: MAX_HEADERS_CHARS,
    request: (size, { server }) => get("/api/v1/tools", padded(size, server, "if-none-match", '"1.a", ')),
    at: "200",
    over: "431 headers_too_long",
    trips: 2,
  },
  ...["/api/v1/events/stream", `/api/v1/campaigns/${ID}/events`, `/api/v1/conversations/${ID}/events`].map((path) => ({
    name: `Last-Event-ID of ${path.replace(ID, "{id}")}, all headers, characters`,
    bound: MAX_HEADERS_CHARS,
    request: (size: number, { server }: Around) => get(path, padded(size, server, "last-event-id", "7")),
    at: path.includes(ID) ? "404 not_found" : "400 unknown_event",
    over: "431 headers_too_long",
    trips: 4,
  })),
  {
    name: "Segment of a path, characters",
    bound: MAX_SEGMENT_CHARS,
    request: (size, { server }) => get(`/api/v1/tools/${"x".repeat(size)}`, server),
    at: "404 not_found",
    over: "404 not_found",
    trips: 2,
  },
  {
    name: "Idempotency-Key, characters",
    bound: MAX_IDEMPOTENCY_KEY_CHARS,
    request: (size, around) => post("/api/v1/agents", { name: "Ada" }, around, { "idempotency-key": "k".repeat(size) }),
    at: "201",
    over: "400 invalid_idempotency_key",
    trips: 6,
  },
  {
    name: "Query parameter, characters",
    bound: MAX_PARAMETER_CHARS,
    request: (size, { server }) => get(`/api/v1/tools?unknown=${"x".repeat(size)}`, server),
    at: "400 unknown_query_parameter",
    over: "400 invalid_request",
    trips: 1,
  },
  {
    name: "Unauthenticated body, bytes",
    bound: FROM_ANYBODY.kept,
    request: (size) => anybody("{}".padEnd(size)),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Unauthenticated body without Content-Length, bytes",
    bound: FROM_ANYBODY.kept,
    request: (size) => anybody(chunked("{}".padEnd(size))),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Unauthenticated body, unpacked, bytes",
    bound: FROM_ANYBODY.kept,
    request: async (size) => anybody(await gzipped("{}".padEnd(size)), { "content-encoding": "gzip" }),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Values of an unauthenticated body",
    bound: MAX_VALUES_OF_ANYBODY,
    request: (size) => anybody(valued(size)),
    at: "400 invalid_request",
    over: "400 too_many_values",
    trips: 1,
  },
  {
    name: "Body, bytes",
    bound: FROM_A_PRINCIPAL.kept,
    request: (size, around) => tool("{}".padEnd(size), around),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Body without Content-Length, bytes",
    bound: FROM_A_PRINCIPAL.kept,
    request: (size, around) => tool(chunked("{}".padEnd(size)), around),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Body, unpacked, bytes",
    bound: FROM_A_PRINCIPAL.kept,
    request: async (size, around) => tool(await gzipped("{}".padEnd(size)), around, { "content-encoding": "gzip" }),
    at: "400 invalid_request",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Values of a body",
    bound: MAX_VALUES,
    request: (size, around) => tool(valued(size), around),
    at: "400 invalid_request",
    over: "400 too_many_values",
    trips: 1,
  },
  {
    name: "Key of a body, characters",
    bound: MAX_KEY_CHARS,
    request: (size, around) => tool(`{"${"k".repeat(size)}":0}`, around),
    at: "400 invalid_request",
    over: "400 key_too_long",
    trips: 1,
  },
  {
    name: "Depth of a body",
    bound: MAX_DEPTH,
    request: (size, around) => tool(nested(size), around),
    at: "400 invalid_request",
    over: "400 nesting_too_deep",
    trips: 1,
  },
  {
    name: "Text of a body, bytes",
    bound: MAX_TEXT_BYTES,
    request: (size, around) => post("/api/v1/agents", { name: "Ada", system_prompt: "x".repeat(size) }, around),
    at: "201",
    over: "400 invalid_request",
    trips: 3,
  },
  {
    name: "Columns of a list that are used",
    bound: MAX_COLUMNS,
    request: (size, around) => list(columns(size), around),
    at: "201",
    over: "400 invalid_csv",
    trips: 4,
    built: 16_000,
  },
  {
    name: "Columns of a list's file, those that are left out included",
    bound: MAX_FILE_COLUMNS,
    request: (size, around) => {
      const names = Array.from({ length: size - 1 }, (_, i) => [`c${i}`, null] as const);
      return list(columns(size), around, { columns: JSON.stringify(Object.fromEntries(names)) });
    },
    at: "201",
    over: "400 invalid_csv",
    trips: 4,
    built: 48_000,
  },
  {
    name: "Row of a list, characters",
    bound: MAX_ROW_CHARS,
    request: (size, around) => list(`phone_number,n\n+12025550110,${"x".repeat(size - 12)}\n`, around),
    at: "201",
    over: "400 invalid_csv",
    trips: 4,
    built: 12_000,
  },
  {
    name: "Key of a list's `rows`, characters",
    bound: MAX_ROW_CHARS,
    request: (size, around) => list(columns(2), around, { rows: `{"2":{"${"k".repeat(size)}":""}}` }),
    at: "400 invalid_csv",
    over: "400 key_too_long",
    trips: 4,
    built: 12_000,
  },
  {
    name: "Body for assistants (MCP), bytes",
    bound: MCP_LIMIT.kept,
    request: (size, around) => mcp("{}".padEnd(size), around),
    at: "400",
    over: "413 body_too_large",
    trips: 1,
    built: 20_000,
  },
  {
    name: "Body for assistants (MCP), unpacked, bytes",
    bound: MCP_LIMIT.kept,
    request: async (size, around) => {
      const packed = await gzipped("{}".padEnd(size));
      const { path, headers = {} } = mcp("", around);
      return { method: "POST", path, headers: Object.assign({ "content-encoding": "gzip" }, headers), body: packed };
    },
    at: "400",
    over: "413 body_too_large",
    trips: 1,
  },
  {
    name: "Batch for assistants (MCP), calls of tools",
    bound: MOST_OF_A_BATCH,
    request: (size, around) => {
      const params = { name: "list_agents", arguments: {} };
      const calls = Array.from({ length: size }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params }));
      return mcp(JSON.stringify(calls), around);
    },
    at: "200",
    over: "400 batch_too_large",
    trips: 1 + 2 * MOST_OF_A_BATCH,
    built: 40_000,
  },
  {
    name: "Batch for assistants (MCP), messages",
    bound: MOST_OF_A_BATCH,
    request: (size, around) =>
      mcp(JSON.stringify(Array(size).fill({ jsonrpc: "2.0", method: "notifications/x" })), around),
    at: "202",
    over: "400 batch_too_large",
    trips: 1,
  },
  {
    name: "Widget key, as sent, characters",
    bound: MAX_CLIENT_KEY_CHARS,
    request: (size) => ({
      method: "POST",
      path: "/api/v1/widget/auth/guest",
      headers: JSON_TYPE,
      body: JSON.stringify({ client_key: "k".repeat(size) }),
    }),
    at: "403 client_key_unknown",
    over: "400 invalid_request",
    trips: 1,
  },
  {
    name: "Visitor's token, as sent, characters",
    bound: MAX_TOKEN_CHARS,
    request: (size) => ({
      method: "POST",
      path: "/api/v1/widget/auth/refresh",
      headers: JSON_TYPE,
      body: JSON.stringify({ refresh_token: "k".repeat(size) }),
    }),
    at: "400 token_invalid",
    over: "400 invalid_request",
    trips: 1,
  },
  {
    name: "User's id, characters",
    bound: MAX_USER_ID_CHARS,
    request: (size, around) =>
      post("/api/v1/widget/auth/user-token", { client_key: around.clientKey, user_id: "u".repeat(size) }, around),
    at: "200",
    over: "400 invalid_request",
    trips: 4,
  },
  {
    name: "Origins of a widget key",
    bound: MAX_ORIGINS,
    request: (size, around) => {
      const domain_allowlist = Array.from({ length: size }, (_, i) => `https://s${i}.example`);
      return post("/api/v1/widget-keys", { name: "a", agent_id: around.agentId, domain_allowlist }, around);
    },
    at: "201",
    over: "400 invalid_request",
    trips: 4,
  },
  {
    name: "Origin of a widget key, characters",
    bound: MAX_ORIGIN_CHARS,
    request: (size, around) => {
      const domain_allowlist = [`${ORIGIN}/${"x".repeat(size - ORIGIN.length - 1)}`];
      return post("/api/v1/widget-keys", { name: "a", agent_id: around.agentId, domain_allowlist }, around);
    },
    at: "400 invalid_origin",
    over: "400 invalid_request",
    trips: 1,
  },
  {
    name: "Numbers put on the do-not-call list at once",
    bound: AT_ONCE,
    request: (size, around) => {
      const numbers = Array.from({ length: size }, (_, i) => `+1202${5_550_000 + i}`);
      return post("/api/v1/do-not-call", { numbers }, around);
    },
    at: "201",
    over: "400 invalid_request",
    trips: 6,
  },
];
