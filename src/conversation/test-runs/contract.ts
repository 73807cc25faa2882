import { z } from "@hono/zod-openapi";
import { agentId, author } from "../../agent/agents/contract.ts";
import { expectation, MAX_TESTS } from "../../agent/tests/fields.ts";
import { ANSWERED_BY } from "../../agent/tests/transcript.ts";
import { MAX_REPEAT } from "../../agent/tests/verdict.ts";
import { RESULT_STATES } from "../../kernel/db/schema/index.ts";
import { content } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, timestamp } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import { testOutcome } from "../../kernel/http/test-outcome.ts";
import { turnSource } from "../../records/conversations/sources.ts";
import { MAX_CONVERSATIONS, MAX_RUNS, RUN_STATUSES } from "./plan.ts";

const MAX_ALLOWED_TOOLS = 50;
const HASH = "9f2c4a71be03d5586c1f7aa04d2e93b85f60c1de7784a9023b5ce6f1d0a48e37";

const count = (description: string, example: number) => z.number().int().openapi({ description, example });

const run = z.object({
  id: idOf("testRun", "The run's id."),
  agent_id: idOf("agent", "The agent that is tested."),
  status: z.enum(RUN_STATUSES).openapi({
    description:
      "`completed` once every conversation was held, whatever the results; `failed` if it could not continue.",
    example: "completed",
  }),
  reason: z
    .string()
    .nullable()
    .openapi({
      description:
        "Why it could not continue: `budget`, `agent_deleted`, `version_gone` (the version is no longer kept), " +
        "`timed_out`, or why its author lost access, such as `key_disabled`; otherwise null.",
      example: null,
    }),
  version: count("The number of the version that is tested; see listAgentVersions.", 4),
  hash: z.string().openapi({ description: "The version's hash.", example: HASH }),
  created_by: author,
  created_at: createdAt,
  ended_at: timestamp.nullable().openapi({ description: "When it ended (UTC); null while it runs." }),
});

const tests = z.array(testOutcome.openapi("TestOutcome")).openapi({ description: "The result of each test." });

const listedRun = run.extend({ tests }).openapi("TestRunSummary");

const words = (example: string) =>
  content(z.string(), { description: "The spoken text; for a tool, its result.", example });

const testTurn = z
  .object({
    role: z.enum(["user", "agent", "tool"]).openapi({ description: "Who said it, or a tool.", example: "agent" }),
    text: words("On Friday at ten, or at half past two."),
    tool: z
      .object({
        name: z.string().openapi({ description: "The tool's name.", example: "check_availability" }),
        arguments: content(z.record(z.string(), z.unknown()), {
          description: "Its arguments.",
          example: { day: "2026-11-27" },
        }),
        ok: z.boolean().openapi({ description: "Whether it worked.", example: true }),
        answered_by: z.enum(ANSWERED_BY).openapi({
          description:
            "What answered: a mock of the test, the tool itself if it was allowed to run (`run`), the service " +
            "(`built_in`), or nothing, in which case the agent got an error that there is no mock.",
          example: "mock",
        }),
      })
      .nullable()
      .openapi({ description: "The tool call; null for a spoken turn." }),
    sources: z.array(turnSource).default([]).openapi({
      description: "The passages of documents that the agent's turn is based on; empty if there are none.",
    }),
  })
  .openapi("TestTurn");

const usage = z
  .object({
    input_tokens: count("Tokens that the model read.", 512),
    cached_tokens: count("The number of these tokens that the model's provider read from its cache.", 384),
    output_tokens: count("Tokens that it wrote.", 38),
  })
  .openapi({ description: "The tokens that the conversation used." });

export const testResult = z
  .object({
    test_id: idOf("test", "The test; it may have been deleted since."),
    name: z.string().openapi({ description: "The test's name when it was run.", example: "Books the Friday slot" }),
    repeat: count("The number of the repetition, from 1.", 1),
    state: z.enum(RESULT_STATES).openapi({
      description:
        "`passed` if all expectations are met, otherwise `failed`. `model_failed` if the conversation says nothing " +
        "about the agent, because its model failed or the service could not hold it: `error` says which.",
      example: "failed",
    }),
    failures: z
      .array(
        z.object({
          expectation: content(expectation, {
            description: "The expectation, as in the test.",
            example: { said: "at ten" },
          }),
          turn: z.number().int().nullable().openapi({
            description: "The index in `transcript`, from 0, of the turn that contradicts it; null if there is none.",
            example: null,
          }),
        }),
      )
      .openapi({ description: "The expectations that were not met, in the test's order; empty unless it failed." }),
    error: z
      .enum(["model_failed", "budgets_unanswered", "too_long", "too_slow", "cut_off", "cut_off_after_write"])
      .nullable()
      .openapi({
        description:
          "Why the conversation was not held to its end; null if it was. `model_failed`: its errors, timeouts or empty " +
          "answers, all of them retried; `too_long`: the conversation became too long, which counts as failed; " +
          "`cut_off`: its process was lost twice; `cut_off_after_write`: its process was lost once after a tool may " +
          "have changed something, so it is not repeated.",
        example: null,
      }),
    unmocked_tools: z.array(z.string()).openapi({
      description: "The tools that the agent used without a mock and without an entry in `allow_tools`.",
      example: [],
    }),
    transcript: z.array(testTurn).openapi({ description: "All turns and tool calls, in order." }),
    usage,
  })
  .openapi("TestResult");

const counted = {
  conversations: count("The number of conversations in the run: each test counts as often as it is repeated.", 6),
  done: count("The number of conversations that were held.", 6),
  passed: count("The number of these conversations that passed.", 5),
  failed: count("The number of these conversations that failed.", 1),
  model_failed: count(
    "The number of these conversations that say nothing about the agent, because its model failed.",
    0,
  ),
  tests,
};

export const testRun = run
  .extend(counted)
  .extend({
    results: z.array(testResult).openapi({
      description: "The result of each conversation that has ended, in the order of the tests and repetitions.",
    }),
  })
  .openapi("TestRun");

const ofTest = z
  .object({
    run_id: idOf("testRun", "The run with this result, for getTestRun."),
    test_id: idOf("test", "The test that begins, by its id from listAgentTests."),
    name: z.string().openapi({ description: "The test's name.", example: "Books the Friday slot" }),
    repeat: count("The number of the repetition, from 1.", 1),
  })
  .openapi("TestStarted");

/** The schemas of the stream's events, by name. */
export const TEST_RUN_EVENTS = {
  snapshot: testRun,
  "test.started": ofTest,
  "test.finished": testResult
    .extend({ run_id: idOf("testRun", "The run with this result, for getTestRun.") })
    .openapi("TestFinished"),
  "run.ended": run.extend(counted).openapi("TestRunEnded"),
};

const slice = { access: "account", tag: "Agent tests" } as const;
const ofAgent = z.object({ id: agentId });
const params = z.object({ id: idOf("testRun", "The run, by its id from listTestRuns.") });
const unknown = { 404: "unknown test run" };

export const createTestRun = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/test-runs",
  scope: ["build", "listen"],
  ofAgents: "path",
  operationId: "createTestRun",
  summary: "Run an agent's tests",
  description:
    "Holds the conversation of each test with the agent and its own model, and checks the test's expectations. " +
    "Only tools in `allow_tools` run, which requires `connect` if one names an integration. Opt-outs, transfers " +
    "and hang-ups have no effect outside the test. Tokens count towards budgets and usage (kind `agent_test`). " +
    "The same run on the scripted agent gives the same results each time. Results are kept for 30 days.",
  params: ofAgent,
  bodyOptional: true,
  body: z.object({
    version: z.number().int().min(1).nullable().default(null).openapi({
      description: "The number of the version to test; null for the draft.",
      example: null,
    }),
    tests: z
      .array(z.uuid())
      .min(1)
      .max(MAX_TESTS)
      .optional()
      .openapi({ description: "The ids of the tests to run; all if left out.", example: [EXAMPLE_IDS.test] }),
    repeat: z
      .number()
      .int()
      .min(1)
      .max(MAX_REPEAT)
      .default(1)
      .openapi({
        description:
          `The minimum number of times that each test is held, up to ${MAX_REPEAT}: a test whose own \`repeat\` is ` +
          "higher is held that often. A test that is held more often than its own `repeat` passes with the same share.",
        example: 3,
      }),
    allow_tools: z.array(z.string().min(1).max(200)).max(MAX_ALLOWED_TOOLS).default([]).openapi({
      description: "The names of the tools that really run if no mock matches; none if left out.",
      example: [],
    }),
  }),
  status: 202,
  response: testRun,
  errors: {
    403: "a tool that would run names an integration, which requires the scope `connect`",
    404: "unknown agent or version",
    409: `\`no_tests\` if there is none to run; \`too_many_conversations\` for more than ${MAX_CONVERSATIONS}`,
    429: `\`test_runs\`: ${MAX_RUNS} runs of the account are under way`,
  },
});

export const listTestRuns = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/test-runs",
  scope: ["read"],
  ofAgents: "path",
  operationId: "listTestRuns",
  summary: "List an agent's test runs, newest first",
  description: "Runs of the last 30 days.",
  params: ofAgent,
  query: z.object(paging()),
  status: 200,
  response: pageOf("test_runs", listedRun),
  errors: { 404: "unknown agent" },
});

export const getTestRun = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/test-runs/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getTestRun",
  summary: "Get a test run with its results",
  description: "Returns the run's current state, with all turns.",
  params,
  status: 200,
  response: testRun,
  errors: unknown,
});
