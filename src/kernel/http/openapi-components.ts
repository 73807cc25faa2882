import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";
import { EXAMPLE_IDS } from "./example-ids.ts";

/** The documented response headers, by their name in responses, with their component names. */
const RESPONSE_HEADERS = {
  "x-request-id": {
    name: "RequestId",
    type: "string",
    description: "The request's id, as logged. On every response.",
  },
  "x-error-code": {
    name: "ErrorCode",
    type: "string",
    description: "The error for programs: a slug that does not change.",
  },
  "Retry-After": { name: "RetryAfter", type: "integer", description: "Seconds after which a retry can succeed." },
  "Accept-Ranges": { name: "AcceptRanges", type: "string", description: "`bytes`: byte ranges are supported." },
  "Content-Range": {
    name: "ContentRange",
    type: "string",
    description: "The byte range and the total size, in a 206.",
  },
  "Content-Disposition": { name: "ContentDisposition", type: "string", description: "A name for the file." },
  ETag: {
    name: "ETag",
    type: "string",
    description:
      "The version of the response: for If-None-Match, for If-Range of audio, and for If-Match where the operation accepts it.",
  },
  "ignored-fields": {
    name: "IgnoredFields",
    type: "string",
    description:
      "The fields of the request that were not used, separated by commas: paths as in `errors`, their names percent-encoded; at most 20, and 1 KB. Absent if there are none.",
  },
  "Preference-Applied": {
    name: "PreferenceApplied",
    type: "string",
    description: "`handling=strict` if the request asked for that with Prefer.",
  },
  Location: { name: "Location", type: "string", description: "Where to go." },
  "idempotent-replayed": {
    name: "IdempotentReplayed",
    type: "string",
    description: "`true` if this is a replay of the first response for the Idempotency-Key.",
  },
} as const;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The errors that many endpoints share, by status. */
export const SHARED_ERRORS = {
  400: { name: "BadRequest", description: "The request is not valid, the token malformed, or X-Account-ID missing." },
  401: { name: "Unauthorized", description: "The token is missing, unknown or expired." },
  403: { name: "Forbidden", description: "Not allowed, another account's, or over a quota (`quota_exceeded`)." },
  412: {
    name: "ChangedMeanwhile",
    description:
      "The resource has changed since you read the ETag in If-Match (`changed_meanwhile`), so nothing was written; " +
      "`by` and `at` of the problem say who changed it, and when.",
  },
  413: { name: "PayloadTooLarge", description: "The body is larger than 1 MiB before compression." },
  415: {
    name: "UnsupportedMediaType",
    description: "The body is not compressed with gzip or deflate; see Accept-Encoding.",
  },
  429: { name: "TooManyRequests", description: "Too many requests; see Retry-After." },
  500: { name: "InternalError", description: "An error in the service." },
} as const;

const errorMessage = z.string().openapi({
  description: "What is wrong, for people. The header `x-error-code` names it for programs.",
  example: "agent not found",
});
const problem = z
  .object({
    type: z.string().openapi({ description: "Always `about:blank`: see `code`.", example: "about:blank" }),
    title: z.string().openapi({ description: "What is wrong, for people.", example: "agent not found" }),
    status: z.number().int().openapi({ description: "The HTTP status of the response.", example: 404 }),
    code: z.string().openapi({
      description: "The error for programs, as in the header `x-error-code`: a slug that does not change.",
      example: "not_found",
    }),
    instance: z.string().openapi({
      description: "The request's id (`x-request-id`) as a URN.",
      example: `urn:uuid:${EXAMPLE_IDS.request}`,
    }),
    errors: z
      .array(
        z.object({
          field: z.string().openapi({
            description:
              "Its path in the body, as `schedule_config.0.start`, or the name of a parameter; empty for the whole.",
            example: "to_number",
          }),
          code: z.string().openapi({
            description:
              "What is wrong with it, for programs: `required`, `unknown`, `repeated`, `wrong_type`, `not_allowed`, " +
              "`invalid_format`, `invalid_name`, `invalid_number`, `too_long`, `too_short`, `too_large`, `too_small`, " +
              "`invalid`; or the code of the whole error if that is about this field.",
            example: "invalid_number",
          }),
          message: z.string().openapi({
            description: "What is wrong with the field, for people.",
            example: "must be a valid phone number with its country code: did you mean +52 55 1234 5678?",
          }),
        }),
      )
      .optional()
      .openapi({ description: "Every invalid field, up to 20, if the request is invalid." }),
    by: z.string().nullable().optional().openapi({
      description:
        "For a 412, who changed it: a user's email address, or an API key's name; null if no author is recorded.",
      example: "owner@acme.example",
    }),
    at: z.string().nullable().optional().openapi({
      description: "For a 412, when it was changed (UTC); null if no author is recorded.",
      example: "2026-11-21T09:30:00.000Z",
    }),
  })
  .openapi({ description: "The error for clients that accept `application/problem+json` (RFC 9457)." });

export function headersOf(names: ResponseHeader[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${RESPONSE_HEADERS[name].name}` }]),
  );
}

/** The page that browsers receive instead of JSON from endpoints that have one. */
export const PAGE = {
  "text/html": {
    schema: z.string().openapi({
      description: "A page for clients that accept `text/html`, such as browsers.",
      example: '<!doctype html><html lang="en"><p>You can close this window.</p></html>',
    }),
  },
};

/** Returns an error response in both forms: text and problem object. */
export function errorResponse(status: number, description: string, ownHeaders: ResponseHeader[] = []) {
  const own: ResponseHeader[] = status === 429 ? ["Retry-After"] : ownHeaders;
  return {
    description,
    headers: headersOf(["x-request-id", "x-error-code", ...own]),
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/ErrorMessage" }, example: description },
      "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
    },
  };
}

/** Registers the components to which operations refer. */
export function registerComponents({ openAPIRegistry }: OpenAPIHono<AppEnv>): void {
  openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "sk_live_<account>_<rest>",
    description: "An API key; the account is in its prefix.",
  });
  openAPIRegistry.registerComponent("securitySchemes", "console", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A console token from /api/login; name the account in X-Account-ID.",
  });
  openAPIRegistry.registerComponent("securitySchemes", "operatorToken", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "op_live_<rest>",
    description: "An operator token, for a job that runs without a person. It belongs to no account.",
  });
  openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A call's session token, which its carrier passes to your own runtime. It is valid for that session only. " +
      "The tokens of visitors, of testers, and of carriers that talk with the service's own runtime are not " +
      "accepted.",
  });
  openAPIRegistry.registerComponent("securitySchemes", "visitorToken", {
    type: "apiKey",
    in: "header",
    name: "X-Visitor-Token",
    description:
      "The access token of the visitor or tester that your runtime talks to. Send it together with an API key of " +
      "their account, only from a server and never from a page.",
  });
  openAPIRegistry.registerComponent("parameters", "AccountId", {
    name: "X-Account-ID",
    in: "header",
    required: false,
    description: "The account: required with a console token, and ignored with an API key, which names its own.",
    schema: { type: "string" },
    example: "acme",
  });
  openAPIRegistry.registerComponent("parameters", "IdempotencyKey", {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes the request safe to repeat. For 24 hours, the same key with the same method, path, query and body " +
      "returns the first response again, with `idempotent-replayed: true` and null for values that are shown once, " +
      "and has no further effect. Bodies are compared as JSON values. Keys apply per account and per API key or " +
      "user. Responses with 429 or 5xx and refusals of invalid or unauthorized requests are not stored; such " +
      "requests are carried out when you repeat them.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    example: "9f0c2d6e-order-4711",
  });
  openAPIRegistry.registerComponent("parameters", "Prefer", {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "`handling=strict` (RFC 7240) refuses fields that the operation does not know with 400 `unknown_fields`, which names each with the nearest known one. Otherwise they are ignored, and the response header `ignored-fields` names them. A request under an Idempotency-Key is repeated with the same preference.",
    schema: { type: "string" },
    example: "handling=strict",
  });
  openAPIRegistry.registerComponent("parameters", "IfMatch", {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` from the last read or write. The change is made only if the resource has not changed since, by " +
      "PATCH, PUT or an equivalent operation; otherwise you get 412 (`changed_meanwhile`). Send one tag; a leading " +
      "`W/` is ignored. With `*`, or without the header, the change is always made.",
    schema: { type: "string" },
    example: '"7.Rk3x0m1bZtq2cG9uVnEwYlpL"',
  });
  openAPIRegistry.registerComponent("parameters", "IfNoneMatch", {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of an earlier response, or several. If the response is still the same, you get 304 without a " +
      "body.",
    schema: { type: "string" },
    example: '"7.Rk3x0m1bZtq2cG9uVnEwYlpL"',
  });
  for (const { name, type, description } of Object.values(RESPONSE_HEADERS))
    openAPIRegistry.registerComponent("headers", name, { description, schema: { type } });
  openAPIRegistry.register("ErrorMessage", errorMessage);
  openAPIRegistry.register("Problem", problem);
  for (const [status, { name, description }] of Object.entries(SHARED_ERRORS))
    openAPIRegistry.registerComponent("responses", name, errorResponse(Number(status), description));
}
