import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Access, AppEnv } from "./context.ts";
import type { Endpoint, MediaTypes } from "./endpoint.ts";
import { takesIdempotencyKey } from "./idempotency.ts";
import { namesIgnoredFields } from "./ignored-fields.ts";
import { errorResponse, headersOf, PAGE, SHARED_ERRORS } from "./openapi-components.ts";
import { choiceWords } from "./require-scopes.ts";

/** An operation in the form that the OpenAPI registry expects. */
type Operation = Parameters<OpenAPIHono<AppEnv>["openAPIRegistry"]["registerPath"]>[0];

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  account: [{ apiKey: [] }, { console: [] }],
  console: [{ console: [] }],
  session: [{ console: [] }],
  server: [{ apiKey: [] }],
  operator: [{ console: [] }],
  // Both schemes of one entry are required.
  runtime: [{ session: [] }, { apiKey: [], visitorToken: [] }],
};

const SUCCESS: Record<Endpoint["status"], string> = {
  200: "The answer.",
  201: "What was created.",
  202: "The request was accepted and is being carried out.",
  204: "Done; the response has no body.",
  302: "Redirects there.",
};

const NOT_MODIFIED = "The resource still has the `ETag` in If-None-Match. The response has no body.";

export function describeEndpoint(endpoint: Endpoint): Operation {
  const { method, path, access, scope, scopeIfNamed, tag, operationId, summary, params, query, headers } = endpoint;
  const body = requestBody(endpoint);
  return {
    method,
    path,
    tags: [tag],
    operationId,
    summary,
    description: `${endpoint.description}${scopeWords(endpoint)}${namedWords(endpoint)}${tokenWords(endpoint)}`,
    security: endpoint.operatorScopes ? [...SECURITY[access], { operatorToken: [] }] : SECURITY[access],
    "x-scope": [...scope],
    ...(endpoint.operatorScopes && { "x-operator-scopes": [...endpoint.operatorScopes] }),
    ...(scopeIfNamed && { "x-scope-if-named": scopeIfNamed.map((required) => [...required]) }),
    parameters: sharedParameters(endpoint).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body }),
    },
    responses: { ...successes(endpoint), ...errors(endpoint) },
  };
}

/** Returns the required scopes as the last paragraph of a description; "" if none are required. */
function scopeWords({ scope, access }: Endpoint): string {
  if (scope.length === 0) return "";
  const named = scope.map((one) => `\`${one}\``).join(" and ");
  const ofKey = access === "runtime" ? " of the API key, where one is sent" : "";
  return `\n\nRequires the ${scope.length === 1 ? "scope" : "scopes"} ${named}${ofKey}.`;
}

/** Returns the scopes that only callers with narrow authority need, as the next paragraph. */
function namedWords({ scopeIfNamed, access }: Endpoint): string {
  if (!scopeIfNamed) return "";
  const members = "members with the role viewer or analyst";
  const keys = "API keys whose scopes were named (`scopes_named`)";
  const who = access === "console" ? members : access === "server" ? keys : `${members}, and ${keys},`;
  const required = choiceWords(scopeIfNamed, (scope) => `\`${scope}\``);
  return `\n\n${who.charAt(0).toUpperCase()}${who.slice(1)} need the scope ${required}; other callers need none.`;
}

/** Returns which operator tokens the endpoint accepts, as the last paragraph. */
function tokenWords({ operatorScopes }: Endpoint): string {
  if (!operatorScopes) return "";
  return `\n\nOpen to operator tokens with the scope ${operatorScopes.map((scope) => `\`${scope}\``).join(" or ")}.`;
}

/** Returns the event as a webhook of the OpenAPI document. */
export function describeEvent(type: string, schema: z.ZodType): Operation {
  return {
    method: "post",
    path: type,
    operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: `An event \`${type}\``,
    description:
      "Sent after the event was recorded. An event can arrive twice: ignore ids that you have already processed.",
    request: { body: { required: true, content: { "application/json": { schema } } } },
    responses: { 200: { description: "The event was accepted." } },
  };
}

/** Returns the component names of the parameters that an endpoint's access requires. */
function sharedParameters(endpoint: Endpoint): string[] {
  const { access } = endpoint;
  return [
    ...(access !== "public" && access !== "runtime" ? ["AccountId"] : []),
    ...(takesIdempotencyKey(endpoint) ? ["IdempotencyKey"] : []),
    ...(namesIgnoredFields(endpoint) ? ["Prefer"] : []),
    ...(takesIfMatch(endpoint) ? ["IfMatch"] : []),
    ...(takesIfNoneMatch(endpoint) ? ["IfNoneMatch"] : []),
  ];
}

function takesIfMatch({ revised, method }: Endpoint): boolean {
  return revised === true && method !== "get";
}

function takesIfNoneMatch({ kept, revised, method }: Endpoint): boolean {
  return (kept === true || revised === true) && method === "get";
}

function requestBody({ body, bodyOptional, rawBody }: Endpoint) {
  const content = rawBody ?? (body && { "application/json": { schema: body } });
  return content && { required: !bodyOptional, content };
}

function successes(endpoint: Endpoint) {
  const { status, response, stream, page, others, revised, responseHeaders = [] } = endpoint;
  const answer = response ? { "application/json": { schema: response }, ...(page && PAGE), ...stream } : stream;
  const replayed = takesIdempotencyKey(endpoint) ? (["idempotent-replayed"] as const) : [];
  const isConditional = takesIfNoneMatch(endpoint);
  const tagged = revised || isConditional ? (["ETag"] as const) : [];
  const preferred = namesIgnoredFields(endpoint) ? (["ignored-fields", "Preference-Applied"] as const) : [];
  const described = (description: string, content: MediaTypes | undefined) => ({
    description,
    headers: headersOf(["x-request-id", ...responseHeaders, ...tagged, ...replayed, ...preferred]),
    ...(content && { content }),
  });
  const rest = Object.entries(others ?? {}).map(([code, other]) => [
    code,
    described(other.description, "stream" in other ? other.stream : undefined),
  ]);
  const unchanged = isConditional ? { 304: described(NOT_MODIFIED, undefined) } : {};
  return { [status]: described(SUCCESS[status], answer), ...Object.fromEntries(rest), ...unchanged };
}

/** Returns the errors of an endpoint: its own, and those of its access and request. */
function errors(endpoint: Endpoint) {
  const { access, limit, body, extraQuery } = endpoint;
  const admitted = access !== "public";
  const common = [
    ...(admitted || body || extraQuery !== "ignored" || namesIgnoredFields(endpoint) ? [400] : []),
    ...(admitted ? [401, 403] : []),
    ...(takesIfMatch(endpoint) ? [412] : []),
    ...(body ? [413, 415] : []),
    ...(admitted || limit ? [429] : []),
    500,
  ] as (keyof typeof SHARED_ERRORS)[];
  return Object.fromEntries([
    ...common.map((code) => [code, { $ref: `#/components/responses/${SHARED_ERRORS[code].name}` }]),
    ...Object.entries(ownErrors(endpoint)).map(([code, description]) => [code, ownError(endpoint, code, description)]),
  ]);
}

function ownError(endpoint: Endpoint, code: string, description: string) {
  const ownHeaders = code === "409" && takesIdempotencyKey(endpoint) ? (["Retry-After"] as const) : [];
  const response = errorResponse(Number(code), description, [...ownHeaders]);
  return endpoint.page ? { ...response, content: { ...response.content, ...PAGE } } : response;
}

function ownErrors(endpoint: Endpoint): Record<string, string> {
  const { errors = {} } = endpoint;
  if (!takesIdempotencyKey(endpoint)) return errors;
  return Object.assign({}, errors, { 409: errors[409] ? `${errors[409]}; or ${KEY_CONFLICT}` : KEY_CONFLICT });
}

const KEY_CONFLICT =
  "the Idempotency-Key was used for another request (`idempotency_conflict`), or its first request is still in progress (`idempotency_in_progress`; see Retry-After)";
