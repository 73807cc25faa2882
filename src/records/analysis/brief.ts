import type { Rate } from "../prices/cost.ts";
import type { AnalysisStatus, AnalysisUsage, Findings, Value, ValuedState, ValueState, Verdict } from "./analysis.ts";
import { NO_ANALYSIS_USE } from "./analysis.ts";
import { fold } from "./fold.ts";

/** The values of an analysis by name, as short forms keep them. */
export interface ShortValues {
  /** Those that were found. */
  data: Record<string, Value>;
  /** Those that the conversation neither confirms nor contradicts; missing for none. */
  unverified?: Record<string, Value>;
  /** Why there is no value; missing where every field has one. */
  absent?: Record<string, Exclude<ValueState, ValuedState>>;
}

/** What the ledger has of an analysis beside its status: small enough to serve lists and files by itself. */
export interface AnalysisBrief extends ShortValues {
  /** The number of the conversation's analysis, from 1, and how often it was reported. */
  run: number;
  revision: number;
  /** The request that asked for it; null if none did. */
  operation: string | null;
  reason: string | null;
  summary: string | null;
  model: string | null;
  usage: AnalysisUsage;
  /** The prices that apply to it; null while it is pending. */
  rates: Rate[] | null;
  /** What earlier analyses of the conversation count for. */
  past: PastAnalyses;
}

/** Sums over analyses that others have taken the place of. */
export interface PastAnalyses {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_micros: number;
  cost_incomplete: number;
}

export const NO_PAST: PastAnalyses = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  cost_incomplete: 0,
};

/** How an analysis stands, as it is reported to the ledger. */
export interface AnalysisReport
  extends ShortValues,
    Pick<AnalysisBrief, "run" | "revision" | "operation" | "reason" | "model" | "usage" | "rates"> {
  status: AnalysisStatus;
  successful: Verdict;
  summary: string | null;
  /** When (ISO 8601) it was over; null while it is not. */
  ended_at: string | null;
}

/** The part of an analysis that is kept with the contact of the conversation. */
export type HeldAnalysis = Pick<AnalysisReport, "successful" | "summary" | keyof ShortValues>;

/** The analysis of a conversation of which nothing but the intention is on record. */
export const FIRST_BRIEF: AnalysisBrief = {
  run: 1,
  revision: 0,
  operation: null,
  reason: null,
  summary: null,
  data: {},
  model: null,
  usage: NO_ANALYSIS_USE,
  rates: null,
  past: NO_PAST,
};

/** Most bytes of the summary and the values of a brief, so that with all else it has 4 KB. */
const MAX_BRIEF_BYTES = 3_300;
/** How long a text may be, the first of these with which all fit, characters. */
const LENGTHS = [500, 200, 80, 30];
/** The longest value that can be looked for, characters. */
const MAX_LOOKED_FOR_CHARS = 200;

const encoder = new TextEncoder();

/** What an analysis found, by state. */
export function shortValues({ data }: Pick<Findings, "data">): ShortValues {
  const values = (wanted: ValuedState) =>
    Object.fromEntries(
      Object.entries(data).flatMap(([name, { state, value }]) =>
        state === wanted && value !== null ? [[name, value]] : [],
      ),
    );
  const absent = Object.entries(data).flatMap(([name, { state }]) =>
    state === "not_mentioned" || state === "invalid" ? [[name, state] as const] : [],
  );
  return { data: values("found"), unverified: values("unverified"), absent: Object.fromEntries(absent) };
}

/** The values in these states, by name. */
export function valuesIn({ data, unverified }: ShortValues, states: readonly ValuedState[]): Record<string, Value> {
  return Object.assign({}, states.includes("unverified") ? unverified : {}, states.includes("found") ? data : {});
}

/** The state of a value; null if the analysis did not look for it. */
export function stateIn({ data, unverified = {}, absent = {} }: ShortValues, name: string): ValueState | null {
  if (Object.hasOwn(data, name)) return "found";
  return Object.hasOwn(unverified, name) ? "unverified" : Object.hasOwn(absent, name) ? (absent[name] ?? null) : null;
}

type Short = ShortValues & { summary: string | null };

/** The summary and values, cut to what a brief holds; of too many values the last are left out, those found last of all. */
export function fitted<F extends Short>(found: F): Short {
  for (const length of LENGTHS) {
    const short = shortened(found, length);
    if (bytesOf(short) <= MAX_BRIEF_BYTES) return short;
  }
  const { summary, data, unverified = {}, absent = {} } = shortened(found, LENGTHS.at(-1) ?? 0);
  const parts = { absent: Object.entries(absent), unverified: Object.entries(unverified), data: Object.entries(data) };
  const short = (): Short => ({
    summary,
    data: Object.fromEntries(parts.data),
    unverified: Object.fromEntries(parts.unverified),
    absent: Object.fromEntries(parts.absent),
  });
  while (bytesOf(short()) > MAX_BRIEF_BYTES)
    [parts.absent, parts.unverified, parts.data].find((part) => part.length > 0)?.pop();
  return short();
}

function shortened({ summary, data, unverified, absent }: Short, chars: number): Short {
  const cut = (text: string) => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed();
  const all = (values: Record<string, Value>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? cut(value) : value]),
    );
  const short: Short = { summary: summary === null ? null : cut(summary), data: all(data) };
  if (unverified !== undefined) short.unverified = all(unverified);
  if (absent !== undefined) short.absent = absent;
  return short;
}

function bytesOf(value: object): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** A value as it is looked for: without case and punctuation where it is a text, and not longer than anybody asks. */
export function lookedFor(value: Value): string {
  if (typeof value !== "string") return String(value);
  // 2.50 is found by 2.5, and 2.0 by 2.
  if (/^-?\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, "").slice(0, MAX_LOOKED_FOR_CHARS);
  // A day's hyphens and a number's sign are no punctuation.
  const isPlain = /^-?\d+$|^\d{4}-\d{2}-\d{2}$/.test(value);
  return (isPlain ? value : fold(value)).slice(0, MAX_LOOKED_FOR_CHARS);
}
