import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** An utterance of the user in a test. */
export interface TestStep {
  says: string;
}

/** A result that a test returns instead of running a tool. */
export interface ToolMock {
  tool: string;
  /** The arguments that the call must have; null means any. */
  when: Record<string, unknown> | null;
  result: unknown;
}

/** An expectation about the conversation. Exactly one field is set. */
export interface TestExpectation {
  /** Text that the agent says, ignoring case. */
  said?: string | undefined;
  not_said?: string | undefined;
  tool_called?: { name: string; arguments?: Record<string, unknown> | undefined } | undefined;
  tool_not_called?: string | undefined;
  disposition?: string | undefined;
  ended?: boolean | undefined;
  transferred?: boolean | undefined;
  max_turns?: number | undefined;
  cited?: { document_id: string } | undefined;
}

/**
 * The result of a test's conversation. `model_failed` says nothing about the agent, because the model or the service
 * interrupted the conversation.
 */
export const RESULT_STATES = ["passed", "failed", "model_failed"] as const;
export type ResultState = (typeof RESULT_STATES)[number];
export type ResultCounts = Record<ResultState, number>;

/** Tests of agents: the user's utterances, and what is expected of the agent. */
export const agentTests = sqliteTable(
  "agent_tests",
  {
    account: accountRef(),
    id: id(),
    agent_id: text("agent_id").notNull(),
    name: text("name").notNull(),
    steps: text("steps", { mode: "json" }).$type<TestStep[]>().notNull(),
    variables: text("variables", { mode: "json" }).$type<Record<string, string>>().notNull(),
    tool_mocks: text("tool_mocks", { mode: "json" }).$type<ToolMock[]>().notNull(),
    expect: text("expect", { mode: "json" }).$type<TestExpectation[]>().notNull(),
    /** Whether an agent under manual versioning is published only if the test passes. */
    required: integer("required", { mode: "boolean" }).notNull(),
    /** How many conversations a run has, and how many of them must pass. */
    repeat: integer("repeat").notNull().default(1),
    min_passes: integer("min_passes").notNull().default(1),
    /** The conversation from which the test was created. The test is deleted with it. */
    conversation_id: text("conversation_id"),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    updated_at: updatedAt(),
    ...revised(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("agent_tests_agent").on(t.account, t.agent_id, t.created_at, t.id),
    index("agent_tests_conversation").on(t.account, t.conversation_id),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
  ],
);

/** The outcome of a test in a run. If the test has a newer revision, it must be run again. */
export interface TestOutcome {
  test_id: string;
  revision: number;
  /** Null until all conversations of the test have ended. */
  state: ResultState | null;
  counts: ResultCounts;
  /** The conversation from which the test was created. The outcome is deleted with it. */
  conversation_id: string | null;
}

/** The list of test runs and their outcomes. The conversations are in the run's own object. */
export const testRuns = sqliteTable(
  "test_runs",
  {
    account: accountRef(),
    id: id(),
    agent_id: text("agent_id").notNull(),
    status: text("status", { enum: ["running", "completed", "failed"] }).notNull(),
    version: integer("version").notNull(),
    hash: text("hash").notNull(),
    /** Why the run failed; null if it did not. */
    reason: text("reason"),
    outcomes: text("outcomes", { mode: "json" }).$type<TestOutcome[]>().notNull(),
    created_by: text("created_by").notNull(),
    created_at: createdAt(),
    ended_at: text("ended_at"),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index("test_runs_hash").on(t.account, t.agent_id, t.hash, t.created_at),
    index("test_runs_account_created").on(t.account, t.created_at),
    foreignKey({ columns: [t.account, t.agent_id], foreignColumns: [agents.account, agents.id] }).onDelete("cascade"),
  ],
);
