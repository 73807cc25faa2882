import type { Context } from "hono";
import type { AppEnv } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";
import { answerHeader } from "./headers.ts";
import { invalidFields, MOST_NAMED } from "./issues.ts";
import { nearestName } from "./nearest-name.ts";
import { prefersStrict, STRICT_APPLIED } from "./prefer.ts";
import type { UnknownFields } from "./unknown-fields.ts";

/* What was sent and is not used is named: in a header of the answer, or under strict handling as an error. */

/** Names the fields that were sent and not used. */
export const IGNORED_FIELDS = "ignored-fields";
/** The code of the refusal under strict handling. */
export const UNKNOWN_FIELDS = "unknown_fields";
/** Longest value of the header, bytes. */
const MAX_HEADER_BYTES = 1_024;
const SEPARATOR = ", ";

/** Checks whether the writes of an endpoint name the fields they ignore; sign-ins, widgets and runtimes do not. */
export function namesIgnoredFields({ method, path }: Pick<Endpoint, "method" | "path">): boolean {
  if (method === "get" || path.startsWith("/api/v1/widget/auth/")) return false;
  return path.startsWith("/api/v1/") || path.startsWith("/api/admin/v1/");
}

/** Checks whether the request asks for strict handling, and says in its answer that it is granted. */
export function isStrict(c: Context<AppEnv>): boolean {
  const strict = prefersStrict(c.req.header("prefer"));
  if (strict) answerHeader(c, "preference-applied", STRICT_APPLIED);
  return strict;
}

/** Names the fields in the answer to this request; without any, the answer has no such header. */
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

/** A path with its names percent-encoded and dots between them, cut behind a whole character where it is too long. */
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

/** Also encodes the dots in a name, as dots stand between names. */
const encoded = (name: string): string => encodeURIComponent(name.toWellFormed()).replaceAll(".", "%2E");

/** The refusal of strict handling: names each field, up to 20, with the nearest name that is known in its place. */
export function unknownFieldsError({ fields, total }: UnknownFields): ApiError {
  const errors = fields.slice(0, MOST_NAMED).map(({ path, known }) => {
    const nearest = nearestName(String(path.at(-1)), known);
    const message = nearest === null ? "is unknown" : `is unknown; the nearest known field is ${nearest}`;
    return { field: path.join("."), code: "unknown", message };
  });
  return invalidFields(errors, UNKNOWN_FIELDS, total);
}
