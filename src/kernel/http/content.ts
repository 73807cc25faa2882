import { z } from "@hono/zod-openapi";
import { isObject } from "../objects.ts";
import { type Authority, seesContacts, seesContent } from "../scopes.ts";
import { partsOf } from "./secret-fields.ts";

/**
 * The kind of personal data in a field: a conversation's content, a contact's data, or a phone number or visitor's id.
 */
type Mark = "content" | "columns" | "number";

const MARKS = new WeakMap<object, Mark>();

interface Documented {
  description: string;
  example?: string | object | null;
}

function marked<S extends z.ZodType>(schema: S, mark: Mark, words: string, documented: Documented): S {
  const description = `${documented.description} ${words}`;
  const field = schema.openapi({ ...documented, description });
  MARKS.set(field, mark);
  return field;
}

/** Returns the field with another example. The copy stays hidden from the same callers. */
export function withExample<S extends z.ZodType>(field: S, example: unknown): S {
  const again = field.openapi({ example });
  const mark = MARKS.get(field);
  if (mark !== undefined) MARKS.set(again, mark);
  return again;
}

/** Returns the kind of personal data in a field; null if every caller may see it. */
export const markOf = (schema: z.ZodType): Mark | null => MARKS.get(schema) ?? null;

/** Marks a field as content of a conversation: it is null without `listen`. */
export const content = <S extends z.ZodType>(schema: S, documented: Documented) =>
  marked(schema.nullable(), "content", "Null without the scope `listen`.", documented);

/** Marks a field as data of a contact: it is null without `listen` or `dial`. */
export const columns = <S extends z.ZodType>(schema: S, documented: Documented) =>
  marked(schema.nullable(), "columns", "Null without the scope `listen` or `dial`.", documented);

/**
 * Marks a field as a person's phone number: without `listen` or `dial`, it is masked except for its last four digits.
 */
export const personNumber = <S extends z.ZodType>(schema: S, documented: Documented) =>
  marked(schema, "number", "Without the scope `listen` or `dial` only its last four digits are shown.", documented);

/**
 * Marks a field as a visitor's id: without `listen` or `dial`, it is masked, because the customer's server may use
 * e-mail addresses as ids.
 */
export const visitorId = <S extends z.ZodType>(schema: S, documented: Documented) =>
  marked(schema, "number", "Without the scope `listen` or `dial` only ids of guests are shown.", documented);

const MASK = "••••";
const DIALLED = /^\+?[\d\s().-]*\d[\d\s().-]*$/;
/**
 * Texts that identify no person: carriers' words for a withheld number, and texts that were masked or erased before.
 */
const NON_IDENTIFYING =
  /^(?:anonymous|blocked|private|restricted|unavailable|unknown|withheld|••••(?: \d{4})?|\[(?:PHONE|VISITOR)\]|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)$/i;

/**
 * Masks whatever identifies a person: all but the last four digits of a phone number, and a SIP address, e-mail address
 * or name completely. Ids created by this service and words for a withheld number are kept.
 */
export function maskedNumber(identity: string): string {
  if (NON_IDENTIFYING.test(identity)) return identity;
  return DIALLED.test(identity) ? `${MASK} ${identity.slice(-4)}` : MASK;
}

/** Removes from a value what the caller may not see. */
export function visibleTo(authority: Authority, schema: z.ZodType, value: unknown): unknown {
  const [content, contacts] = [seesContent(authority), seesContacts(authority)];
  if (content && contacts) return value;
  return without({ content: !content, columns: !contacts, number: !contacts }, schema, value);
}

function without(hidden: Record<Mark, boolean>, schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined || !holdsMarks(schema)) return value;
  const mark = MARKS.get(schema);
  if (mark !== undefined && hidden[mark]) return mark === "number" ? maskedNumber(String(value)) : null;
  if (schema instanceof z.ZodObject) return withoutInMembers(hidden, schema, value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => without(hidden, schema.element as z.ZodType, item));
  }
  return partsOf(schema).reduce<unknown>((shown, part) => without(hidden, part, shown), value);
}

function withoutInMembers(hidden: Record<Mark, boolean>, { shape }: z.ZodObject, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, field ? without(hidden, field as z.ZodType, member) : member];
  });
  return Object.fromEntries(members);
}

/** Removes from a request the members that its sender saw as null or masked, and now sends back unchanged. */
export function withoutHidden(authority: Authority, schema: z.ZodType, sent: unknown): unknown {
  const [content, contacts] = [seesContent(authority), seesContacts(authority)];
  if (content && contacts) return sent;
  return withoutHiddenIn({ content: !content, columns: !contacts, number: !contacts }, schema, sent);
}

function withoutHiddenIn(hidden: Record<Mark, boolean>, schema: z.ZodType, sent: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isObject(sent) || !holdsMarks(schema)) return sent;
  const members = Object.entries(sent).flatMap(([name, member]) => {
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    const mark = field && MARKS.get(field);
    if (mark !== undefined && hidden[mark] && (member === null || isMasked(member))) return [];
    return [[name, field ? withoutHiddenIn(hidden, field, member) : member]];
  });
  return Object.fromEntries(members);
}

const isMasked = (value: unknown) => typeof value === "string" && value.startsWith(MASK);

const holding = new WeakMap<object, boolean>();

/** Checks whether the schema has fields with personal data. */
function holdsMarks(schema: z.ZodType): boolean {
  const cached = holding.get(schema);
  if (cached !== undefined) return cached;
  const holds = MARKS.has(schema) || partsOf(schema).some(holdsMarks);
  holding.set(schema, holds);
  return holds;
}
