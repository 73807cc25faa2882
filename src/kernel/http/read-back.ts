import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { FROM_A_PRINCIPAL, readStrayJson, sentJson } from "./body.ts";
import { canonicalJson } from "./canonical-json.ts";
import { withoutHidden } from "./content.ts";
import type { AppEnv } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ApiError, clientErrorOf } from "./errors.ts";
import { isStrict, nameIgnored, unknownFieldsError } from "./ignored-fields.ts";
import { shownTo } from "./respond.ts";
import { readingSlowly } from "./slow-body.ts";
import { innerOf, type UnknownFields, unknownFields } from "./unknown-fields.ts";
import type { ValidatedRequest } from "./validate.ts";

/* Clients send back what they read. Read-only fields with unchanged values are therefore not reported as unused. */

/** A reading endpoint with its handler. */
export interface Reader {
  definition: Endpoint;
  read: (c: Context<AppEnv>, request: ValidatedRequest) => unknown;
}

const NO_FIELDS = z.object({});

/**
 * Removes from the body of a PATCH or PUT the values that its sender saw as null or masked, so that sending them back
 * unchanged does not replace the stored values.
 */
export async function dropHidden(
  c: Context<AppEnv>,
  definition: Endpoint,
  readers: ReadonlyMap<string, Reader>,
): Promise<void> {
  const shown = resourceOf(definition, readers)?.shown;
  if (!shown || !definition.body) return;
  // The framework awaits the cached value, so it must be a promise.
  c.req.bodyCache.json = Promise.resolve(withoutHidden(c.get("principal"), shown, await sentJson(c)));
}

/**
 * Reports the unused fields of the request's body in a response header. Under strict handling it returns the error that
 * refuses them. The code that reads a form reports the form's fields itself.
 */
export async function unknownInRequest(
  c: Context<AppEnv>,
  definition: Endpoint,
  readers: ReadonlyMap<string, Reader>,
): Promise<ApiError | null> {
  const strict = isStrict(c);
  const { body, rawBody } = definition;
  if (rawBody) return null;
  const sent = body ? await sentJson(c) : await readingSlowly(c, definition, () => readStrayJson(c, FROM_A_PRINCIPAL));
  const found = unknownFields(body ?? NO_FIELDS, sent);
  if (found.total === 0) return null;
  const resource = resourceOf(definition, readers);
  const ignored = await withoutReadBack(found, sent, {
    shown: resource?.shown ?? definition.response,
    current: async () => resource?.current(c, sent),
  });
  if (ignored.total === 0) return null;
  nameIgnored(c, ignored);
  return strict ? unknownFieldsError(ignored) : null;
}

/** The resource that a write changes, as shown by its own endpoint or in its list. */
interface Resource {
  shown: z.ZodType;
  current(c: Context<AppEnv>, sent: unknown): Promise<unknown>;
}

/** Returns the resource that a PATCH or PUT changes; null if no endpoint reads it. */
function resourceOf(definition: Endpoint, readers: ReadonlyMap<string, Reader>): Resource | null {
  const { method, path, itemOf } = definition;
  if (method !== "patch" && method !== "put") return null;
  const [, list = path, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const own = itemOf ? undefined : readers.get(path);
  const reader = own ?? readers.get(list);
  const schema = reader?.definition.response;
  if (!reader || !schema) return null;
  const shown = own ? schema : itemSchemaOf(schema);
  if (!shown) return null;
  const current = async (c: Context<AppEnv>, sent: unknown) => {
    const request = requestOf(c, reader.definition);
    const [field, value] = itemOf ? [itemOf, member(sent, itemOf)] : ["id", parameter && c.req.param(parameter)];
    try {
      const answer = request && (await reader.read(c, request));
      // Only resources with an endpoint of their own have lists in pieces.
      const items = Array.isArray(answer) ? answer : Object.values(Object(answer)).find(Array.isArray);
      const found = own ? answer : items?.find((one: unknown) => member(one, field) === value);
      return found && shownTo(c, shown, found);
    } catch (error) {
      // There is nothing to compare with. Handling the request itself produces the error.
      if (clientErrorOf(error)) return undefined;
      throw error;
    }
  };
  return { shown, current };
}

/** Returns the request for reading the resource at this path; undefined if its path or query is invalid. */
function requestOf(c: Context<AppEnv>, { params, query }: Endpoint): ValidatedRequest | undefined {
  const [at, by] = [(params ?? NO_FIELDS).safeParse(c.req.param()), (query ?? NO_FIELDS).safeParse({})];
  return at.success && by.success ? { params: at.data, query: by.data, body: undefined } : undefined;
}

/** Returns the schema of a list's items; undefined if it is not a list. */
function itemSchemaOf(schema: z.ZodType): z.ZodType | undefined {
  const lists = schema instanceof z.ZodObject ? Object.values(schema.shape) : [schema];
  const list = lists.find((one) => one instanceof z.ZodArray);
  return list?.element as z.ZodType | undefined;
}

/**
 * Removes unused fields that a client sends back as it read them: the resource's id and times, and fields that the
 * request cannot change and whose value is current. `current` returns the resource as the caller sees it; undefined if
 * it cannot be read.
 */
async function withoutReadBack(
  found: UnknownFields,
  sent: unknown,
  { shown, current }: { shown: z.ZodType | undefined; current: () => Promise<unknown> },
): Promise<UnknownFields> {
  if (found.total === 0 || !(shown instanceof z.ZodObject)) return found;
  const { shape } = shown;
  const isOwn = ([name]: (string | number)[]) => typeof name === "string" && Object.hasOwn(shape, name);
  const isStamp = ([name, ...more]: (string | number)[]) =>
    more.length === 0 && (name === "id" || isTime(shape[String(name)] as z.ZodType));
  const others = found.fields.filter(({ path }) => !(isOwn(path) && isStamp(path)));
  const resource = others.some(({ path }) => isOwn(path)) ? await current() : undefined;
  const fields = others.filter(({ path }) => resource === undefined || !isSame(resource, sent, path));
  return { fields, total: found.total - (found.fields.length - fields.length) };
}

function isTime(schema: z.ZodType): boolean {
  const inner = innerOf(schema);
  return inner ? isTime(inner) : schema instanceof z.ZodISODateTime;
}

function isSame(resource: unknown, sent: unknown, path: readonly (string | number)[]): boolean {
  const [is, was] = [valueAt(resource, path), valueAt(sent, path)];
  return is !== undefined && was !== undefined && canonicalJson(is) === canonicalJson(was);
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(member, value);
}

/** Returns an object's own member; undefined if there is none. */
function member(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
