import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Access, AppEnv } from "./context.ts";
import type { Endpoint, MediaTypes } from "./endpoint.ts";
import { errorResponse, headersOf, SHARED_ERRORS } from "./openapi-components.ts";

/** An operation in the form that the OpenAPI registry takes. */
type Operation = Parameters<OpenAPIHono<AppEnv>["openAPIRegistry"]["registerPath"]>[0];

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  account: [{ apiKey: [] }, { console: [] }],
  console: [{ console: [] }],
  session: [{ console: [] }],
  server: [{ apiKey: [] }],
  operator: [{ console: [] }],
  runtime: [{ session: [] }],
};

const SUCCESS: Record<Endpoint["status"], string> = {
  200: "The answer.",
  201: "What was created.",
  204: "Done; there is nothing to say.",
  302: "Go on there.",
};

/** The endpoint as the OpenAPI document shows it. */
export function describeEndpoint(endpoint: Endpoint): Operation {
  const { method, path, access, tag, operationId, summary, description, params, query, headers } = endpoint;
  const body = requestBody(endpoint);
  return {
    method,
    path,
    tags: [tag],
    operationId,
    summary,
    description,
    security: SECURITY[access],
    ...(access !== "public" && access !== "runtime" && { parameters: [{ $ref: "#/components/parameters/AccountId" }] }),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body }),
    },
    responses: { ...successes(endpoint), ...errors(endpoint) },
  };
}

function requestBody({ body, bodyOptional, rawBody }: Endpoint) {
  const content = rawBody ?? (body && { "application/json": { schema: body } });
  return content && { required: !bodyOptional, content };
}

function successes({ status, response, stream, others, responseHeaders = [] }: Endpoint) {
  const answer = response ? { "application/json": { schema: response } } : stream;
  const described = (description: string, content: MediaTypes | undefined) => ({
    description,
    headers: headersOf(["x-request-id", ...responseHeaders]),
    ...(content && { content }),
  });
  const rest = Object.entries(others ?? {}).map(([code, other]) => [
    code,
    described(other.description, "stream" in other ? other.stream : undefined),
  ]);
  return { [status]: described(SUCCESS[status], answer), ...Object.fromEntries(rest) };
}

/** The errors that come with an endpoint's access and request, and those of its own. */
function errors({ access, limit, query, body, errors = {} }: Endpoint) {
  const admitted = access !== "public";
  const common = [
    ...(admitted || body || query ? [400] : []),
    ...(admitted ? [401, 403] : []),
    ...(body ? [413] : []),
    ...(admitted || limit ? [429] : []),
    500,
  ] as (keyof typeof SHARED_ERRORS)[];
  return Object.fromEntries([
    ...common.map((code) => [code, { $ref: `#/components/responses/${SHARED_ERRORS[code].name}` }]),
    ...Object.entries(errors).map(([code, description]) => [code, errorResponse(Number(code), description)]),
  ]);
}
