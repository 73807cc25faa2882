import type { Context } from "hono";
import { z } from "zod";
import { sentJson } from "./body.ts";
import type { AppEnv } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError, type FieldError, notFound } from "./errors.ts";
import { UNKNOWN_FIELDS } from "./ignored-fields.ts";
import { fieldErrors, invalidFields } from "./issues.ts";

/** A validated request. Each part is the result of parsing with its schema. */
export interface ValidatedRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The maximum length of a name that an error repeats, characters. */
const MOST_NAME_CHARS = 100;

/**
 * Validates the request's path, query and body.
 * @throws ApiError 404 if the path cannot exist, otherwise 400 that lists every wrong field of all three, including
 * refused unknown fields of the body
 */
export async function validRequest(
  c: Context<AppEnv>,
  definition: Endpoint,
  unknown: ApiError | null,
): Promise<ValidatedRequest> {
  const { params, query, body, badId, path } = definition;
  const faults: ApiError[] = unknown ? [unknown] : [];
  const sentParams = c.req.param();
  const parsedParams = params?.safeParse(sentParams);
  if (parsedParams?.error) {
    if (!badId) throw notFound(singular(path, String(parsedParams.error.issues[0]?.path[0])));
    const errors = [{ field: "id", code: "invalid_format", message: "must be a UUID" }];
    faults.push(new ApiError(400, "invalid_id", "id must be a UUID", {}, errors));
  }
  // No id or name is that long, and looking it up would only cost time.
  const long = Object.entries(sentParams).find(([, value]) => value.length > MAX_SEGMENT_CHARS);
  if (long && !parsedParams?.error) throw notFound(singular(path, long[0]));
  const sentQuery = readQuery(c, definition, faults);
  const parsedQuery = query?.safeParse(sentQuery);
  if (parsedQuery?.error) faults.push(invalidFields(fieldErrors(parsedQuery.error, sentQuery)));
  const parsedBody = body && parseBody(body, await sentJson(c));
  if (parsedBody?.error) faults.push(parsedBody.error);
  if (faults.length > 0) throw together(faults);
  return { params: parsedParams?.data ?? {}, query: parsedQuery?.data ?? {}, body: parsedBody?.data };
}

function parseBody(schema: z.ZodType, sent: unknown): { data?: unknown; error?: ApiError } {
  const { data, error } = schema.safeParse(sent);
  return error ? { error: invalidFields(fieldErrors(error, sent)) } : { data };
}

/** The maximum length of a path parameter, characters. The longest ids are those of an identity provider's members. */
export const MAX_SEGMENT_CHARS = 512;

/**
 * The maximum length of a query parameter that has no limit of its own, characters. The longest ticket has about 1,000.
 */
export const MAX_PARAMETER_CHARS = 4_096;

/** Matches query parameters with values by name: `data.day=Friday` or `data[day]=Friday`. */
const NAMED = /^(?<field>[a-z_]+)(?:\.(?<dotted>.+)|\[(?<bracketed>[^\]]+)\])$/;

function holdsNamed(field: unknown): boolean {
  if (field instanceof z.ZodOptional) return holdsNamed(field.unwrap());
  return field instanceof z.ZodRecord;
}

interface QueryFields {
  /** Names of parameters that hold values by name. */
  named: string[];
  /** Names of all other parameters. */
  declared: string[];
}
const queryFields = new WeakMap<Endpoint, QueryFields>();

function queryFieldsOf(definition: Endpoint): QueryFields {
  const known = queryFields.get(definition);
  if (known) return known;
  const fields = Object.entries(definition.query?.shape ?? {});
  const named = fields.filter(([, field]) => holdsNamed(field)).map(([name]) => name);
  const declared = fields.map(([name]) => name).filter((name) => !named.includes(name));
  queryFields.set(definition, { named, declared });
  return { named, declared };
}

/** Returns the query parameters by name. Adds unknown and repeated ones to the faults. */
function readQuery(
  c: Context<AppEnv>,
  definition: Endpoint,
  faults: ApiError[],
): Record<string, string | Record<string, string>> {
  if (!c.req.url.includes("?")) return {};
  const { named, declared } = queryFieldsOf(definition);
  const values = new Map<string, string>();
  const members = new Map<string, Map<string, string>>();
  const unknown: string[] = [];
  const repeated: string[] = [];
  const long: string[] = [];
  for (const [name, [value, ...more]] of Object.entries(c.req.queries())) {
    const { field = "", dotted, bracketed } = (named.length > 0 && NAMED.exec(name)?.groups) || {};
    // zod drops a member called `__proto__`, which would leave the list unfiltered.
    const key = dotted ?? bracketed;
    if (value !== undefined && value.length > MAX_PARAMETER_CHARS) long.push(name.slice(0, MOST_NAME_CHARS));
    if (key !== "__proto__" && named.includes(field) && key !== undefined && value !== undefined) {
      const ofField = members.get(field) ?? new Map<string, string>();
      if (more.length > 0 || ofField.has(key)) repeated.push(name);
      members.set(field, ofField.set(key, value));
      continue;
    }
    if (!declared.includes(name)) unknown.push(name.slice(0, MOST_NAME_CHARS));
    else if (value !== undefined) values.set(name, value);
    if (declared.includes(name) && more.length > 0) repeated.push(name);
  }
  if (long.length > 0) {
    const message = `must have at most ${MAX_PARAMETER_CHARS.toLocaleString("en")} characters`;
    throw invalidFields(long.map((field) => ({ field, code: "too_long", message })));
  }
  if (repeated.length > 0) {
    const errors = repeated.map((field) => ({
      field,
      code: "repeated",
      message: "is given more than once; send it once",
    }));
    faults.push(invalidFields(errors, "repeated_query_parameter"));
  }
  if (unknown.length > 0 && definition.extraQuery !== "ignored") {
    faults.push(unknownParameters(unknown, [...declared, ...named.map((name) => `${name}.<name>`)]));
  }
  const objects = [...members].map(([field, ofField]) => [field, Object.fromEntries(ofField)] as const);
  return Object.fromEntries<string | Record<string, string>>([...values, ...objects]);
}

function unknownParameters(unknown: string[], declared: string[]): ApiError {
  const takes = declared.length > 0 ? `takes ${declared.join(", ")}` : "takes no query parameters";
  const { message, errors } = invalidFields(
    unknown.map((field) => ({ field, code: "unknown", message: "is unknown" })),
  );
  const sentence = `query parameter ${message}; this endpoint ${takes}`;
  return new ApiError(400, "unknown_query_parameter", sentence, {}, errors);
}

/** Merges faults into one error with a common code, because an unknown field may be a misspelling of a missing one. */
function together(faults: ApiError[]): ApiError {
  const [first, ...others] = faults as [ApiError, ...ApiError[]];
  if (others.length === 0) return first;
  const errors = faults.flatMap((fault): FieldError[] => fault.errors ?? []);
  const code = first.code === UNKNOWN_FIELDS ? UNKNOWN_FIELDS : "invalid_request";
  return new ApiError(400, code, faults.map(({ message }) => message).join("; "), {}, errors);
}

/** Returns the kind of resource that a path parameter names: `/api/v1/agents/{id}` and `id` → `agent`. */
function singular(path: string, parameter: string): string {
  const before = path.split(`/{${parameter}}`)[0]?.split("/").at(-1) ?? "resource";
  return before.replace(/s$/, "").replace(/-/g, " ");
}
