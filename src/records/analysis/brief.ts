import type { Rate } from "../prices/cost.ts";
import type { AnalysisStatus, AnalysisUsage, Findings, Value, ValuedState, ValueState, Verdict } from "./analysis.ts";
import { NO_ANALYSIS_USE } from "./analysis.ts";
import { fold } from "./fold.ts";

/** The values of an analysis by name, in short form. */
export interface ShortValues {
  data: Record<string, Value>;
  /** The values that the conversation neither confirms nor contradicts; omitted if there are none. */
  unverified?: Record<string, Value>;
  /** Why a field has no value; omitted if every field has one. */
  absent?: Record<string, Exclude<ValueState, ValuedState>>;
}

/** The part of an analysis that the ledger stores besides its status: small enough for lists and files. */
export interface AnalysisBrief extends ShortValues {
  /** The number of the analysis within its conversation, from 1, and the revision of its report. */
  run: number;
  revision: number;
  /** The request that asked for it; null if there was none. */
  operation: string | null;
  reason: string | null;
  summary: string | null;
  model: string | null;
  usage: AnalysisUsage;
  /** The prices that apply to it; null while it is pending. */
  rates: Rate[] | null;
  /** The sums of earlier analyses of the conversation. */
  past: PastAnalyses;
}

/** Sums over the analyses that later ones have replaced. */
export interface PastAnalyses {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_micros: number;
  cost_incomplete: number;
  /** The model of the last replaced analysis, by its name in the price list. */
  model?: string;
}

export const NO_PAST: PastAnalyses = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  cost_incomplete: 0,
};

/** The state of an analysis, as it is reported to the ledger. */
export interface AnalysisReport
  extends ShortValues,
    Pick<AnalysisBrief, "run" | "revision" | "operation" | "reason" | "model" | "usage" | "rates"> {
  status: AnalysisStatus;
  successful: Verdict;
  summary: string | null;
  /** When (ISO 8601) it ended; null while it is pending. */
  ended_at: string | null;
}

/** The part of an analysis that is stored with the conversation's contact. */
export type HeldAnalysis = Pick<AnalysisReport, "successful" | "summary" | keyof ShortValues>;

/** The analysis of a conversation before its first report. */
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

/** The most bytes of a brief's summary and values, so that the whole brief takes 4 KB. */
const MAX_BRIEF_BYTES = 3_300;
/** The lengths (characters) to which texts may be cut. The first length at which everything fits is used. */
const LENGTHS = [500, 200, 80, 30];
/** The most characters of a value that can be searched for. */
const MAX_LOOKED_FOR_CHARS = 200;

const encoder = new TextEncoder();

/** Returns the values of an analysis, by state. */
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

export function valuesIn({ data, unverified }: ShortValues, states: readonly ValuedState[]): Record<string, Value> {
  return Object.assign({}, states.includes("unverified") ? unverified : {}, states.includes("found") ? data : {});
}

/** Returns the state of a value; null if the analysis did not look for it. */
export function stateIn({ data, unverified = {}, absent = {} }: ShortValues, name: string): ValueState | null {
  if (Object.hasOwn(data, name)) return "found";
  return Object.hasOwn(unverified, name) ? "unverified" : Object.hasOwn(absent, name) ? (absent[name] ?? null) : null;
}

type Short = ShortValues & { summary: string | null };

/**
 * Shortens the summary and values to fit a brief. If there are too many values, the last ones are omitted, found values
 * last.
 */
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

/** Normalizes a value for search: removes case and punctuation, and cuts the value to the longest searchable length. */
export function lookedFor(value: Value): string {
  if (typeof value !== "string") return String(value);
  // Trailing zeros are removed, so that a search for 2.5 also finds 2.50.
  if (/^-?\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, "").slice(0, MAX_LOOKED_FOR_CHARS);
  // The hyphens of a date and the sign of a number are not punctuation.
  const isPlain = /^-?\d+$|^\d{4}-\d{2}-\d{2}$/.test(value);
  return (isPlain ? value : fold(value)).slice(0, MAX_LOOKED_FOR_CHARS);
}
