import { Temporal } from "temporal-polyfill";
import { zoneOrUtc } from "../../../kernel/rendering/built-in.ts";
import { NOTHING_FOUND } from "../../../records/analysis/analysis.ts";
import type { Archived } from "../../../records/conversations/archive.ts";
import { redactWord } from "../../../records/privacy/redaction/redact-record.ts";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import { chargeOf, cutOff, type openCharge } from "../budget/charge.ts";
import { type RequestSize, sizeOf } from "../budget/request-size.ts";
import { type Model, ModelFailed } from "../models/model.ts";
import { type Answered, askModel } from "./ask-model.ts";
import { claimsOf } from "./claims.ts";
import { Evidence } from "./evidence.ts";
import type { AnalysisOutcome, JobChanges, JobRow } from "./job-rows.ts";
import { MAX_OUTPUT_TOKENS, type Material, requestOf } from "./request.ts";
import { verify } from "./verify.ts";

/** How often a model is asked about a conversation, and the waits after failed attempts, ms. */
export const MAX_TRIES = 3;
const WAITS_MS = [5_000, 60_000];
/** The longest wait that a model's server can ask for, ms. */
const MAX_WAIT_MS = 600_000;

const LOST = "the service was interrupted while the model answered";
const UNREADABLE = "the model's answer did not have the required form";
const REFUSED = "the model refused";
const TOO_LONG = "the model's answer reached its maximum length";
const OUT_OF_BUDGET = "budget";

export interface AttemptDependencies {
  archived(id: string): Promise<Archived | null>;
  /** Returns the model that reads the conversation after `tries` failures. */
  analyst(job: JobRow["job"], material: Material, tries: number): Promise<Model>;
  /** Reserves budget for request `n` of this size; false if a budget is used up. */
  cover(row: JobRow, n: number, size: RequestSize): Promise<boolean>;
  /** Returns the current state of the analysis; null once it was deleted. */
  current(): JobRow | null;
  /** Stores changes before anything else happens. */
  note(changes: JobChanges): void;
  charge: typeof openCharge;
  now(): number;
}

/** Tries once to analyze a conversation, and stores the result with the analysis. */
export async function attempt(deps: AttemptDependencies, row: JobRow, signal: AbortSignal): Promise<void> {
  const { note, now } = deps;
  if (row.open_request !== null) noteCutOff(deps, row);
  const { conversation_id, job, tries, fault } = deps.current() ?? row;
  const over = (status: AnalysisOutcome["status"], reason: string | null, findings = NOTHING_FOUND) =>
    note({ outcome: { status, reason, findings, ended_at: new Date(now()).toISOString() } });
  if (tries >= MAX_TRIES) return over("failed", fault ?? LOST);
  const archived = await deps.archived(conversation_id);
  if (archived === null) return over("failed", "the transcript was lost");
  if (archived.storage === "metadata") return over("skipped", "no transcript is stored");
  const { settings, started_at, disposition, end_reason } = job;
  if (!settings.summary && settings.criteria.length === 0 && settings.data.length === 0)
    return over("skipped", "the agent's analysis looks for nothing");
  const { turns, timezone } = archived;
  const day = dayIn(timezone, started_at);
  if (!new Evidence(turns, day).hasPerson) return over("skipped", "no person said anything");
  const material = { settings, turns, day, disposition, end_reason };
  const model = await deps.analyst(job, material, tries);
  const request = requestOf(material);
  const size = sizeOf(request);
  if (!(await deps.cover(row, (deps.current() ?? row).requests + 1, size))) return over("failed", OUT_OF_BUDGET);
  if (signal.aborted) return;
  note({ tries: tries + 1, open_request: size.input, model: model.name });
  const charge = deps.charge(size, ({ input, output }) => noteUse(deps, { input, output }));
  const result = await askModel(model, request, { charge, signal }).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof ModelFailed)) throw error;
    return error;
  });
  if (signal.aborted) return;
  if (!(result instanceof ModelFailed) && result.usage) noteCached(deps, result.usage.cached_tokens);
  const claims = result instanceof ModelFailed || result.cut !== null ? null : claimsOf(result.text, settings);
  if (claims === null) {
    const why = faultOf(result);
    if (tries + 1 >= MAX_TRIES) return over("failed", why);
    const wait = Math.max(WAITS_MS[tries] ?? 0, result instanceof ModelFailed ? (result.retryAfterMs ?? 0) : 0);
    return note({ fault: why, next_at: now() + Math.min(MAX_WAIT_MS, wait) });
  }
  const findings = verify({ turns, day }, settings, claims);
  over("done", null, redacted(findings, { storage: archived.storage, redact: job.redact }));
}

/** Returns the day of a time in the zone of the conversation, ISO 8601. */
function dayIn(timezone: string, at: string): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO(zoneOrUtc(timezone)).toPlainDate().toString();
}

function faultOf(result: Answered | ModelFailed): string {
  if (result instanceof ModelFailed) return `the model did not answer: ${result.message}`;
  if (result.cut === "content_filter") return REFUSED;
  return result.cut === "length" ? TOO_LONG : UNREADABLE;
}

/** Records that the object was restarted while a model answered. The request is charged with its input. */
function noteCutOff(deps: AttemptDependencies, row: JobRow): void {
  const size = { input: row.open_request ?? 0, output: MAX_OUTPUT_TOKENS };
  noteUse(deps, chargeOf(size, cutOff(0)));
  deps.note({ fault: LOST });
}

/** Records that a request has ended and used this many tokens. */
function noteUse({ current, note }: AttemptDependencies, { input, output }: { input: number; output: number }): void {
  const row = current();
  if (row === null) return;
  const { input_tokens, output_tokens, requests } = row;
  if (requests === 0) note({ first_input_tokens: input, first_output_tokens: output });
  note({
    input_tokens: input_tokens + input,
    output_tokens: output_tokens + output,
    requests: requests + 1,
    open_request: null,
  });
}

function noteCached({ current, note }: AttemptDependencies, cached: number): void {
  const row = current();
  if (row === null || !Number.isSafeInteger(cached) || cached <= 0) return;
  const cached_tokens = Math.min(row.input_tokens, row.cached_tokens + cached);
  note({ cached_tokens });
  if (row.requests === 1) note({ first_cached_tokens: cached_tokens });
}

/**
 * Redacts the findings for storage. The model's own words are redacted too, because they may combine what is separate
 * in the turns, such as the parts of a number.
 */
function redacted(findings: AnalysisOutcome["findings"], policy: StoragePolicy): AnalysisOutcome["findings"] {
  if (policy.storage === "all") return findings;
  const { summary, successful, criteria, data } = findings;
  const values = Object.entries(data).map(([name, result]) => {
    const value = typeof result.value === "string" ? redactWord(result.value, policy) : result.value;
    return [name, Object.assign({}, result, { value })] as const;
  });
  return {
    summary: redactWord(summary, policy),
    successful,
    criteria: criteria.map((one) => Object.assign({}, one, { rationale: redactWord(one.rationale, policy) })),
    data: Object.fromEntries(values),
  };
}
