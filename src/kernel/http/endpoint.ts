import type { z } from "@hono/zod-openapi";
import type { OperatorScope, Scope, ScopeChoice } from "../scopes.ts";
import type { BodyLimit } from "./body.ts";
import type { Access, OfAgents } from "./context.ts";
import type { ResponseHeader } from "./openapi-components.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Schema = z.ZodType;
export type Fields = z.ZodObject;
/** Bodies by media type. `encoding` describes the parts of a form. */
export type MediaTypes = Record<
  string,
  { schema: Schema; encoding?: Record<string, { contentType: string }>; example?: string }
>;

/** The definition of an endpoint. It validates the request, shapes the response, and documents both. */
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
  /** The path, with parameters in braces: `{id}`. */
  path: string;
  access: A;
  /** The scopes that the caller must have, all of them. The session tokens of calls and visitors have no scopes. */
  scope: readonly Scope[];
  /**
   * Additional requirements for callers with deliberately narrow authority: members with the role viewer or analyst,
   * and API keys whose scopes were chosen. Such a caller must have all scopes of at least one list.
   */
  scopeIfNamed?: ScopeChoice;
  /**
   * Who enforces the agents to which an API key is limited. If this is omitted, keys that are limited to agents are
   * refused.
   */
  ofAgents?: OfAgents;
  /** Operator scopes, one of which admits an operator token. If this is omitted, operator tokens are refused. */
  operatorScopes?: readonly OperatorScope[];
  tag: string;
  /** The operation's name in generated clients, which never changes. */
  operationId: string;
  summary: string;
  description: string;
  params?: P;
  query?: Q;
  /**
   * Ignores unknown parameters, because other parties (a carrier, an identity provider) add their own to this address.
   */
  extraQuery?: "ignored";
  /** The headers that the handler reads itself. */
  headers?: Fields;
  body?: B;
  /**
   * The field of the body that identifies an item in the list that GET returns at the same path. Needed if the path
   * does not identify it.
   */
  itemOf?: string;
  /** An empty body counts as `{}`. */
  bodyOptional?: true;
  /** The limit of the body, if it differs from the default for the access. */
  bodyLimit?: BodyLimit;
  /** A body that the handler reads itself (multipart, raw webhooks). */
  rawBody?: W;
  /** The status of a success, and the schema of its JSON body. 204 and streams have no schema. */
  status: 200 | 201 | 202 | 204 | 302;
  response?: R;
  /**
   * A response that is not JSON, or an alternative to JSON that Accept selects. The handler returns the Response
   * itself.
   */
  stream?: MediaTypes;
  /** Other successful statuses. */
  others?: Partial<Record<200 | 204 | 206 | 302, { description: string; stream?: MediaTypes }>>;
  /** Clients that accept `text/html` get responses, and the endpoint's own errors, as a page. */
  page?: true;
  /** The headers of successful responses, except x-request-id. */
  responseHeaders?: ResponseHeader[];
  /** The errors of the endpoint in addition to those of its access. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 416 | 421 | 429 | 500 | 502 | 503, string>>;
  /** The status for a malformed id: 404 by default, 400 for keys. */
  badId?: 400;
  /** Whether a session may call the endpoint before it has passed the second factor that its account requires. */
  withoutSecondFactor?: true;
  /** Limits requests per address and minute; see wrangler.toml. */
  limit?: "public";
  /**
   * Marks a read of the account's configuration and nothing else. Its response has an ETag, and is cached in the
   * isolate until a write changes the configuration.
   */
  kept?: true;
  /**
   * Marks a single resource that PATCH or PUT can change: responses contain its `revision` and an ETag with it, and
   * writes accept that as If-Match.
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
