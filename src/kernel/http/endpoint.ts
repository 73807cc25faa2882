import type { z } from "@hono/zod-openapi";
import type { OperatorScope, Scope, ScopeChoice } from "../scopes.ts";
import type { BodyLimit } from "./body.ts";
import type { Access, OfAgents } from "./context.ts";
import type { ResponseHeader } from "./openapi-components.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Schema = z.ZodType;
export type Fields = z.ZodObject;
/** Bodies by media type; `encoding` describes the parts of a form. */
export type MediaTypes = Record<
  string,
  { schema: Schema; encoding?: Record<string, { contentType: string }>; example?: string }
>;

/** The definition of an endpoint: it validates the request, shapes the response and documents both. */
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
  /** The path with `{parameters}`. */
  path: string;
  access: A;
  /** The scopes that the caller must hold, all of them. The session tokens of calls and visitors have no scopes. */
  scope: readonly Scope[];
  /**
   * Additional requirements for callers with deliberately narrow authority: members with the role viewer or analyst,
   * and API keys whose scopes were named. They must hold all scopes of one of the lists.
   */
  scopeIfNamed?: ScopeChoice;
  /** Where the agents an API key is limited to are enforced; without it, keys limited to agents are refused. */
  ofAgents?: OfAgents;
  /**
   * Operator scopes, one of which opens the endpoint to an operator token; without them, operator tokens are refused.
   */
  operatorScopes?: readonly OperatorScope[];
  tag: string;
  /** The name in generated clients; never changes. */
  operationId: string;
  summary: string;
  description: string;
  params?: P;
  query?: Q;
  /** Ignores unknown parameters, because others add their own to this address (a carrier, an identity provider). */
  extraQuery?: "ignored";
  /** The headers that the handler reads itself. */
  headers?: Fields;
  body?: B;
  /** The body's field that identifies an item of the list returned by GET of the same path, if the path does not. */
  itemOf?: string;
  /** An empty body counts as `{}`. */
  bodyOptional?: true;
  /** The limit of the body, if it differs from the access's default. */
  bodyLimit?: BodyLimit;
  /** A body that the handler reads itself (multipart, raw webhooks). */
  rawBody?: W;
  /** The successful status and the schema of its JSON body; none for 204 and streams. */
  status: 200 | 201 | 202 | 204 | 302;
  response?: R;
  /** A response that is not JSON, or an alternative to JSON by Accept; the handler returns the Response itself. */
  stream?: MediaTypes;
  /** Other successful statuses. */
  others?: Partial<Record<200 | 204 | 206 | 302, { description: string; stream?: MediaTypes }>>;
  /** Clients that accept `text/html` receive responses and the endpoint's own errors as a page. */
  page?: true;
  /** The headers of successful responses, except x-request-id. */
  responseHeaders?: ResponseHeader[];
  /** The errors of the endpoint in addition to those of its access. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 416 | 421 | 429 | 500 | 502 | 503, string>>;
  /** The status for a malformed id: 404 by default, 400 for keys. */
  badId?: 400;
  /** Open to a session that has not passed the second factor its account requires. */
  withoutSecondFactor?: true;
  /** Limits requests by address and minute; see wrangler.toml. */
  limit?: "public";
  /**
   * A read of the account's configuration and nothing else. Its response is cached in the isolate until a write changes
   * the configuration, and has an ETag.
   */
  kept?: true;
  /**
   * A single resource that PATCH or PUT can change: responses contain its `revision` and carry it in their ETag, and
   * writes accept it as If-Match.
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
