import type { TestFailure } from "../../agent/tests/expectations.ts";
import type { TestTurn } from "../../agent/tests/transcript.ts";
import type { TestRow } from "../../agent/tests/verbs.ts";
import type { Author } from "../../kernel/db/account-store.ts";
import type { TestOutcome } from "../../kernel/db/schema/index.ts";
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
  /** Whether it is what was saved when the run began: then tools that were allowed run as they are saved. */
  is_saved: boolean;
  repeat: number;
  /** The tools that may really run. */
  allow_tools: string[];
  holder: PassHolder;
  author: Author;
  created_by: string;
  /** ISO 8601, UTC: the time that prompts can name. */
  created_at: string;
}

/** A test as it was when the run began. */
export type PlannedTest = Pick<
  TestRow,
  "id" | "name" | "revision" | "steps" | "variables" | "tool_mocks" | "expect" | "conversation_id"
>;

/** Why a test's conversation says nothing about the agent. */
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
  passed: boolean;
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
  /** How many conversations there are in all, how many are over, and how many passed. */
  conversations: number;
  done: number;
  passed: number;
}

/** How each test went of which all conversations are over. */
export function outcomesOf(
  tests: readonly Pick<PlannedTest, "id" | "revision" | "conversation_id">[],
  results: readonly Pick<TestResult, "test_id" | "passed">[],
  repeat: number,
): TestOutcome[] {
  return tests.map(({ id, revision, conversation_id }) => {
    const own = results.filter(({ test_id }) => test_id === id);
    const passed = own.some((one) => !one.passed) ? false : own.length < repeat ? null : true;
    return { test_id: id, revision, passed, conversation_id };
  });
}
