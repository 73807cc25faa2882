import type { Context } from "hono";
import { bodyDeadline, type Later, MAX_BODY_MS } from "./body-deadline.ts";
import { decodedBody } from "./content-encoding.ts";
import type { Access, AppEnv } from "./context.ts";
import { ApiError, invalid } from "./errors.ts";
import { MAX_TEXT_BYTES } from "./fields.ts";
import { inspectJson, type JsonRules, MAX_KEY_CHARS, MAX_VALUES, MAX_VALUES_OF_ANYBODY } from "./inspect-json.ts";

/** The limits of a body in bytes: how much is accepted, and how much of a larger body is read before the response. */
export interface BodyLimit {
  kept: number;
  /** Larger than `kept`, because a client whose connection closes while it sends never sees the response. */
  read: number;
}

/** The limit for authenticated callers. */
export const FROM_A_PRINCIPAL: BodyLimit = { kept: 1024 * 1024, read: 33 * 1024 * 1024 };
/**
 * The limit for all other clients. Sign-ins and carriers' reports have a few KB, and an anonymous client must not keep
 * the service busy with reading.
 */
export const FROM_ANYBODY: BodyLimit = { kept: 64 * 1024, read: 1024 * 1024 };

interface BodyRules {
  access: Access;
  bodyOptional?: true;
  bodyLimit?: BodyLimit;
}

/**
 * Parses a JSON body once, and refuses values that handlers must not receive. An empty body counts as `{}` if the body
 * is optional.
 */
export async function readJsonBody(c: Context<AppEnv>, { bodyOptional, bodyLimit, access }: BodyRules): Promise<void> {
  const { headers } = c.req.raw;
  const limit = bodyLimit ?? (c.get("principal") ? FROM_A_PRINCIPAL : FROM_ANYBODY);
  const bytes = await readBytes({ headers, body: decodedBody(c.req.raw) }, limit);
  if (bytes.length === 0 && bodyOptional) {
    c.req.bodyCache.json = Promise.resolve({});
    return;
  }
  if (!isJson(c)) throw invalid("content type must be application/json", "unsupported_content_type");
  const values = c.get("principal") || c.get("runtime") ? MAX_VALUES : MAX_VALUES_OF_ANYBODY;
  // A runtime may split a character in two, which must not make it lose the whole report.
  c.req.bodyCache.json = Promise.resolve(parseJson(bytes, { values, halfPairs: access === "runtime" }));
}

/** Returns the parsed JSON body of the request, without the copy that the framework would make. */
export const sentJson = (c: Context<AppEnv>): Promise<unknown> => c.req.bodyCache.json;

/**
 * Reads a JSON body that was sent to an endpoint without one; undefined if there is none. Its text is kept for the
 * fingerprint of an idempotency key.
 */
export async function readStrayJson(c: Context<AppEnv>, limit: BodyLimit): Promise<unknown> {
  if (c.req.raw.body === null || !isJson(c)) return undefined;
  const { headers } = c.req.raw;
  const text = new TextDecoder().decode(await readBytes({ headers, body: decodedBody(c.req.raw) }, limit));
  c.req.bodyCache.text = text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isJson = (c: Context<AppEnv>) =>
  /^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(c.req.header("content-type") ?? "");

/**
 * Parses JSON within the limits that apply to every body. Only `textBytes` may allow longer texts.
 * @throws ApiError 400
 */
export function parseJson(
  bytes: Uint8Array,
  { values, halfPairs, textBytes = MAX_TEXT_BYTES }: Pick<JsonRules, "values" | "halfPairs"> & Partial<JsonRules>,
): unknown {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw invalid("malformed JSON", "malformed_json");
  }
  inspectJson(json, { values, keyChars: MAX_KEY_CHARS, textBytes, halfPairs, protoKeys: false });
  return json;
}

/**
 * Reads the whole body. If a body announces more than `read` bytes, it is not read at all.
 * @throws ApiError 413 if it is larger than `kept`, 400 if it is cut off, 408 if it takes too long
 */
export async function readBytes(
  request: Pick<Request, "headers" | "body">,
  { kept, read }: BodyLimit,
  after?: Later,
): Promise<Uint8Array> {
  const tooLarge = () => new ApiError(413, "body_too_large", `the body is larger than ${kept} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > read) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const deadline = bodyDeadline(MAX_BODY_MS, (reason) => reader.cancel(reason).catch(() => {}), after);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let piece = await reader.read(); !piece.done && size <= read; piece = await reader.read()) {
      size += piece.value.length;
      if (size <= kept) chunks.push(piece.value);
    }
  } catch (error) {
    deadline.assertNotOver();
    if (error instanceof ApiError) throw error;
    // Only the client's connection can fail here: the client closed it early, or framed the body incorrectly.
    throw invalid("the body is incomplete", "body_incomplete");
  } finally {
    deadline.end();
    if (size > read) reader.cancel().catch(() => {});
  }
  deadline.assertNotOver();
  if (size > kept) throw tooLarge();
  return joined(chunks, size);
}

function joined(chunks: Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
