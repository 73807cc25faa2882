import type { OutRequest } from "../../../kernel/egress/open-out.ts";
import { type HttpConfig, splitUrl } from "./config.ts";
import {
  FillRefused,
  fillBase,
  fillHeader,
  fillHost,
  fillJson,
  fillPairs,
  fillPath,
  fillQuery,
  fillText,
  type Values,
} from "./fill.ts";

/** A request in the form in which it is sent, with its body in readable form. */
export interface BuiltRequest {
  out: OutRequest;
  body: unknown;
}

export type BasicCredentials = (username: string, password: string) => string;

/** Options of a request besides its configuration and values. */
interface RequestOptions {
  basic?: BasicCredentials;
  /**
   * The header by which the service recognizes a repeated request. If the configuration sets the header itself, that
   * one is used.
   */
  idempotencyKey?: string | null;
}

/** Builds the request that a configuration describes, with these values. @throws FillRefused */
export function buildRequest(
  config: HttpConfig,
  values: Values,
  { basic = encodeBasic, idempotencyKey = null }: RequestOptions = {},
): BuiltRequest {
  const headers = new Map<string, string>([["accept", "application/json, text/*;q=0.9, */*;q=0.5"]]);
  if (idempotencyKey !== null) headers.set("idempotency-key", idempotencyKey);
  const content = bodyOf(config, values);
  if (content.type !== null) headers.set("content-type", content.type);
  for (const [name, value] of Object.entries(headersOf(config, values, basic))) headers.set(name.toLowerCase(), value);
  return {
    out: {
      method: config.method,
      url: urlOf(config, values),
      headers: Object.fromEntries(headers),
      body: content.text,
    },
    body: content.shown,
  };
}

function urlOf({ url, query: fields }: HttpConfig, values: Values): string {
  const { base, scheme, host, path, query } = splitUrl(url);
  const own = base === null ? null : fillBase(base, values);
  const origin = own?.origin ?? `${scheme}://${fillHost(host, values)}`;
  const filledPath = `${own?.path ?? ""}${fillPath(path, values)}` || "/";
  const added = new URLSearchParams(fillPairs(fields, values)).toString();
  const pairs = [...fillQuery(query, values), ...(added === "" ? [] : [added])];
  const address = `${origin}${filledPath}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
  assertSame(address, origin, filledPath);
  return address;
}

/** Checks that the parsed address has the intended origin and path, so that every parser agrees. @throws FillRefused */
function assertSame(address: string, origin: string, path: string): void {
  if (!URL.canParse(address)) throw new FillRefused("the values do not form a valid address");
  const [read, meant] = [new URL(address), new URL(origin)];
  const segments = (text: string) => text.split("/").length;
  const isSame =
    read.origin === meant.origin &&
    read.username === "" &&
    read.password === "" &&
    read.hash === "" &&
    segments(read.pathname) === segments(path);
  if (!isSame) throw new FillRefused("the values would change the host or path of the address");
}

function headersOf({ headers, auth }: HttpConfig, values: Values, basic: BasicCredentials): Record<string, string> {
  const filled = Object.entries(headers).flatMap(([name, template]) => {
    const value = fillHeader(name, template, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  const credentials = auth && credentialsOf(auth, values, basic);
  return Object.fromEntries(credentials ? [...filled, credentials] : filled);
}

function credentialsOf(
  auth: NonNullable<HttpConfig["auth"]>,
  values: Values,
  basic: BasicCredentials,
): [string, string] {
  if (auth.type === "basic") {
    const [username, password] = [fillText(auth.username, values), fillText(auth.password, values)];
    if (username === undefined || password === undefined) throw new FillRefused("the credentials are unknown");
    // The username ends at the first colon (RFC 7617, 2).
    if (username.includes(":")) throw new FillRefused("the name of the credentials must not contain a colon");
    return ["authorization", `Basic ${basic(username, password)}`];
  }
  const [name, template] = auth.type === "bearer" ? ["authorization", auth.token] : [auth.name, auth.value];
  const value = fillHeader(name, template, values);
  if (value === undefined) throw new FillRefused("the credentials are unknown");
  return [name, auth.type === "bearer" ? `Bearer ${value}` : value];
}

/** Encodes HTTP Basic credentials (RFC 7617) in UTF-8. */
export function encodeBasic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

interface Content {
  type: string | null;
  text: string | null;
  shown: unknown;
}

function bodyOf({ body, form }: HttpConfig, values: Values): Content {
  if (form !== undefined) {
    const text = new URLSearchParams(fillPairs(form, values)).toString();
    return { type: "application/x-www-form-urlencoded", text, shown: text };
  }
  if (body === undefined) return { type: null, text: null, shown: null };
  const filled = fillJson(body, values) ?? null;
  return { type: "application/json", text: JSON.stringify(filled), shown: filled };
}
