import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import { type AccountStore, ReferenceViolation, UniqueViolation } from "../db/account-store.ts";
import type { OperatorStore } from "../db/operator-store.ts";
import type { Pieces, WithPieces } from "../pieces.ts";
import { readJsonBody } from "./body.ts";
import type { Access, AppEnv, Bindings, OwnRuntime, Principal } from "./context.ts";
import type { Endpoint, Fields, MediaTypes, Method, Schema } from "./endpoint.ts";
import { idempotencyKey, type KeyedAccess, once, takesIdempotencyKey } from "./idempotency.ts";
import { ifMatchOf } from "./if-match.ts";
import { namesIgnoredFields } from "./ignored-fields.ts";
import type { InServiceRead } from "./in-service.ts";
import { dropHidden, type Reader, unknownInRequest } from "./read-back.ts";
import { keepingAbsence, keptAnswer, recall, respond } from "./respond.ts";
import { readingSlowly } from "./slow-body.ts";
import { operatorStore, ownStore } from "./stores.ts";
import { type ValidatedRequest, validRequest } from "./validate.ts";

interface Call<P, Q, B> {
  c: Context<AppEnv>;
  env: Bindings;
  params: P;
  query: Q;
  body: B;
  /** The current time, ms. */
  now: number;
  /**
   * Returns the id of the resource that the request creates. It is the same for every attempt with an idempotency key.
   */
  newId: () => string;
  /**
   * The id that an idempotency key determines, to be recorded in the transaction that does the work; null without a
   * key.
   */
  operation: string | null;
  /** The revision that If-Match requires; null for any. */
  ifMatch: number | null;
}
interface Admitted {
  principal: Principal;
  store: AccountStore;
  /** Creates the read of where agents are in service. */
  inService: InServiceRead;
}
interface Operator {
  principal: Principal;
  operatorStore: OperatorStore;
}
interface Runtime {
  runtime: OwnRuntime;
}
/** The values that a handler receives in addition to the request. */
type Given<A extends Access> = A extends "public"
  ? unknown
  : A extends "operator"
    ? Operator
    : A extends "runtime"
      ? Runtime
      : Admitted;
type Incoming<A extends Access, P extends Fields, Q extends Fields, B extends Schema> = Call<
  z.output<P>,
  z.output<Q>,
  z.output<B>
> &
  Given<A>;

/**
 * The result of a handler: a body for the response schema, whose list may come in pieces, nothing for 204, or a Response (a
 * stream, a redirect).
 */
type Answer<R extends Schema> =
  | z.input<R>
  | (R extends z.ZodArray<infer E> ? Pieces<z.input<E>> : WithPieces<z.input<R>>)
  | Response
  | (R extends z.ZodUndefined ? void : never);

/** All mounted endpoints, for the OpenAPI document. */
export const served: Endpoint[] = [];

/** The reading endpoints by path. */
const readers = new Map<string, Reader>();

/** Reads the resource that an earlier attempt with the same key created with this id; null if there is none. */
type Created<A extends Access, P extends Fields, Q extends Fields, B extends Schema, R extends Schema> = (
  incoming: Incoming<A, P, Q, B>,
  id: string,
) => Promise<z.input<R> | null>;

/** The reason why the request can safely be carried out again. */
interface CarriedOutAgain {
  because: string;
}

/** Declares that repeating the request changes nothing more and returns the same response. */
export const idempotent = (because: string): CarriedOutAgain => ({ because });
/**
 * Declares that the work is recorded under its `operation` in its own transaction, and that a repetition responds from
 * that record.
 */
export const recordedInTransaction = (because: string): CarriedOutAgain => ({ because });

/** How to respond to a request if its first attempt with the same idempotency key was interrupted. */
type Recovery<A extends Access, P extends Fields, Q extends Fields, B extends Schema, R extends Schema> =
  | Created<A, P, Q, B, R>
  | CarriedOutAgain;

/** Whether requests may have an idempotency key; see takesIdempotencyKey. */
type IsKeyed<A extends Access, M extends Method, W extends MediaTypes | undefined> = [M & "post"] extends [never]
  ? false
  : [A & KeyedAccess] extends [never]
    ? false
    : W extends undefined
      ? true
      : false;

/**
 * Mounts an endpoint: admission, validation, the handler, and the response through its schema. An endpoint with
 * idempotency keys declares what a retry does after the first attempt was interrupted: it returns what that attempt
 * created under `newId()`, or carries out the request again, with a reason why that is safe.
 */
export function serve<
  A extends Access,
  P extends Fields,
  Q extends Fields,
  B extends Schema,
  R extends Schema,
  M extends Method,
  W extends MediaTypes | undefined,
>(
  app: OpenAPIHono<AppEnv>,
  definition: Endpoint<A, P, Q, B, R, M, W>,
  handler: (incoming: Incoming<A, P, Q, B>) => Answer<R> | Promise<Answer<R>>,
  ...recovery: IsKeyed<A, M, W> extends true ? [Recovery<A, P, Q, B, R>] : []
): void {
  const [again] = recovery as [Recovery<A, P, Q, B, R>?];
  const created = typeof again === "function" ? again : undefined;
  served.push(definition);
  const takesKey = takesIdempotencyKey(definition);
  const door = definition.access === "runtime" ? "runtime" : "account";
  const incomingOf = (c: Context<AppEnv>, { params, query, body }: ValidatedRequest, ifMatch: number | null) => {
    const now = c.get("now");
    return {
      c,
      env: c.env,
      params,
      query,
      body,
      now,
      newId: () => c.get("resourceId") ?? uuidv7({ msecs: now }),
      get operation() {
        return c.get("resourceId") ?? null;
      },
      ifMatch,
      get principal() {
        return c.get("principal");
      },
      get store() {
        return ownStore(c);
      },
      get inService() {
        return c.get("inServiceReads")(c.env, ownStore(c), now);
      },
      get operatorStore() {
        return operatorStore(c);
      },
      runtime: c.get("runtime"),
    } as unknown as Incoming<A, P, Q, B>;
  };
  if (definition.method === "get")
    readers.set(definition.path, {
      definition,
      read: (c, request) => handler(incomingOf(c, request, null)),
    });
  const names = namesIgnoredFields(definition);
  const handle = async (c: Context<AppEnv>): Promise<Response> => {
    c.set("route", definition.path);
    await c.get("admissions")[door](c, definition);
    const kept = definition.kept && recall(c);
    if (kept) return keptAnswer(c, kept);
    if (definition.body) await readingSlowly(c, definition, () => readJsonBody(c, definition));
    const key = takesKey ? idempotencyKey(c) : null;
    if (names && definition.body) await dropHidden(c, definition, readers);
    const unknown = names ? await unknownInRequest(c, definition, readers) : null;
    const request = await validRequest(c, definition, unknown);
    const ifMatch = definition.revised && definition.method !== "get" ? ifMatchOf(c) : null;
    const incoming = incomingOf(c, request, ifMatch);
    const handled = () => retryOnReferenceViolation(async () => handler(incoming));
    if (definition.kept) return respond(c, definition, await keepingAbsence(c, handled));
    if (key === null) return respond(c, definition, await handled());
    return once(c, definition, key, async (id, again) => {
      const before = again && created ? await created(incoming, id) : null;
      if (before) return respond(c, definition, before);
      try {
        return await respond(c, definition, await handled());
      } catch (error) {
        // An earlier attempt that seemed dead has created the resource in the meantime.
        const meanwhile = error instanceof UniqueViolation && created ? await created(incoming, id) : null;
        if (meanwhile) return respond(c, definition, meanwhile);
        throw error;
      }
    });
  };
  app.on(definition.method, definition.path.replaceAll(/\/{(.+?)}/g, "/:$1"), handle);
}

/**
 * Handles a request again if something was deleted between the handler's read and its write, which therefore changed
 * nothing. The second read finds what is missing.
 */
async function retryOnReferenceViolation<T>(handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof ReferenceViolation) return handle();
    throw error;
  }
}
