import type { Context } from "hono";
import type { AppEnv } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";
import { answerHeader } from "./headers.ts";
import { invalidFields, MOST_NAMED } from "./issues.ts";
import { prefersStrict, STRICT_APPLIED } from "./prefer.ts";
import type { UnknownFields } from "./unknown-fields.ts";

/* Reports fields that were sent but not used, in a response header or, under strict handling, as an error. */

/** The response header that lists the unused fields. */
const IGNORED_FIELDS = "ignored-fields";
/** The error code under strict handling. */
export const UNKNOWN_FIELDS = "unknown_fields";
const MAX_HEADER_BYTES = 1_024;
const SEPARATOR = ", ";

/** Checks whether an endpoint reports unused fields. Sign-ins, widgets and runtimes don't. */
export function namesIgnoredFields({ method, path }: Pick<Endpoint, "method" | "path">): boolean {
  if (method === "get" || path.startsWith("/api/v1/widget/auth/")) return false;
  return path.startsWith("/api/v1/") || path.startsWith("/api/admin/v1/");
}

/** Checks whether the request asks for strict handling, and confirms it in the response. */
export function isStrict(c: Context<AppEnv>): boolean {
  const strict = prefersStrict(c.req.header("prefer"));
  if (strict) answerHeader(c, "preference-applied", STRICT_APPLIED);
  return strict;
}

/** Adds the header that lists the unused fields to the response, if there are any. */
export function nameIgnored(c: Context<AppEnv>, { fields }: UnknownFields): void {
  const named: string[] = [];
  let room = MAX_HEADER_BYTES;
  for (const { path } of fields.slice(0, MOST_NAMED)) {
    const text = encodedPath(path, named.length === 0 ? room : Number.POSITIVE_INFINITY);
    const bytes = text.length + (named.length === 0 ? 0 : SEPARATOR.length);
    if (bytes > room) continue;
    named.push(text);
    room -= bytes;
  }
  if (named.length > 0) answerHeader(c, IGNORED_FIELDS, named.join(SEPARATOR));
}

/** Joins a path's percent-encoded names with dots. A long path is cut after a whole character. */
function encodedPath(path: readonly (string | number)[], most: number): string {
  const whole = path.map((name) => encoded(String(name))).join(".");
  if (whole.length <= most) return whole;
  let cut = "";
  for (const character of path.map(String).join(".")) {
    const next = encoded(character);
    if (cut.length + next.length > most) break;
    cut += next;
  }
  return cut;
}

/** Dots within a name are encoded too, because dots separate names. */
const encoded = (name: string): string => encodeURIComponent(name.toWellFormed()).replaceAll(".", "%2E");

/** Creates the error of strict handling. It lists up to 20 fields, each with the most similar known name. */
export function unknownFieldsError({ fields, total }: UnknownFields): ApiError {
  const errors = fields.slice(0, MOST_NAMED).map(({ path, known }) => {
    const nearest = nearestName(String(path.at(-1)), known);
    const message = nearest === null ? "is unknown" : `is unknown; the nearest known field is ${nearest}`;
    return { field: path.join("."), code: "unknown", message };
  });
  return invalidFields(errors, UNKNOWN_FIELDS, total);
}

/** The maximum length of a name that is compared, UTF-16 code units. */
const MAX_COMPARED_CHARS = 64;

/**
 * Returns the known name with the fewest edits to `name` (Levenshtein), the first of several; null if `name` has more
 * than 64 characters or no name is known. Known names come from the service's own schemas, so a comparison takes at
 * most 64 × 64 steps, whatever was sent.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED_CHARS) return null;
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editsBetween(name, candidate, fewest);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

/** Counts the edits between two names. If there are at least `enough`, it may return any number from `enough` on. */
function editsBetween(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
    if (Math.min(...row) >= enough) return enough;
  }
  return row[to.length] ?? enough;
}
