import { z } from "@hono/zod-openapi";

/** A sent field that the schema does not have. */
export interface UnknownField {
  path: (string | number)[];
  known: readonly string[];
}

/** The unknown fields of a value: the first thousand, and their total number. */
export interface UnknownFields {
  fields: UnknownField[];
  total: number;
}

/** The maximum number of unknown fields that are listed; those beyond are only counted. */
const MOST_FIELDS = 1_000;

/**
 * Finds the fields of a value that its schema does not have, at any depth, in linear time. Records and values of any
 * type have no unknown fields.
 */
export function unknownFields(schema: z.ZodType, value: unknown): UnknownFields {
  const found: UnknownFields = { fields: [], total: 0 };
  const path: (string | number)[] = [];

  const within = (key: string | number, part: z.ZodType, member: unknown) => {
    path.push(key);
    visit(part, member);
    path.pop();
  };
  const visitObject = (object: z.ZodObject, members: object) => {
    const { shape } = object;
    for (const [name, member] of Object.entries(members)) {
      if (Object.hasOwn(shape, name)) within(name, shape[name] as z.ZodType, member);
      else if (isClosed(object)) {
        found.total++;
        if (found.fields.length < MOST_FIELDS) found.fields.push({ path: [...path, name], known: Object.keys(shape) });
      }
    }
  };
  const visit = (part: z.ZodType, member: unknown): void => {
    if (member === null || member === undefined) return;
    const inner = innerOf(part);
    if (inner) visit(inner, member);
    else if (part instanceof z.ZodPipe) visitPipe(part, member);
    else if (typeof member === "object") visitMembers(part, member);
  };
  const visitMembers = (part: z.ZodType, member: object): void => {
    if (part instanceof z.ZodUnion) {
      const meant = (part.options as z.ZodType[]).find((option) => option.safeParse(member).success);
      if (meant) visit(meant, member);
    } else if (part instanceof z.ZodArray && Array.isArray(member)) {
      for (const [i, item] of member.entries()) within(i, part.element as z.ZodType, item);
    } else if (part instanceof z.ZodRecord) {
      for (const [name, item] of Object.entries(member)) within(name, part.valueType as z.ZodType, item);
    } else if (part instanceof z.ZodObject && !Array.isArray(member)) visitObject(part, member);
  };
  /**
   * Visits a value that is transformed. It was sent in the form of the first schema. If the first schema is the
   * transformation, its result is visited with the second.
   */
  const visitPipe = ({ in: first, out: second }: z.ZodPipe, member: unknown): void => {
    const isPrepared = first instanceof z.ZodTransform;
    const prepared = isPrepared ? first.safeParse(member) : { success: true, data: member };
    if (prepared.success) visit((isPrepared ? second : first) as z.ZodType, prepared.data);
  };

  visit(schema, value);
  return found;
}

/**
 * Unwraps a schema that only makes another one optional, nullable, read-only or lazy, or gives it a default; undefined
 * if it does none of these.
 */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return schema.unwrap() as z.ZodType;
  return undefined;
}

/** Checks whether an object allows only the members of its shape. */
function isClosed({ def: { catchall } }: z.ZodObject): boolean {
  return catchall === undefined || catchall instanceof z.ZodNever;
}
