import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { isInPieces, listInPieces } from "../pieces.ts";
import { AbsentReads } from "./absent-reads.ts";
import { visibleTo } from "./content.ts";
import type { AppEnv, Principal } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError, renderError } from "./errors.ts";
import { answerHeader, jsonResponse } from "./headers.ts";
import { jsonArray, jsonPage } from "./json-array.ts";
import { isNamed, type Kept, KeptReads, keptOf } from "./kept-reads.ts";

type Schema = z.ZodType;

/** Converts the handler's result into a response. */
export async function respond(c: Context<AppEnv>, definition: Endpoint, answer: unknown): Promise<Response> {
  const { status, response, kept, revised, method } = definition;
  if (answer instanceof Response) return answer;
  if (!response) return c.body(null, status as 204);
  const text = await textOf(c, response, answer);
  if (text instanceof Response) return text;
  if (!kept && !revised) return jsonResponse(c, text, status);
  const revision = revised ? holdsRevision.parse(answer).revision : null;
  const tagged = kept ? await keep(c, encode(text), revision) : await keptOf(encode(text), revision);
  return method === "get" ? keptResponse(c, tagged) : jsonResponse(c, text, status, { etag: tagged.etag });
}

/** Returns the answer as JSON: a text, or a stream if it is a long array or has a list in pieces. */
async function textOf(c: Context<AppEnv>, schema: Schema, answer: unknown): Promise<string | Response> {
  const itemsOf = (list: z.ZodArray) => (item: unknown) => shownTo(c, list.element as Schema, item);
  if (schema instanceof z.ZodArray && (Array.isArray(answer) || isInPieces(answer)))
    return jsonArray(Array.isArray(answer) ? [answer] : answer, itemsOf(schema));
  const list = listInPieces(answer);
  if (!list || !(schema instanceof z.ZodObject)) return JSON.stringify(shownTo(c, schema, answer));
  const { [list.name]: field, ...others } = schema.shape;
  return jsonPage(list, itemsOf(field as z.ZodArray), () => shownTo(c, z.object(others), answer));
}

/** Parses the value with its schema and removes what the caller may not see. */
export function shownTo(c: Context<AppEnv>, schema: Schema, value: unknown): unknown {
  const parsed = schema.parse(value);
  const principal = c.get("principal") as Principal | undefined;
  return principal ? visibleTo(principal, schema, parsed) : parsed;
}

/** Adds the ETag of the changed resource, as its GET returns it, to a response without a body. */
export async function tagAnswer(c: Context<AppEnv>, schema: Schema, row: { revision: number }): Promise<void> {
  answerHeader(c, "etag", (await keptOf(encode(JSON.stringify(schema.parse(row))), row.revision)).etag);
}

const holdsRevision = z.object({ revision: z.int() });

const encoder = new TextEncoder();
const encode = (text: string) => encoder.encode(text) as Uint8Array<ArrayBuffer>;
const keptReads = new KeptReads();
const absentReads = new AbsentReads();

/** Returns the cache key: the caller view, the routed path, and the query as it was sent. A caller view contains no slash. */
function requestOf(c: Context<AppEnv>): string {
  const query = c.req.url.indexOf("?");
  const path = c.get("principal").callerView + c.req.path;
  return query === -1 ? path : path + c.req.url.slice(query);
}

/** Returns the cached response or 404 for this request, if the configuration is unchanged since. */
export function recall(c: Context<AppEnv>): Kept | ApiError | undefined {
  const version = c.get("catalogueVersion");
  if (version === null) return undefined;
  const { account } = c.get("principal");
  const [request, now] = [requestOf(c), c.get("now")];
  return keptReads.get(account, version, request, now) ?? absentReads.get(account, version, request, now);
}

export function keptAnswer(c: Context<AppEnv>, kept: Kept | ApiError): Response {
  return kept instanceof ApiError ? renderError(kept, c) : keptResponse(c, kept);
}

/** Handles a read of configuration, and caches its 404. */
export async function keepingAbsence<T>(c: Context<AppEnv>, handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    const version = c.get("catalogueVersion");
    if (error instanceof ApiError && error.status === 404 && version !== null)
      absentReads.put(c.get("principal").account, version, requestOf(c), error, c.get("now"));
    throw error;
  }
}

/** Returns the response, or 304 if the client already has it (If-None-Match; RFC 9110, 13.1.2). */
function keptResponse(c: Context<AppEnv>, { body, etag }: Kept): Response {
  // The client may cache it, but must revalidate it each time.
  const headers = { etag, "cache-control": "private, no-cache", vary: "authorization, x-account-id" };
  const has = isNamed(etag, c.req.header("if-none-match"));
  return jsonResponse(c, has ? null : body, has ? 304 : 200, headers);
}

/** Caches the response under the version that the gate reported before the read. */
async function keep(c: Context<AppEnv>, body: Uint8Array<ArrayBuffer>, revision: number | null): Promise<Kept> {
  const entry = await keptOf(body, revision);
  const version = c.get("catalogueVersion");
  if (version !== null) keptReads.put(c.get("principal").account, version, requestOf(c), entry, c.get("now"));
  return entry;
}
