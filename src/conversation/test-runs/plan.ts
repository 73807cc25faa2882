import type { TestFailure } from "../../agent/tests/expectations.ts";
import type { TestTurn } from "../../agent/tests/transcript.ts";
import type { TestRow } from "../../agent/tests/verbs.ts";
import { countsOf, verdictOf } from "../../agent/tests/verdict.ts";
import type { Author } from "../../kernel/db/account-store.ts";
import type { ResultState, TestOutcome } from "../../kernel/db/schema/index.ts";
import type { PassHolder } from "../../kernel/http/context.ts";
import type { ModelUsage } from "../runtime/models/model.ts";

/** The most conversations of a run: each test as often as it is repeated. */
export const MAX_CONVERSATIONS = 200;
/** The most runs of an account at once. */
export const MAX_RUNS = 3;

export const RUN_STATUSES = ["running", "completed", "failed"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What a run has to do: fixed when it is requested. */
export interface RunPlan {
  agent_id: string;
  version: number;
  hash: string;
  /** What the version thinks with. */
  llm_model: string;
  /** What answers if that fails; left out by runs that began before agents had it. */
  fallback_model?: string | null | undefined;
  /** Whether it is what was saved when the run began: then tools that were allowed run as they are saved. */
  is_saved: boolean;
  /** The tools that may really run. */
  allow_tools: string[];
  holder: PassHolder;
  author: Author;
  created_by: string;
  /** ISO 8601, UTC: the time that prompts can name. */
  created_at: string;
}

/** A test as it was when the run began, and how often the run holds its conversation. */
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

/** Why a test's conversation was not held to its end. */
export type ResultError =
  | "model_failed"
  | "budgets_unanswered"
  | "too_long"
  | "too_slow"
  /** Its process was lost twice. */
  | "cut_off"
  /** Its process was lost after a tool may have changed something, so that it is not run again. */
  | "cut_off_after_write";

/** How a test went, once. */
export interface TestResult {
  test_id: string;
  name: string;
  /** Which time it was, from 1. */
  repeat: number;
  state: ResultState;
  failures: TestFailure[];
  error: ResultError | null;
  /** The tools that were used and that nobody answered for. */
  unmocked_tools: string[];
  transcript: TestTurn[];
  usage: ModelUsage;
}

/** A run as it stands. */
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
  /** How many conversations there are in all, and how many are over. */
  conversations: number;
  done: number;
  passed: number;
  failed: number;
  model_failed: number;
  tests: ShownOutcome[];
}

/** How a test went, as it is shown. */
export type ShownOutcome = Pick<TestOutcome, "test_id" | "state" | "counts">;

/** Returns of an outcome what is shown. */
export const shownOutcome = ({ test_id, state, counts }: TestOutcome): ShownOutcome => ({ test_id, state, counts });

/**
 * Returns what a conversation says about the agent: nothing if its model or the service did not hold it to its end. One
 * that the agent itself drew out too long is the agent's failure.
 */
export function stateOf(error: ResultError | null, failures: readonly TestFailure[]): ResultState {
  if (error !== null && error !== "too_long") return "model_failed";
  return error === null && failures.length === 0 ? "passed" : "failed";
}

/** Returns how each test went; only one whose conversations are all over has a state. */
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
