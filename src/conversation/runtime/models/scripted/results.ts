import type { ModelMessage } from "../model.ts";
import { spaced } from "./knowledge.ts";
import { cut, firstSentences, listed } from "./words.ts";

/** What came of a tool. */
export interface ToolOutcome {
  name: string;
  ok: boolean;
  value: unknown;
}

/** Most fields of a result that are read out, characters of one, and levels that are gone into. */
const MOST_FIELDS = 5;
const FIELD_CHARS = 120;
const MOST_LEVELS = 4;
/** Fields that mean nothing to a caller. */
const NOT_READ = /(?:^|_)(?:id|ids|uuid|url|uri|href|links?|token|secret|hash|etag|gid|object|cursor)$/i;

/** A tool message as an outcome: `{ok, result}`, `{error}`, any other JSON, or plain words. */
export function outcomeOf({ name, text }: Extract<ModelMessage, { role: "tool" }>): ToolOutcome {
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    return { name, ok: !/^\s*(?:error|failed|failure)\b/i.test(text), value: text };
  }
  if (!isObject(value)) return { name, ok: true, value };
  if (typeof value.ok === "boolean") {
    return { name, ok: value.ok, value: value.ok ? (value.result ?? null) : (value.error ?? value.result ?? null) };
  }
  const failed = value.error !== undefined && value.error !== null && value.error !== false;
  return { name, ok: !failed, value: failed ? value.error : value };
}

/** A result's main fields as one would read them out; "" where there is nothing to read. */
export function readOut(value: unknown): string {
  if (typeof value === "string") return firstSentences(value, 2, 240);
  if (typeof value === "number" || typeof value === "boolean") return `${spokenValue(value)}.`;
  const items = Array.isArray(value) ? value : null;
  if (items) return readList(items);
  const fields = fieldsOf(value, 0);
  if (fields.length > 0) return `${capital(listed(fields.map(([name, said]) => `${name}: ${said}`)))}.`;
  const inner = isObject(value) ? Object.values(value).find((one) => Array.isArray(one)) : undefined;
  return Array.isArray(inner) ? readList(inner) : "";
}

/** Why something failed, where that can be said in a few words. */
export function reasonOf(value: unknown): string {
  const text =
    typeof value === "string" ? value : isObject(value) && typeof value.message === "string" ? value.message : "";
  return cut(
    text
      .replace(/\S*:\/\/\S*/g, "")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[.!]+$/, ""),
    FIELD_CHARS,
  );
}

function readList(items: unknown[]): string {
  if (items.length === 0) return "I found nothing.";
  const many = items.length === 1 ? "There is one" : `There are ${items.length}`;
  const words = items.slice(0, 3).flatMap((item) => spokenValue(item) ?? []);
  if (words.length > 0) return `${many}: ${listed(words)}${items.length > 3 ? ", and more" : ""}.`;
  const fields = fieldsOf(items[0], 1).map(([name, said]) => `${name}: ${said}`);
  return fields.length > 0
    ? `${many}. ${items.length === 1 ? "It is" : "The first is"} ${listed(fields)}.`
    : `${many}.`;
}

function fieldsOf(value: unknown, level: number): [string, string][] {
  if (!isObject(value) || level >= MOST_LEVELS) return [];
  const fields: [string, string][] = [];
  const deeper: unknown[] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name) || NOT_READ.test(name)) continue;
    const said = spokenValue(value[name]);
    if (said !== null) fields.push([spaced(name), said]);
    else if (deeper.length < MOST_FIELDS) deeper.push(value[name]);
    if (fields.length === MOST_FIELDS) return fields;
  }
  for (const one of deeper) {
    if (fields.length >= MOST_FIELDS) break;
    // Of several alike the first is read.
    fields.push(...fieldsOf(Array.isArray(one) ? one[0] : one, level + 1));
  }
  return fields.slice(0, MOST_FIELDS);
}

/** A single value in words; null for what is no single value, or nothing. */
function spokenValue(value: unknown): string | null {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.trim() === "" || /^[a-z]+:\/\//i.test(value)) return null;
  const flat = cut(value.slice(0, 1_000).replace(/\s+/g, " ").trim(), FIELD_CHARS);
  // `in_transit` is a word of a machine.
  return /^[a-z]+(?:_[a-z]+)+$/.test(flat) ? flat.replaceAll("_", " ") : flat.replace(/[.!]$/, "");
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
