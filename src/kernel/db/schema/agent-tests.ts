import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountRef } from "./accounts.ts";
import { agents } from "./agents.ts";
import { createdAt, id, revised, updatedAt } from "./columns.ts";

/** An utterance of the user in a test. */
export interface TestStep {
  says: string;
}

/** The answer a test gives in place of running a tool. */
export interface ToolMock {
  tool: string;
  /** Arguments that the call must have; null for any. */
  when: Record<string, unknown> | null;
  result: unknown;
}

/** What a test expects of the conversation: one of these. */
export interface TestExpectation {
  /** A part of something that the agent says, in either case. */
  said?: string | undefined;
  not_said?: string | undefined;
  tool_called?: { name: string; arguments?: Record<string, unknown> | undefined } | undefined;
  tool_not_called?: string | undefined;
  disposition?: string | undefined;
  ended?: boolean | undefined;
  transferred?: boolean | undefined;
  /** The most turns of the agent. */
  max_turns?: number | undefined;
}

/**
 * What a conversation of a test says about the agent: `model_failed` if nothing, because its model, or the service, did
 * not hold it to its end.
 */
export const RESULT_STATES = ["passed", "failed", "model_failed"] as const;
export type ResultState = (typeof RESULT_STATES)[number];
/** How many conversations ended how. */
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
    /** Whether an agent under manual versioning is published only once it passes. */
    required: integer("required", { mode: "boolean" }).notNull(),
    /** How often a run holds its conversation, and how many of these must pass. */
    repeat: integer("repeat").notNull().default(1),
    min_passes: integer("min_passes").notNull().default(1),
    /** The conversation that it was created from; deleted together with that. */
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

/** How a test went in a run; a test that was changed since, by its revision, has to be run again. */
export interface TestOutcome {
  test_id: string;
  revision: number;
  /** Null until all its conversations are over. */
  state: ResultState | null;
  counts: ResultCounts;
  /** The conversation that the test was made from; the test is deleted with it. */
  conversation_id: string | null;
}

/** The list of test runs: what each came to. What was said in it is in the run's object. */
export const testRuns = sqliteTable(
  "test_runs",
  {
    account: accountRef(),
    id: id(),
    agent_id: text("agent_id").notNull(),
    status: text("status", { enum: ["running", "completed", "failed"] }).notNull(),
    /** The version that is tested, and its hash. */
    version: integer("version").notNull(),
    hash: text("hash").notNull(),
    /** Why a run failed; null for any other. */
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
