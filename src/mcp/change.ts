import type { Principal } from "../kernel/http/context.ts";
import { Refused } from "./api.ts";
import { cut } from "./result.ts";

/**
 * The maximum length of a change's text that is shown for approval, characters. A person can only approve what they
 * have seen.
 */
const SHOWN_CHARS = 8_000;
const REMOVED_CHARS = 2_000;
/** The number of unchanged characters that are shown before and after a change. */
const AROUND = 60;

/**
 * Returns the new value of each field for the approver; for a long text, all of the part that changes.
 * @throws Refused if the change is longer than a person reads, unless the key is unattended
 */
export function changeOf(
  before: object,
  after: Record<string, unknown>,
  { keyTerms }: Pick<Principal, "keyTerms">,
): Record<string, string> {
  const old = new Map(Object.entries(before));
  const parts = Object.entries(after).flatMap(([field, value]) =>
    value === undefined ? [] : partsOf(field, textOf(old.get(field)), textOf(value)),
  );
  const length = parts.reduce((sum, [, text]) => sum + text.length, 0);
  if (length > SHOWN_CHARS && !keyTerms?.unattended)
    throw new Refused(
      400,
      `a person has to see everything that they approve, and this changes more than ${SHOWN_CHARS} characters: change less at a time, or have it changed in the console`,
      "change_too_long",
    );
  return Object.fromEntries(parts.map(([name, text]) => [name, cut(text, SHOWN_CHARS)]));
}

/** Formats a value for an approver. Lists and objects are shown as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function partsOf(field: string, before: string, after: string): [string, string][] {
  const [a, b] = [[...before], [...after]];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const removed = a.slice(start, a.length - end);
  const from = Math.max(0, start - AROUND);
  const to = Math.min(b.length, b.length - end + AROUND);
  const part = `${from > 0 ? "…" : ""}${b.slice(from, to).join("")}${to < b.length ? "…" : ""}`;
  const removedPart =
    removed.length > REMOVED_CHARS
      ? `${cut(removed.join(""), REMOVED_CHARS)} (${removed.length} characters)`
      : removed.join("");
  return [
    [`new ${field}`, part],
    ...(removed.length > 0 ? [[`removed from ${field}`, removedPart] as [string, string]] : []),
  ];
}
