import type { TokensOfModel } from "../prices/conversation-usage.ts";

export const ANALYSIS_STATUSES = ["pending", "done", "failed", "skipped"] as const;
export type AnalysisStatus = (typeof ANALYSIS_STATUSES)[number];

/** The verdict on a goal or on a whole conversation. */
export const VERDICTS = ["success", "failure", "unknown"] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * The result of looking for a value: `unverified` if the conversation neither confirms nor contradicts the model's
 * value, `invalid` if it contradicts the value or the value is not of its type.
 */
export const VALUE_STATES = ["found", "unverified", "not_mentioned", "invalid"] as const;
export type ValueState = (typeof VALUE_STATES)[number];

/** Who said the words on which a value is based. */
export const SPEAKERS = ["caller", "agent", "tool"] as const;
export type Speaker = (typeof SPEAKERS)[number];

export const VALUED_STATES = ["found", "unverified"] as const satisfies readonly ValueState[];
export type ValuedState = (typeof VALUED_STATES)[number];

/** The states whose values are shown and searched, unless a request asks for other states. */
export const FOUND_ALONE: readonly ValuedState[] = ["found"];

export type Value = string | number | boolean;

export interface CriterionResult {
  name: string;
  verdict: Verdict;
  rationale: string | null;
  /** The `seq` of the turns on which it is based. */
  turns: number[];
}

export interface DataResult {
  /** Null if it was not mentioned or is invalid. */
  value: Value | null;
  state: ValueState;
  /** The `seq` of the turns from which it comes. */
  turns: number[];
  by: Speaker | null;
}

/** What the analysis found in a conversation. */
export interface Findings {
  summary: string | null;
  successful: Verdict;
  criteria: CriterionResult[];
  data: Record<string, DataResult>;
}

/** The model usage of an analysis. */
export interface AnalysisUsage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** The number of requests, including failed ones. */
  requests: number;
  /**
   * The tokens of the first request, and of later requests, which go to the fallback model; omitted if there was only
   * one request.
   */
  models?: TokensOfModel[];
}

export const NO_ANALYSIS_USE: AnalysisUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, requests: 0 };

/** The analysis of a conversation, as clients see it. */
export interface Analysis extends Findings {
  status: AnalysisStatus;
  /** Why it failed or was skipped; otherwise null. */
  reason: string | null;
  /** The model that read the conversation; null if none did. */
  model: string | null;
  agent_version: number | null;
  usage: AnalysisUsage;
}

export const NOTHING_FOUND: Findings = { summary: null, successful: "unknown", criteria: [], data: {} };
