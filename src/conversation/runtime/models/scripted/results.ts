import { isObject } from "../../../../kernel/objects.ts";
import type { ModelMessage } from "../model.ts";
import { PHRASES } from "./phrases.ts";
import { cut, firstSentences, listed, spaced } from "./words.ts";

const MAX_FIELDS = 5;
const MAX_FIELD_CHARS = 120;
const MAX_LEVELS = 4;
/** Fields that mean nothing to a caller. */
const NOT_READ = /(?:^|_)(?:id|ids|uuid|url|uri|href|links?|token|secret|hash|etag|gid|object|cursor)$/i;

/** Returns a tool's result in words: its main fields, or why it failed. */
export function outcomeOf({ text }: Extract<ModelMessage, { role: "tool" }>): { ok: boolean; text: string } {
  const [, reason] = /^Error:?(.*)$/s.exec(text) ?? [];
  if (reason === undefined) return { ok: true, text: readOut(parsed(text)) };
  const spoken = reason.replace(/\S*:\/\/\S*/g, "").replace(/\s+/g, " ");
  return { ok: false, text: cut(spoken.trim().replace(/[.!]+$/, ""), MAX_FIELD_CHARS) };
}

/** Parses a result as JSON; returns the text itself if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readOut(result: unknown): string {
  if (Array.isArray(result) && result.length === 0) return PHRASES.foundNothing;
  if (typeof result === "string")
    return firstSentences(result, 2, 2 * MAX_FIELD_CHARS).replace(/\.$/, "") || PHRASES.done;
  const fields = listed(fieldsOf("", result)) || PHRASES.done;
  return fields.charAt(0).toUpperCase() + fields.slice(1);
}

/** Returns the fields of a result that can be spoken; of a list, those of the first item. */
function fieldsOf(name: string, value: unknown, level = 0): string[] {
  if (NOT_READ.test(name) || level > MAX_LEVELS) return [];
  if (Array.isArray(value)) return fieldsOf(name, value[0], level + 1);
  if (isObject(value))
    return Object.entries(value)
      .flatMap(([inner, one]) => fieldsOf(inner, one, level + 1))
      .slice(0, MAX_FIELDS);
  const text = typeof value === "boolean" ? (value ? "yes" : "no") : String(value ?? "").trim();
  if (text === "" || /^[a-z]+:\/\//i.test(text)) return [];
  const isName = /^[a-z]+(?:_[a-z]+)+$/.test(text);
  const spoken = isName ? spaced(text) : cut(text.replace(/\s+/g, " ").replace(/[.!]$/, ""), MAX_FIELD_CHARS);
  return [name === "" ? spoken : `${spaced(name)}: ${spoken}`];
}
