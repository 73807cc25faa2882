import type { Rate } from "../usage/cost.ts";
import type { AnalysisStatus, AnalysisUsage, Findings, Value, Verdict } from "./analysis.ts";
import { NO_ANALYSIS_USE } from "./analysis.ts";
import { fold } from "./fold.ts";

/** What the ledger has of an analysis beside its status: small enough to serve lists and files by itself. */
export interface AnalysisBrief {
  /** The number of the conversation's analysis, from 1, and how often it was reported. */
  run: number;
  revision: number;
  /** The request that asked for it; null if none did. */
  operation: string | null;
  reason: string | null;
  summary: string | null;
  /** The values that were found, long ones cut. */
  data: Record<string, Value>;
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
  extends Pick<AnalysisBrief, "run" | "revision" | "operation" | "reason" | "model" | "usage" | "rates"> {
  status: AnalysisStatus;
  successful: Verdict;
  summary: string | null;
  /** The values that were found. */
  data: Record<string, Value>;
  /** When (ISO 8601) it was over; null while it is not. */
  ended_at: string | null;
}

/** The part of an analysis that is kept with the contact of the conversation. */
export type HeldAnalysis = Pick<AnalysisReport, "successful" | "summary" | "data">;

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

/** The values that were found, by name. */
export function foundValues({ data }: Pick<Findings, "data">): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, { state, value }]) =>
      state === "found" && value !== null ? [[name, value]] : [],
    ),
  );
}

/** The summary and values, cut to what a brief holds; of too many values the last are left out. */
export function fitted<F extends { summary: string | null; data: Record<string, Value> }>(
  found: F,
): { summary: string | null; data: Record<string, Value> } {
  for (const length of LENGTHS) {
    const short = shortened(found, length);
    if (bytesOf(short) <= MAX_BRIEF_BYTES) return short;
  }
  const { summary, data } = shortened(found, LENGTHS.at(-1) ?? 0);
  const entries = Object.entries(data);
  while (bytesOf({ summary, data: Object.fromEntries(entries) }) > MAX_BRIEF_BYTES) entries.pop();
  return { summary, data: Object.fromEntries(entries) };
}

function shortened({ summary, data }: { summary: string | null; data: Record<string, Value> }, chars: number) {
  const cut = (text: string) => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed();
  const values = Object.entries(data).map(([name, value]) => [name, typeof value === "string" ? cut(value) : value]);
  return { summary: summary === null ? null : cut(summary), data: Object.fromEntries(values) as Record<string, Value> };
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
