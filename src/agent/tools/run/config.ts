import { z } from "zod";
import type { FieldError } from "../../../kernel/http/errors.ts";
import { fieldErrors } from "../../../kernel/http/issues.ts";
import { integrationNamed, isSecret } from "../../integrations/fields.ts";
import { openBraces, parseTemplate, strayTokens, textsIn } from "./template.ts";

/** The longest allowed timeout of a request, and the default, ms. */
const MAX_TIMEOUT_MS = 10_000;
/** The maximum number of characters of a result, and the default. */
const MAX_RESULT_CHARS = 100_000;
const DEFAULT_RESULT_CHARS = 4_000;

/**
 * Headers that a tool must not set: connection headers (RFC 9110, 7.6.1), and those derived from the rest of the
 * request.
 */
const RESERVED_HEADERS = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

const template = z.string().max(20_000);
const plain = z.union([template, z.number(), z.boolean()]);
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, "must be the name of a header")
  .refine((name) => !RESERVED_HEADERS.includes(name.toLowerCase()), "is not a header that a tool may set");
const method = z.preprocess(
  (value) => (typeof value === "string" ? value.toUpperCase() : value),
  z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"], { error: "must be GET, POST, PUT, PATCH or DELETE" }),
);
const url = z
  .string()
  .max(4_000)
  .superRefine((text, context) => {
    const fault = faultOfUrl(text);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });

const httpConfig = z
  .object({
    method: method.default("GET"),
    url,
    headers: z.record(headerName, template).default({}),
    query: z.record(z.string().min(1).max(200), plain).default({}),
    auth: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("bearer"), token: template }),
        z.object({ type: z.literal("basic"), username: template, password: template }),
        z.object({ type: z.literal("header"), name: headerName, value: template }),
      ])
      .optional(),
    body: z
      .unknown()
      .refine(
        (body) => typeof body !== "string" || isOneToken(body),
        "must be an object, a list or one {argument}; put texts inside them",
      )
      .optional(),
    form: z.record(z.string().min(1).max(200), plain).optional(),
    timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(MAX_TIMEOUT_MS),
    response: z
      .object({
        path: z.string().max(500).optional(),
        max_chars: z.int().min(1).max(MAX_RESULT_CHARS).default(DEFAULT_RESULT_CHARS),
      })
      .default({ max_chars: DEFAULT_RESULT_CHARS }),
  })
  .superRefine(({ method, body, form, headers, auth }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (body !== undefined && form !== undefined) refuse("form", "replaces body: set only one of them");
    if (method === "GET" && body !== undefined) refuse("body", "cannot be sent with GET");
    if (method === "GET" && form !== undefined) refuse("form", "cannot be sent with GET");
    const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const authorizing = auth && (auth.type === "header" ? auth.name.toLowerCase() : "authorization");
    if (authorizing !== undefined && named.has(authorizing))
      refuse("auth", `sets ${authorizing}, which headers also set`);
  });

/** The configuration of an http tool: the request that it sends, and how. */
export type HttpConfig = z.output<typeof httpConfig>;

/** The fields that describe a request. Other fields are stored unchanged and have no effect here. */
const FIELDS = ["method", "url", "headers", "query", "auth", "body", "form", "timeout_ms", "response"];

/** Checks whether a configuration describes a request. One that does not is stored, but cannot run yet. */
export function isSetUp(config: Record<string, unknown>): boolean {
  return FIELDS.some((field) => config[field] !== undefined);
}

/** Parses the configuration of an http tool, or returns its errors by field. */
export function parseHttpConfig(config: Record<string, unknown>): { config: HttpConfig } | { faults: FieldError[] } {
  const parsed = httpConfig.safeParse(config);
  if (parsed.success) return { config: parsed.data };
  return { faults: fieldErrors(parsed.error, config) };
}

export function argumentsIn(config: Record<string, unknown>): Set<string> {
  const parts = textsIn(FIELDS.map((field) => config[field])).flatMap(parseTemplate);
  return new Set(parts.flatMap((part) => (part.kind === "argument" ? [part.name] : [])));
}

/** Returns the names in double braces that belong to no integration. */
export function strayTokensIn(config: Record<string, unknown>): string[] {
  return [...new Set(textsIn(FIELDS.map((field) => config[field])).flatMap(strayTokens))];
}

/** Returns each unclosed brace with the path of its field. */
export function openBracesIn(config: Record<string, unknown>): { field: string; open: string }[] {
  const within = (value: unknown, path: string): { field: string; open: string }[] => {
    if (typeof value === "object" && value !== null)
      return Object.entries(value).flatMap(([name, part]) => within(part, `${path}.${name}`));
    const open = typeof value === "string" ? openBraces(value) : undefined;
    return open === undefined ? [] : [{ field: path, open }];
  };
  return FIELDS.flatMap((field) => within(config[field], field));
}

/** An address that begins with the base address of the account's own service. */
const BASE = /^(\{\{\s*custom_(?:api|llm)\.base_url\s*\}\})((?:[/?#].*)?)$/s;

/**
 * Splits an address template into its parts before values are filled in, so that no value can move a boundary. `base`
 * replaces the scheme, host and beginning of the path; null if the template contains them itself.
 */
export function splitUrl(template: string) {
  const [, base, rest = ""] = BASE.exec(template) ?? [];
  if (base !== undefined) {
    const [, path = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/s.exec(rest) ?? [];
    return { base, scheme: "", host: "", path, query };
  }
  const [, scheme = "", host = "", path = "", query = ""] =
    /^(https?):\/\/([^/?#\\]*)(\/[^?#]*)?(?:\?([^#]*))?(#.*)?$/is.exec(template) ?? [];
  return { base: null, scheme: scheme.toLowerCase(), host, path: path === "" ? "/" : path, query };
}

function faultOfUrl(text: string): string | null {
  const { base, scheme, host, path, query } = splitUrl(text);
  // Plain http is allowed only for hosts that the operator allows, which is checked when the tool runs.
  if (base === null && (scheme === "" || host === ""))
    return "must be an address such as https://api.example.com/orders/{order_id}";
  if (/[\p{Cc}\s\\]/u.test(text.replace(/\{\{[^{}]*\}\}/g, "")))
    return "must not contain white space, control characters or backslashes";
  if (text.includes("#")) return "must not have a fragment";
  if (host.includes("@")) return "must not contain credentials; use auth";
  const parts = parseTemplate(host);
  if (parts.some(({ kind }) => kind === "argument")) return "must not have an argument in its host";
  for (const part of parts) {
    const integration = part.kind === "reference" ? integrationNamed(part.integration) : undefined;
    if (part.kind === "reference" && integration && isSecret(integration, part.field))
      return `must not have the secret ${part.integration}.${part.field} in its host`;
  }
  if (/:[^:]*\{/.test(host.replace(/\{\{[^{}]*\}\}/g, "{"))) return "must not have a template in its port";
  if (base === null && !URL.canParse(`https://${host.replace(/\{\{[^{}]*\}\}/g, "a")}/`)) return "must have a host";
  if (path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    return "must not have dot segments in its path";
  const names = query.split("&").map((pair) => pair.split("=", 1)[0] ?? "");
  if (names.some((name) => parseTemplate(name).some(({ kind }) => kind !== "text")))
    return "must not have a template in the name of a query parameter";
  return null;
}

function isOneToken(text: string): boolean {
  const [part, ...more] = parseTemplate(text);
  return part !== undefined && part.kind !== "text" && more.length === 0;
}
