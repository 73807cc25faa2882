import { z } from "zod";
import { readNumber, whyNoNumber } from "../numbers/read-number.ts";
import { ApiError, type FieldError, inWords } from "./errors.ts";
import { beginningOf } from "./plain-text.ts";
import { plainWords, REQUIRED } from "./plain-words.ts";

z.config({ customError: plainWords });

/** The error code of a field that is not one valid phone number, and of an error that is only about such fields. */
export const INVALID_NUMBER = "invalid_number";
/** The maximum number of fields that an error lists; the others are only counted. */
export const MOST_NAMED = 20;
/** The maximum number of faults that are examined; those beyond are not counted. */
const MOST_EXPLAINED = 1_000;
/** The maximum length of the path and message of a field in an error, characters. Both repeat what was sent. */
const MOST_PATH_CHARS = 300;
const MOST_MESSAGE_CHARS = 1_000;
/** The library's message for schemas without a message of their own. */
const WORDLESS = "Invalid input";

type Issue = z.core.$ZodIssue;

/**
 * Returns the faults of a validation, one for each field, with the path of nested ones (`schedule_config.0.start`).
 * @param sent the value as it was sent, which distinguishes missing fields from wrong ones
 * @param within the path of the value, if it is part of a request
 */
export function fieldErrors(error: z.ZodError, sent?: unknown, within: PropertyKey[] = []): FieldError[] {
  const named = new Map<string, FieldError>();
  for (const issue of error.issues.slice(0, MOST_EXPLAINED)) {
    for (const { path, code, message } of explained(issue, sent)) {
      if (named.size >= MOST_EXPLAINED) break;
      const field = [...within, ...path].join(".");
      if (!named.has(field)) named.set(field, { field, code, message });
    }
  }
  return [...named.values()];
}

/**
 * Creates a 400 that lists up to 20 fields. A fault without a field is about the whole body.
 * @param total the number of faults, if `errors` contains only the first ones
 */
export function invalidFields(errors: FieldError[], code = "invalid_request", total = errors.length): ApiError {
  const named = errors.slice(0, MOST_NAMED).map(shortened);
  const more = total - named.length;
  const message = named.map(inWords).join("; ") || "invalid request";
  const slug = errors.length > 0 && errors.every((error) => error.code === INVALID_NUMBER) ? INVALID_NUMBER : code;
  return new ApiError(400, slug, more > 0 ? `${message}; and ${more} more` : message, {}, named);
}

/** Creates a 400 for a field that is not one valid phone number. */
export function invalidNumber(field: string, written: string): ApiError {
  return invalidFields([{ field, code: INVALID_NUMBER, message: whyNoNumber(readNumber(written, null)) }]);
}

/** Formats a path for an error (`tags.0`). The result is well-formed, and cut if it is long. */
export function shownPath(path: readonly PropertyKey[]): string {
  return shortText(path.join("."), MOST_PATH_CHARS);
}

function shortened({ field, code, message }: FieldError): FieldError {
  return { field: shortText(field, MOST_PATH_CHARS), code, message: shortText(message, MOST_MESSAGE_CHARS) };
}

function shortText(text: string, most: number): string {
  return (text.length <= most ? text : `${beginningOf(text, most - 1)}…`).toWellFormed();
}

interface Explained {
  path: PropertyKey[];
  code: string;
  message: string;
}

function explained(issue: Issue, sent: unknown): Explained[] {
  const { path, message } = issue;
  if (isMissing(issue, sent)) return [{ path, code: "required", message: REQUIRED }];
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, MOST_EXPLAINED)
      .map((key) => ({ path: [...path, key], code: "unknown", message: "is unknown" }));
  }
  if (issue.code === "invalid_key") {
    return [{ path, code: "invalid_name", message: `the name is not allowed: ${issue.issues[0]?.message}` }];
  }
  if (issue.code === "invalid_union" && message === WORDLESS) return explainUnion(issue);
  return [{ path, code: codeOf(issue), message }];
}

/** Returns the slug of a fault. */
function codeOf(issue: Issue): string {
  if (issue.message === REQUIRED) return "required";
  switch (issue.code) {
    case "invalid_type":
      return "wrong_type";
    case "invalid_value":
      return "not_allowed";
    case "invalid_format":
      return "invalid_format";
    case "too_big":
      return isCounted(issue.origin) ? "too_long" : "too_large";
    case "too_small":
      return isCounted(issue.origin) ? "too_short" : "too_small";
    case "custom":
      return typeof issue.params?.code === "string" ? issue.params.code : "invalid";
    default:
      return "invalid";
  }
}

const isCounted = (origin: string) => ["string", "array"].includes(origin);

/**
 * Explains a union's issues. If the sent value can only be meant for one member, returns that member's issues,
 * otherwise what the members require.
 */
function explainUnion({ path, errors }: z.core.$ZodIssueInvalidUnion): Explained[] {
  const meant = errors.filter((issues) => issues.every((issue) => issue.path.length > 0));
  const [only] = meant;
  if (only && meant.length === 1)
    return only
      .slice(0, MOST_EXPLAINED)
      .flatMap((issue) => explained(issue, undefined))
      .map(under(path));
  const requirements = errors.map((issues) =>
    issues
      .slice(0, MOST_NAMED)
      .map(({ path: inner, message }) => [...inner, message].join(" "))
      .join("; "),
  );
  const message = [...new Set(requirements)].join(", or ") || "matches none of the allowed kinds";
  return [{ path, code: "invalid", message }];
}

const under =
  (path: PropertyKey[]) =>
  ({ path: inner, code, message }: Explained): Explained => ({ path: [...path, ...inner], code, message });

function isMissing({ code, path }: Issue, sent: unknown): boolean {
  if (code !== "invalid_value" && code !== "invalid_union") return false;
  return path.length > 0 && hasMembers(sent) && valueAt(sent, path) === undefined;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((here, name) => (hasMembers(here) ? Reflect.get(here, name) : undefined), value);
}

const hasMembers = (value: unknown): value is object => typeof value === "object" && value !== null;
