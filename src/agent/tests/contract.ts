import { z } from "@hono/zod-openapi";
import { content } from "../../kernel/http/content.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, updatedAt } from "../../kernel/http/fields.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { agentId, author } from "../agents/contract.ts";
import { MAX_TESTS, newTestFields, testFields } from "./fields.ts";

const { shape } = testFields;

export const agentTest = testFields
  .extend({
    id: idOf("test", "The test's id."),
    agent_id: idOf("agent", "The agent that it tests."),
    steps: content(shape.steps, { description: "The sentences that the person says, in order." }),
    variables: content(shape.variables, { description: "The variables of a call." }),
    tool_mocks: content(shape.tool_mocks, { description: "Results that tools return instead of running." }),
    expect: content(shape.expect, { description: "The conditions that must be true of the conversation." }),
    conversation_id: idOf(
      "conversation",
      "The conversation from which the test was created, with which it is deleted; null for other tests.",
    ).nullable(),
    created_by: author,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("AgentTest");

const slice = { access: "account", tag: "Agent tests" } as const;
const params = z.object({ id: agentId });
const ofTest = params.extend({ testId: idOf("test", "The test, by its id from listAgentTests.") });
const unknown = { 404: "unknown agent or test" };
const full = `the agent has ${MAX_TESTS} tests`;

export const listAgentTests = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/tests",
  scope: ["read"],
  ofAgents: "path",
  operationId: "listAgentTests",
  summary: "List an agent's tests, oldest first",
  description: "Returns all tests, without paging.",
  params,
  status: 200,
  response: listOf("tests", agentTest),
  errors: { 404: "unknown agent" },
});

export const createAgentTest = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/tests",
  scope: ["build"],
  ofAgents: "path",
  operationId: "createAgentTest",
  summary: "Create a test of an agent",
  description:
    "Creates a test: what the person says, what tools return, and what the agent is expected to do. " +
    `createTestRun runs it. An agent can have up to ${MAX_TESTS} tests.`,
  params,
  body: newTestFields,
  status: 201,
  response: agentTest,
  errors: { 404: "unknown agent", 409: full },
});

export const getAgentTest = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/tests/{testId}",
  scope: ["read"],
  ofAgents: "path",
  operationId: "getAgentTest",
  summary: "Get a test of an agent",
  description: "The test as its author described it.",
  params: ofTest,
  revised: true,
  status: 200,
  response: agentTest,
  errors: unknown,
});

export const updateAgentTest = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/agents/{id}/tests/{testId}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "updateAgentTest",
  summary: "Change a test of an agent",
  description:
    "Fields left out stay as they are, and lists are replaced as a whole. After a change, the test has to run " +
    "again before it counts for publishAgent.",
  params: ofTest,
  body: testFields.partial(),
  revised: true,
  status: 200,
  response: agentTest,
  errors: unknown,
});

export const deleteAgentTest = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}/tests/{testId}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "deleteAgentTest",
  summary: "Delete a test of an agent",
  description: "Its results stay in test runs until those expire.",
  params: ofTest,
  status: 204,
  errors: unknown,
});

export const conversationToTest = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/conversations/{id}/to-test",
  scope: ["build", "listen"],
  ofAgents: "handler",
  operationId: "conversationToTest",
  summary: "Create a test from a conversation",
  description:
    "The person's words become the steps, and the results of tools become their mocks. Phone numbers, card " +
    "numbers, email addresses and everything that the agent's storage hides are masked; other numbers stay. The " +
    "test expects the same tool calls and the same disposition. Review it and add what else matters. It is " +
    "deleted with the conversation.",
  params: z.object({ id: idOf("conversation", "A conversation that has ended.") }),
  bodyOptional: true,
  body: z.object({
    agent_id: idOf("agent", "The agent that it is to test; the conversation's own if left out.").optional(),
    name: label.optional().openapi({
      description: "The test's name; by default the conversation's day.",
      example: "A booking",
    }),
  }),
  status: 201,
  response: agentTest,
  errors: {
    404: "unknown conversation or agent",
    409:
      `${full}; \`conversation_live\` for a conversation that has not ended, \`nothing_kept\` if none of the person's ` +
      "words are stored",
  },
});
