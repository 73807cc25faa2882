import type { TestFailure } from "../../agent/tests/expectations.ts";
import type { TestTurn } from "../../agent/tests/transcript.ts";
import type { TestRow } from "../../agent/tests/verbs.ts";
import { countsOf, verdictOf } from "../../agent/tests/verdict.ts";
import type { Author } from "../../kernel/db/account-store.ts";
import type { ResultState, TestOutcome } from "../../kernel/db/schema/index.ts";
import type { CredentialHolder } from "../../kernel/http/context.ts";
import type { ModelUsage } from "../runtime/models/model.ts";

/** The most conversations of a run, counting each repetition of a test. */
export const MAX_CONVERSATIONS = 200;
/** The most concurrent runs of an account. */
export const MAX_RUNS = 3;

export const RUN_STATUSES = ["running", "completed", "failed"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What a run has to do. Fixed when it is requested. */
export interface RunPlan {
  agent_id: string;
  version: number;
  hash: string;
  llm_model: string;
  fallback_model: string | null;
  /** Whether the content is the draft as it was when the run began. Its allowed tools then run as saved in it. */
  is_saved: boolean;
  /** The tools that may actually run. */
  allow_tools: string[];
  holder: CredentialHolder;
  author: Author;
  created_by: string;
  /** The time that prompts can name (ISO 8601, UTC). */
  created_at: string;
}

/** A test as it was when the run began, and how many conversations the run holds for it. */
export interface PlannedTest
  extends Pick<
    TestRow,
    | "id"
    | "name"
    | "revision"
    | "steps"
    | "variables"
    | "tool_mocks"
    | "expect"
    | "repeat"
    | "min_passes"
    | "conversation_id"
  > {
  times: number;
}

/** Why a test's conversation did not finish. */
export type ResultError =
  | "model_failed"
  | "budgets_unanswered"
  | "too_long"
  | "too_slow"
  /** The process was lost twice. */
  | "cut_off"
  /** The process was lost after a tool may have changed something, so the conversation is not repeated. */
  | "cut_off_after_write";

/** The result of one repetition of a test. */
export interface TestResult {
  test_id: string;
  name: string;
  /** The number of the repetition, from 1. */
  repeat: number;
  state: ResultState;
  failures: TestFailure[];
  error: ResultError | null;
  /** The tools that were used without a mock or permission. */
  unmocked_tools: string[];
  transcript: TestTurn[];
  usage: ModelUsage;
}

export interface RunRecord {
  id: string;
  agent_id: string;
  status: RunStatus;
  reason: string | null;
  version: number;
  hash: string;
  created_by: string;
  created_at: string;
  ended_at: string | null;
  /** The number of all conversations, and of those that have ended. */
  conversations: number;
  done: number;
  passed: number;
  failed: number;
  model_failed: number;
  tests: ShownOutcome[];
}

/** The outcome of a test, as clients see it. */
export type ShownOutcome = Pick<TestOutcome, "test_id" | "state" | "counts">;

/** Returns the part of an outcome that clients see. */
export const shownOutcome = ({ test_id, state, counts }: TestOutcome): ShownOutcome => ({ test_id, state, counts });

/**
 * Returns what a conversation says about the agent. It says nothing if the model or the service did not finish it. If
 * the agent itself made it too long, the agent failed.
 */
export function stateOf(error: ResultError | null, failures: readonly TestFailure[]): ResultState {
  if (error !== null && error !== "too_long") return "model_failed";
  return error === null && failures.length === 0 ? "passed" : "failed";
}

/** Returns the outcome of each test. Only a test whose conversations have all ended has a state. */
export function outcomesOf(
  tests: readonly Omit<PlannedTest, "name" | "steps" | "variables" | "tool_mocks" | "expect">[],
  results: readonly Pick<TestResult, "test_id" | "state">[],
): TestOutcome[] {
  const states = Map.groupBy(results, ({ test_id }) => test_id);
  return tests.map((test) => {
    const own = states.get(test.id) ?? [];
    const counts = countsOf(own.map(({ state }) => state));
    const state = own.length < test.times ? null : verdictOf(test, counts);
    return { test_id: test.id, revision: test.revision, state, counts, conversation_id: test.conversation_id };
  });
}
