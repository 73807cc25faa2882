import type { Context } from "hono";
import { decodedBody } from "./content-encoding.ts";
import type { Access, AppEnv } from "./context.ts";
import { ApiError, type FieldError, invalid } from "./errors.ts";
import { MAX_TEXT_BYTES } from "./fields.ts";
import { invalidFields } from "./issues.ts";

/** How much of a body is kept, and how much is read of one that is too large before the answer, bytes. */
export interface BodyLimit {
  kept: number;
  /** More than `kept`, because a client whose connection closes while it sends never sees the answer. */
  read: number;
}

/** The limit for authenticated callers. */
export const FROM_A_PRINCIPAL: BodyLimit = { kept: 1024 * 1024, read: 33 * 1024 * 1024 };
/** The limit for anyone: sign-ins and carriers' reports are a few KB, and a stranger must not keep us reading. */
export const FROM_ANYBODY: BodyLimit = { kept: 64 * 1024, read: 1024 * 1024 };
const MAX_DEPTH = 64;

/** An endpoint's rules for its body. */
interface BodyRules {
  access: Access;
  bodyOptional?: true;
  bodyLimit?: BodyLimit;
}

/**
 * Reads a JSON body into the request once and refuses what no handler should see. An empty body counts as `{}` if
 * optional.
 */
export async function readJsonBody(c: Context<AppEnv>, { bodyOptional, bodyLimit, access }: BodyRules): Promise<void> {
  const { headers } = c.req.raw;
  const limit = bodyLimit ?? (c.get("principal") ? FROM_A_PRINCIPAL : FROM_ANYBODY);
  const bytes = await readBytes({ headers, body: decodedBody(c.req.raw) }, limit);
  if (bytes.length === 0 && bodyOptional) {
    c.req.bodyCache.json = Promise.resolve({});
    return;
  }
  if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw invalid("content type must be application/json", "unsupported_content_type");
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw invalid("malformed JSON", "malformed_json");
  }
  // A runtime may cut a character in two; its whole report must not be lost for that.
  inspect(body, { halfPairs: access === "runtime" });
  c.req.bodyCache.json = Promise.resolve(body);
}

/**
 * The whole body; 413 where it is larger than what is kept, 400 where it breaks off. One that says it is larger than
 * what is read is not read at all.
 */
export async function readBytes(
  request: Pick<Request, "headers" | "body">,
  { kept, read }: BodyLimit,
): Promise<Uint8Array> {
  const tooLarge = () => new ApiError(413, "body_too_large", `the body is larger than ${kept} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > read) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size <= kept) chunks.push(chunk);
      else if (size > read) break;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Only the client's side of the connection can fail here: it was closed early, or the body was framed wrongly.
    throw invalid("the body was cut off", "body_incomplete");
  }
  if (size > kept) throw tooLarge();
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * Refuses nesting that would exhaust a stack later on, keys that reach for an object's prototype, and texts that cannot
 * be stored as they are: too long ones, and ones that no UTF-8 can write.
 */
function inspect(body: unknown, taken: { halfPairs: boolean }): void {
  const faults: FieldError[] = [];
  const open: [value: unknown, depth: number, path: string][] = [[body, 1, ""]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth, path] = next;
    const fault = typeof value === "string" ? faultOf(value, taken) : null;
    if (fault) faults.push({ field: path, ...fault });
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) throw invalid(`JSON is nested deeper than ${MAX_DEPTH} levels`, "nesting_too_deep");
    if (Object.hasOwn(value, "__proto__")) throw invalid("the key __proto__ is not allowed", "forbidden_key");
    for (const [key, child] of Object.entries(value)) {
      const at = (path === "" ? key : `${path}.${key}`).toWellFormed();
      if (!taken.halfPairs && !key.isWellFormed())
        faults.push({ field: at, code: "invalid_name", message: HALF_A_PAIR });
      open.push([child, depth + 1, at]);
    }
  }
  // Fields were visited from the last to the first.
  if (faults.length > 0) throw invalidFields(faults.reverse());
}

const HALF_A_PAIR = "must not contain unpaired surrogates";

/** Why a text cannot be stored as it is, null if it can. */
function faultOf(text: string, { halfPairs }: { halfPairs: boolean }): Pick<FieldError, "code" | "message"> | null {
  if (isTooLong(text)) return { code: "too_long", message: `must not be larger than ${MAX_TEXT_BYTES / 1024} KB` };
  return halfPairs || text.isWellFormed() ? null : { code: "invalid", message: HALF_A_PAIR };
}

/** Whether a text is longer than `MAX_TEXT_BYTES` in UTF-8; a UTF-16 code unit takes at most three bytes. */
function isTooLong(text: string): boolean {
  return text.length * 3 > MAX_TEXT_BYTES && new TextEncoder().encode(text).length > MAX_TEXT_BYTES;
}
