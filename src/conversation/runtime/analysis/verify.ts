import type { AnalysisCriterion, AnalysisField, AnalysisSettings } from "../../../kernel/db/schema/index.ts";
import {
  type CriterionResult,
  type DataResult,
  type Findings,
  VERDICTS,
  type Verdict,
} from "../../../records/analysis/analysis.ts";
import type { Turn } from "../../../records/conversations/record.ts";
import type { Claim, Claims } from "./claims.ts";
import { Evidence } from "./evidence.ts";
import { readClaim } from "./reading-of-claims.ts";

/** A conversation against which claims are checked. */
export interface Held {
  turns: readonly Turn[];
  /** The local day of the conversation, ISO 8601. */
  day: string;
}

/** The most characters of a summary, a rationale and a text value. */
const MAX_SUMMARY_CHARS = 2_000;
const MAX_RATIONALE_CHARS = 500;
const MAX_VALUE_CHARS = 500;
/** The most turns that a criterion or value cites. */
const MAX_TURNS = 20;

/**
 * Verifies a model's claims. A found value cites existing turns, and whatever can be looked up there (words, figures,
 * dates) occurs in them. A value that they neither confirm nor contradict becomes `unverified`. Anything that was not
 * asked for is dropped. The summary and rationales are the model's own words and are not checked.
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

/** Returns whether a conversation was successful: it failed with any criterion, and succeeded with all of them. */
function successOf(criteria: readonly Pick<CriterionResult, "verdict">[]): Verdict {
  const verdicts = criteria.map(({ verdict }) => verdict);
  if (verdicts.includes("failure")) return "failure";
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "success") ? "success" : "unknown";
}

/** Verifies a verdict: it must cite turns, and a success needs evidence other than the caller's words. */
function judged(evidence: Evidence, { name }: AnalysisCriterion, claim: Claim | undefined): CriterionResult {
  const turns = evidence.existing(claim?.turns ?? []).slice(0, MAX_TURNS);
  const claimed = VERDICTS.find((verdict) => verdict === claim?.value) ?? "unknown";
  const isBorneOut = turns.length > 0 && (claimed !== "success" || evidence.hasOther(turns));
  const rationale = cut(claim?.rationale ?? null, MAX_RATIONALE_CHARS);
  return { name, verdict: isBorneOut ? claimed : "unknown", rationale, turns };
}

const NOTHING = { value: null, turns: [], by: null };
const NOT_MENTIONED: DataResult = Object.assign({ state: "not_mentioned" as const }, NOTHING);
const INVALID: DataResult = Object.assign({ state: "invalid" as const }, NOTHING);

function looked(evidence: Evidence, field: AnalysisField, claim: Claim | undefined): DataResult {
  const claimed = claim?.value;
  if (!claim || claimed === null || claimed === undefined) return NOT_MENTIONED;
  if (typeof claimed === "string" && claimed.trim() === "") return NOT_MENTIONED;
  // A "no" must have been said in one of the turns.
  if (claimed === false && claim.turns.length === 0) return NOT_MENTIONED;
  const read = readClaim(evidence, claimed, field);
  if (read === null) return INVALID;
  const { confirms, denies } = read;
  const value = typeof read.value === "string" ? cut(read.value, MAX_VALUE_CHARS) : read.value;
  const cited = evidence.existing(claim.turns);
  const found = (confirms === null ? cited : evidence.turnsWith(cited, confirms)).slice(0, MAX_TURNS);
  if (found.length > 0) {
    const by = confirms === null ? evidence.speakerOf(found) : evidence.sourceOf(found, confirms);
    return { value, state: "found", turns: found, by };
  }
  const turns = cited.slice(0, MAX_TURNS);
  if (denies(evidence.wordsOf(turns))) return INVALID;
  return { value, state: "unverified", turns, by: evidence.speakerOf(turns) };
}

function cut(text: string | null, maxChars: number): string | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  return trimmed.length > maxChars ? `${trimmed.slice(0, maxChars - 1)}…`.toWellFormed() : trimmed.toWellFormed();
}
