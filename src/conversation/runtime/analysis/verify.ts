import type { AnalysisCriterion, AnalysisField, AnalysisSettings } from "../../../kernel/db/schema/index.ts";
import {
  type CriterionResult,
  type DataResult,
  type Findings,
  type Value,
  VERDICTS,
  type Verdict,
} from "../../../records/analysis/analysis.ts";
import { fold, holds } from "../../../records/analysis/fold.ts";
import type { Turn } from "../../../records/conversations/record.ts";
import type { Claim, Claims } from "./claims.ts";
import { Evidence } from "./evidence.ts";

/** A conversation as claims about it are held against. */
export interface Held {
  turns: readonly Turn[];
  /** The day it was held on where it was held, ISO 8601. */
  day: string;
}

/** Most characters of a summary, a rationale and a text value. */
const MAX_SUMMARY_CHARS = 2_000;
const MAX_RATIONALE_CHARS = 500;
const MAX_VALUE_CHARS = 500;
/** Most turns that a criterion or a value names. */
const MAX_TURNS = 20;

/**
 * The part of a model's claims that the conversation supports. Every value cites existing turns, and whatever can be
 * looked up there (words, figures, dates) occurs in them; anything not asked for is dropped. The summary and rationales
 * are the model's own words and are not checked.
 */
export function verify(held: Held, settings: AnalysisSettings, claims: Claims): Findings {
  const evidence = new Evidence(held.turns, held.day);
  const criteria = settings.criteria.map((criterion) =>
    judged(evidence, criterion, claims.criteria.get(criterion.name)),
  );
  const data = settings.data.map(
    (field) => [field.name, looked(evidence, field, claims.data.get(field.name))] as const,
  );
  return {
    summary: settings.summary ? cut(claims.summary, MAX_SUMMARY_CHARS) : null,
    successful: successOf(criteria),
    criteria,
    data: Object.fromEntries(data),
  };
}

/** A conversation failed with any of its criteria, and was successful with all of them. */
export function successOf(criteria: readonly Pick<CriterionResult, "verdict">[]): Verdict {
  const verdicts = criteria.map(({ verdict }) => verdict);
  if (verdicts.includes("failure")) return "failure";
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "success") ? "success" : "unknown";
}

/** A verdict names turns; and a success is not made by the caller's words alone. */
function judged(evidence: Evidence, { name }: AnalysisCriterion, claim: Claim | undefined): CriterionResult {
  const turns = evidence.existing(claim?.turns ?? []).slice(0, MAX_TURNS);
  const claimed = VERDICTS.find((verdict) => verdict === claim?.value) ?? "unknown";
  const isBorneOut = turns.length > 0 && (claimed !== "success" || evidence.hasOther(turns));
  const rationale = cut(claim?.rationale ?? null, MAX_RATIONALE_CHARS);
  return { name, verdict: isBorneOut ? claimed : "unknown", rationale, turns };
}

const NOT_MENTIONED: DataResult = { value: null, state: "not_mentioned", turns: [], by: null };

function looked(evidence: Evidence, field: AnalysisField, claim: Claim | undefined): DataResult {
  const claimed = claim?.value;
  if (!claim || claimed === null || claimed === undefined || claimed === "") return NOT_MENTIONED;
  // Nothing that was said makes a no.
  if (claimed === false && claim.turns.length === 0) return NOT_MENTIONED;
  return verifiers[field.type](evidence, claim, field) ?? { ...NOT_MENTIONED, state: "invalid" };
}

/** The value with the turns that it comes from; null if nothing bears it out. */
type Verifier = (evidence: Evidence, claim: Claim, field: AnalysisField) => DataResult | null;

const verifiers: Record<AnalysisField["type"], Verifier> = {
  text: (evidence, { value, turns }) => {
    if (typeof value !== "string" && typeof value !== "number") return null;
    const claimed = String(value).trim();
    const phrase = fold(claimed);
    if (claimed.length > MAX_VALUE_CHARS) return null;
    return standing(evidence, claimed, turns, (words) => holds(evidence.folded(words), phrase));
  },
  number: (evidence, { value, turns }) => {
    const n = typeof value === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
    if (typeof n !== "number" || !Number.isFinite(n)) return null;
    return standing(evidence, n, turns, (words) => evidence.numbers(words).has(n));
  },
  date: (evidence, { value, turns }) => {
    const [day] = typeof value === "string" ? (/^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(value.trim()) ?? []) : [];
    if (day === undefined) return null;
    return standing(evidence, day, turns, (words) => evidence.dates(words).has(day));
  },
  boolean: (evidence, { value, turns }) => (typeof value === "boolean" ? cited(evidence, value, turns) : null),
  choice: (evidence, { value, turns }, { choices = [] }) => {
    if (typeof value === "object") return null;
    const chosen =
      choices.find((choice) => choice === value) ?? choices.find((choice) => fold(choice) === fold(String(value)));
    return chosen === undefined ? null : cited(evidence, chosen, turns);
  },
};

/** A value that occurs in turns: the cited ones or another. */
function standing(
  evidence: Evidence,
  value: Value,
  cites: number[],
  stands: Parameters<Evidence["standingIn"]>[1],
): DataResult | null {
  const turns = evidence.standingIn(cites, stands).slice(0, MAX_TURNS);
  return turns.length === 0 ? null : { value, state: "found", turns, by: evidence.sourceOf(turns, stands) };
}

/** A value that no words can be looked up for: it rests on the turns that are cited. */
function cited(evidence: Evidence, value: Value, cites: number[]): DataResult | null {
  const turns = evidence.existing(cites).slice(0, MAX_TURNS);
  return turns.length === 0 ? null : { value, state: "found", turns, by: evidence.speakerOf(turns) };
}

function cut(text: string | null, maxChars: number): string | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  return trimmed.length > maxChars ? `${trimmed.slice(0, maxChars - 1)}…`.toWellFormed() : trimmed.toWellFormed();
}
