import { isObject } from "../../../../kernel/objects.ts";
import type { ModelMessage } from "../model.ts";
import { SAYS } from "./phrases.ts";
import { cut, firstSentences, listed, spaced } from "./words.ts";

/** What came of a tool. */
export interface ToolOutcome {
  name: string;
  ok: boolean;
  value: unknown;
}

/** Most fields of a result that are read out, characters of one, and levels that are looked into. */
const MAX_FIELDS = 5;
const FIELD_CHARS = 120;
const MAX_LEVELS = 4;
/** Fields that mean nothing to a caller. */
const NOT_READ = /(?:^|_)(?:id|ids|uuid|url|uri|href|links?|token|secret|hash|etag|gid|object|cursor)$/i;

/** A tool message as an outcome: `{ok, result}`, `{error}`, any other JSON, or plain words. */
export function outcomeOf({ name, text }: Extract<ModelMessage, { role: "tool" }>): ToolOutcome {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { name, ok: !/^\s*(?:error|failed|failure)\b/i.test(text), value: text };
  }
  if (!isObject(value)) return { name, ok: true, value };
  const failed = value.ok === false || (value.ok === undefined && Boolean(value.error));
  if (failed) return { name, ok: false, value: value.error ?? value.result ?? null };
  return { name, ok: true, value: value.ok === true ? (value.result ?? null) : value };
}

/** A result's main fields as one would read them out; "" where there is nothing to read. */
export function readOut(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return SAYS.foundNothing;
  if (typeof value === "string") return firstSentences(value, 2, 240);
  const fields = fieldsOf(value, 0);
  const said = fields.length === 0 ? (spokenValue(value) ?? "") : listed(fields);
  return said === "" ? "" : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** Why something failed, where that can be said in a few words. */
export function reasonOf(value: unknown): string {
  const message = isObject(value) ? value.message : value;
  const text = typeof message === "string" ? message.replace(/\S*:\/\/\S*/g, "").replace(/\s+/g, " ") : "";
  return cut(text.trim().replace(/[.!]+$/, ""), FIELD_CHARS);
}

/** The fields that can be said, those of inner objects last; of several alike the first is read. */
function fieldsOf(value: unknown, level: number): string[] {
  if (Array.isArray(value)) return fieldsOf(value[0], level + 1);
  if (!isObject(value) || level >= MAX_LEVELS) return [];
  const named = Object.entries(value)
    .filter(([name]) => !NOT_READ.test(name))
    .slice(0, 100);
  const own = named.flatMap(([name, one]) => spokenValue(one)?.replace(/^/, `${spaced(name)}: `) ?? []);
  return [...own, ...named.slice(0, MAX_FIELDS).flatMap(([, one]) => fieldsOf(one, level + 1))].slice(0, MAX_FIELDS);
}

/** A single value in words; null for what is no single value, or nothing. */
function spokenValue(value: unknown): string | null {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.trim() === "" || /^[a-z]+:\/\//i.test(value)) return null;
  const flat = cut(value.slice(0, 1_000).replace(/\s+/g, " ").trim(), FIELD_CHARS);
  return /^[a-z]+(?:_[a-z]+)+$/.test(flat) ? flat.replaceAll("_", " ") : flat.replace(/[.!]$/, "");
}
