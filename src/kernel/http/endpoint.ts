import type { z } from "@hono/zod-openapi";
import type { OperatorScope, Scope, ScopeChoice } from "../scopes.ts";
import type { BodyLimit } from "./body.ts";
import type { Access, OfAgents } from "./context.ts";
import type { ResponseHeader } from "./openapi-components.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Schema = z.ZodType;
export type Fields = z.ZodObject;
/** Bodies by media type; `encoding` tells the parts of a form. */
export type MediaTypes = Record<
  string,
  { schema: Schema; encoding?: Record<string, { contentType: string }>; example?: string }
>;

/** The definition of one endpoint: it validates the request, shapes the response and documents both. */
export interface Endpoint<
  A extends Access = Access,
  P extends Fields = Fields,
  Q extends Fields = Fields,
  B extends Schema = Schema,
  R extends Schema = Schema,
  M extends Method = Method,
  W extends MediaTypes | undefined = MediaTypes | undefined,
> {
  method: M;
  /** Path with `{parameters}`. */
  path: string;
  access: A;
  /**
   * The scopes that the caller must hold, all of them; empty if none is needed. The session token of a call or visitor
   * has no scopes.
   */
  scope: readonly Scope[];
  /**
   * What is required, beside `scope`, of callers whose authority was chosen narrow: members with the role viewer or
   * analyst, and API keys whose scopes were named. They must hold one of the lists whole.
   */
  scopeIfNamed?: ScopeChoice;
  /** Where the limit to an API key's agents is enforced; without it, keys limited to agents are refused. */
  ofAgents?: OfAgents;
  /** Scopes that open the endpoint to an operator token: it needs one of them. Without this, every operator token is refused. */
  operatorScopes?: readonly OperatorScope[];
  tag: string;
  /** What generated clients call it; never changes. */
  operationId: string;
  summary: string;
  description: string;
  params?: P;
  query?: Q;
  /**
   * Unknown parameters are ignored, because others append their own to this address (a carrier, an identity
   * provider).
   */
  extraQuery?: "ignored";
  /** Headers that the handler reads itself. */
  headers?: Fields;
  body?: B;
  /** What the body names one item of the list by that a GET of the same path gives, where the path does not. */
  itemOf?: string;
  /** An empty body counts as `{}`. */
  bodyOptional?: true;
  /** The limit of the body, if it differs from the access's default. */
  bodyLimit?: BodyLimit;
  /** A body the handler reads itself (multipart, raw webhooks). */
  rawBody?: W;
  /** The success: a status, and the schema of its JSON body, none for 204 and streams. */
  status: 200 | 201 | 202 | 204 | 302;
  response?: R;
  /** A success that is not JSON, or an alternative to JSON by Accept: the handler returns the Response itself. */
  stream?: MediaTypes;
  /** Other successful statuses. */
  others?: Partial<Record<200 | 204 | 206 | 302, { description: string; stream?: MediaTypes }>>;
  /** Clients that accept `text/html` get answers and the endpoint's own errors as a page. */
  page?: true;
  /** Headers of successful responses, apart from x-request-id. */
  responseHeaders?: ResponseHeader[];
  /** The errors of the endpoint itself beside those of its access. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 416 | 421 | 429 | 500 | 502 | 503, string>>;
  /** The status for a malformed id: 404 by default, 400 for keys. */
  badId?: 400;
  /** Open to a session that has not shown the second factor which its account requires. */
  withoutSecondFactor?: true;
  /** Requests a minute and address; see wrangler.toml. */
  limit?: "public";
  /**
   * A read of what the account configures and of nothing else: its answer is kept in the isolate until a write changes
   * the configuration, and carries an ETag.
   */
  kept?: true;
  /**
   * One thing that PATCH or PUT can change: its answers, which hold its `revision`, carry that in their ETag, and a write
   * takes it as If-Match.
   */
  revised?: true;
}

export function endpoint<
  const A extends Access,
  P extends Fields = z.ZodObject<Record<never, never>>,
  Q extends Fields = z.ZodObject<Record<never, never>>,
  B extends Schema = z.ZodUndefined,
  R extends Schema = z.ZodUndefined,
  const M extends Method = Method,
  W extends MediaTypes | undefined = undefined,
>(definition: Endpoint<A, P, Q, B, R, M, W>): Endpoint<A, P, Q, B, R, M, W> {
  return definition;
}
