import type { components, paths } from "./schema.d.ts";

/** A type of the API by its name in the OpenAPI document. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, { responses: unknown }> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends PathOf<M>> = paths[P][Lowercase<M> & keyof paths[P]];

type Parameters<Op> = Op extends { parameters: infer All } ? Omit<All, "cookie"> : unknown;

type BodyOf<Content> = Content extends { "application/json": infer Json }
  ? Json
  : Content extends { "multipart/form-data": unknown }
    ? FormData
    : unknown;

type WithParams<Op> =
  Record<never, never> extends Parameters<Op> ? { params?: Parameters<Op> } : { params: Parameters<Op> };

type WithBody<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: BodyOf<Content> }
  : Op extends { requestBody?: { content: infer Content } }
    ? { body?: BodyOf<Content> }
    : { body?: never };

export interface CallOptions {
  /** Ends the request, its retries and the wait between them. */
  signal?: AbortSignal | undefined;
  /** How long an attempt may take until its answer begins, ms; 0 for no limit. */
  timeoutMs?: number | undefined;
  /** How often a failed request is repeated if that is safe. */
  maxRetries?: number | undefined;
  /**
   * Identifies the request, so that it is carried out once however often it is sent. Every POST gets its own by
   * default.
   */
  idempotencyKey?: string | undefined;
  /** Writes only if nothing has changed since the value, or the ETag, was read. */
  ifMatch?: object | string | undefined;
  headers?: Record<string, string> | undefined;
}

/** The parameters and body of an operation with the request's options. */
export type RequestOptions<M extends Method, P extends PathOf<M>> = CallOptions &
  WithParams<Operation<M, P>> &
  WithBody<Operation<M, P>>;

/** The options, optional if nothing in them is required. */
export type Init<M extends Method, P extends PathOf<M>> =
  Record<never, never> extends RequestOptions<M, P>
    ? [options?: RequestOptions<M, P>]
    : [options: RequestOptions<M, P>];

type Content<Response> = Response extends { content: infer Types }
  ? Types extends { "application/json": infer Json }
    ? Json
    : string
  : undefined;

/** An operation's answer: its JSON, its text if it is not JSON, or nothing. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer All }
    ? { [Status in keyof All]: Status extends 200 | 201 | 202 | 204 ? Content<All[Status]> : never }[keyof All]
    : never;

export type Query<P extends PathOf<"GET">> =
  Operation<"GET", P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
