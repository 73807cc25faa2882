import { isIssuedCardNumber } from "./card.ts";
import { MARKS, redactText, redactTexts } from "./redact.ts";
import type { RedactKind } from "./spans.ts";

/** Redacts the texts, numbers and field names in a JSON value. A list of texts is read as one text. */
export function redactJson(value: unknown, kinds: ReadonlySet<RedactKind>): unknown {
  if (typeof value === "string") return redactText(value, kinds);
  if (typeof value === "number") return redactNumber(value, kinds);
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((one) => typeof one === "string")) return redactTexts(value, kinds).texts;
    return value.map((one) => redactJson(one, kinds));
  }
  return typeof value === "object" && value !== null ? redactFields(value, kinds) : value;
}

export function redactFields(fields: object, kinds: ReadonlySet<RedactKind>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [redactText(name, kinds), redactJson(value, kinds)]),
  );
}

/**
 * Redacts a number. A time in milliseconds can pass the check of card numbers, but no scheme issues such numbers, so
 * the stricter check is used.
 */
function redactNumber(value: number, kinds: ReadonlySet<RedactKind>): number | string {
  const text = String(value);
  const redacted = redactText(text, kinds);
  const isTime = redacted === MARKS.card && !isIssuedCardNumber(text);
  return redacted === text || isTime ? value : redacted;
}
