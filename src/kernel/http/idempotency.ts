import type { Context } from "hono";
import { idempotencyStore } from "../durable/objects.ts";
import { logError } from "../log.ts";
import { sha256Hex } from "../secrets/hashing.ts";
import { HOUR_MS } from "../time.ts";
import { FROM_A_PRINCIPAL, readBytes, sentJson } from "./body.ts";
import { canonicalJson } from "./canonical-json.ts";
import { visibleTo } from "./content.ts";
import type { Access, AppEnv, IdempotencyKeys, KeptAnswer, KeyedRequest, KeyOutcome } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError, conflict, invalid, renderError, tooMany } from "./errors.ts";
import { jsonResponse } from "./headers.ts";
import { prefersStrict, STRICT_APPLIED } from "./prefer.ts";
import { holdsSecrets, withoutSecrets } from "./secret-fields.ts";
import { readingSlowly } from "./slow-body.ts";

export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
/** A key consists of visible ASCII characters. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARS}}$`);
const REPLAYED = "idempotent-replayed";
/** The headers that are stored with the response. All others are created for each request. */
const OWN_HEADERS = ["content-type", "location", "x-error-code"];
/** The maximum size of a stored response, bytes. A response with the longest possible text is well below it. */
const MOST_ANSWER_BYTES = 512 * 1024;
/** How often a running attempt renews its hold on the key, ms; see HELD_MS. */
export const PROLONG_EVERY_MS = 3_000;
/** Retry-After while an attempt is running (s), and while the store is full (ms). */
const RETRY_AFTER_S = "1";
const ROOM_AGAIN_MS = HOUR_MS;

const KEYED_ACCESS = ["account", "console", "server"] as const satisfies Access[];
export type KeyedAccess = (typeof KEYED_ACCESS)[number];

/** Checks whether an endpoint supports idempotency keys: every JSON POST of an account does. */
export function takesIdempotencyKey({ method, access, rawBody }: Endpoint): boolean {
  return method === "post" && KEYED_ACCESS.some((keyed) => keyed === access) && !rawBody;
}

/** Returns the request's idempotency key; null if it has none. @throws ApiError 400 */
export function idempotencyKey(c: Context<AppEnv>): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (KEY.test(key)) return key;
  throw invalid("Idempotency-Key must be 1 to 255 visible ASCII characters", "invalid_idempotency_key");
}

/**
 * Carries out a request. `id` is for the resource that it creates. `again` means that an earlier attempt may already
 * have created it.
 */
type CarryOut = (id: string, again: boolean) => Promise<Response>;

/**
 * Carries out a valid request once for its key, principal and account, and returns the same response to each later
 * request.
 * @throws ApiError 409 for a different request with the same key, and while the first is running
 */
export async function once(
  c: Context<AppEnv>,
  definition: Endpoint,
  key: string,
  carryOut: CarryOut,
): Promise<Response> {
  const { account, kind, subject } = c.get("principal");
  const id = await sha256Hex(`${kind}:${subject}\n${key}`);
  const request = { id, fingerprint: await fingerprintOf(c, definition), holder: crypto.randomUUID() };
  const keys: IdempotencyKeys = idempotencyStore(c.env, account, id);
  const verdict = await keys.begin(request);
  switch (verdict.outcome) {
    case "carry_out":
      break;
    case "replay":
      return replay(c, definition, verdict.answer);
    case "conflict":
      throw conflict("idempotency_conflict", "this Idempotency-Key was used for another request; use a new key");
    case "in_progress":
      throw inProgress();
    case "full":
      throw tooMany("idempotency_keys_full", "too many responses are stored for Idempotency-Keys", ROOM_AGAIN_MS);
  }
  const { resource_id, again } = verdict;
  c.set("resourceId", resource_id);
  const attempt = carryOutHeld(c, definition, keys, request, () => carryOut(resource_id, again));
  // The attempt continues even if the client has left, because the client will ask for the response again.
  c.executionCtx.waitUntil(attempt);
  return attempt;
}

/** Carries out the request while renewing its hold on the key, and stores the response before it is sent. */
async function carryOutHeld(
  c: Context<AppEnv>,
  definition: Endpoint,
  keys: IdempotencyKeys,
  request: KeyedRequest,
  carryOut: () => Promise<Response>,
): Promise<Response> {
  const failed = (error: unknown) => logError("idempotency", error, { request_id: c.get("requestId") });
  const beat = setInterval(() => keys.prolong(request).catch(failed), PROLONG_EVERY_MS);
  try {
    const { response, startsAfresh } = await answered(c, carryOut);
    // A response that could not be stored is sent anyway, because a retry finds what was created.
    await keys.finish(request, await outcomeOf(definition, response, startsAfresh)).catch(failed);
    return response;
  } finally {
    clearInterval(beat);
  }
}

async function answered(c: Context<AppEnv>, carryOut: () => Promise<Response>) {
  try {
    return { response: await carryOut(), startsAfresh: false };
  } catch (error) {
    return { response: renderError(error, c), startsAfresh: error instanceof ApiError && error.startsAfresh };
  }
}

/** Returns the response to store. Nothing is stored if a retry may succeed, and secrets are never stored. */
async function outcomeOf(
  { response: schema }: Endpoint,
  response: Response,
  startsAfresh: boolean,
): Promise<KeyOutcome> {
  const { status } = response;
  if (status === 429 || status >= 500) return { retry: startsAfresh ? "new_resource" : "same_resource" };
  if (response.headers.get("content-type")?.startsWith("audio/")) return { keep: null };
  const sent = response.body === null ? null : await response.clone().text();
  const isSecret = sent !== null && status < 400 && schema !== undefined && holdsSecrets(schema);
  const body = isSecret ? JSON.stringify(withoutSecrets(schema, JSON.parse(sent))) : sent;
  if (body !== null && new TextEncoder().encode(body).length > MOST_ANSWER_BYTES) return { keep: null };
  const headers = OWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { keep: { status, headers: Object.fromEntries(headers), body } };
}

/**
 * Returns the stored response without what the caller may no longer see, because its scopes may have been narrowed
 * since.
 */
function replay(c: Context<AppEnv>, { response: schema }: Endpoint, answer: KeptAnswer | null): Response {
  if (answer === null) {
    const message = "the request succeeded, but its response was not stored: read what it created or changed";
    throw conflict("idempotency_answer_not_kept", message);
  }
  const { body, status } = answer;
  const shown =
    body === null || schema === undefined || status >= 400
      ? body
      : JSON.stringify(visibleTo(c.get("principal"), schema, JSON.parse(body)));
  return jsonResponse(c, shown, status, Object.assign({}, answer.headers, { [REPLAYED]: "true" }));
}

/**
 * Hashes a request. The path is used as routed, so that aliases are equal, and a JSON body is compared by value. The
 * hash includes the agents to which a key is limited, because the stored response may be about an agent that was
 * removed from the key, and it includes strict handling.
 */
async function fingerprintOf(c: Context<AppEnv>, definition: Endpoint): Promise<string> {
  const { method, body } = definition;
  const query = new URL(c.req.url).searchParams;
  query.sort();
  const sent = body ? canonicalJson(await sentJson(c)) : await readingSlowly(c, definition, () => unreadBody(c));
  const { agentIds } = c.get("principal");
  const limits = agentIds === null ? [] : [agentIds];
  const handling = prefersStrict(c.req.header("prefer")) ? [STRICT_APPLIED] : [];
  return sha256Hex(JSON.stringify([method, c.req.path, query.toString(), sent, ...limits, ...handling]));
}

/** Returns the body that was sent to an endpoint without one. */
async function unreadBody(c: Context<AppEnv>): Promise<string> {
  return c.req.bodyCache.text ?? new TextDecoder().decode(await readBytes(c.req.raw, FROM_A_PRINCIPAL));
}

function inProgress(): ApiError {
  const message = "the first request with this Idempotency-Key is still in progress; repeat it to get the response";
  return new ApiError(409, "idempotency_in_progress", message, { "retry-after": RETRY_AFTER_S });
}
