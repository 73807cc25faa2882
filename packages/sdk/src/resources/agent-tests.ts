import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** Tests of agents, and how they went. */
export class AgentTests extends Resource {
  /** An agent's tests, oldest first. */
  list(
    agentId: string,
    query?: Query<"/api/v1/agents/{id}/tests">,
    options?: CallOptions,
  ): List<Schema<"AgentTest">, Answer<"GET", "/api/v1/agents/{id}/tests">> {
    return this.listOf("/api/v1/agents/{id}/tests", (page) => page.tests, { path: { id: agentId }, query, options });
  }

  get(agentId: string, testId: string, options?: CallOptions): Promise<Schema<"AgentTest">> {
    const path = { id: agentId, testId };
    return this.call("GET", "/api/v1/agents/{id}/tests/{testId}", withParams(options, { params: { path } }));
  }

  create(agentId: string, body: Schema<"CreateAgentTestRequest">, options?: CallOptions): Promise<Schema<"AgentTest">> {
    const path = { id: agentId };
    return this.call("POST", "/api/v1/agents/{id}/tests", withParams(options, { params: { path }, body }));
  }

  update(
    agentId: string,
    testId: string,
    body: Schema<"UpdateAgentTestRequest">,
    options?: CallOptions,
  ): Promise<Schema<"AgentTest">> {
    const path = { id: agentId, testId };
    return this.call("PATCH", "/api/v1/agents/{id}/tests/{testId}", withParams(options, { params: { path }, body }));
  }

  delete(agentId: string, testId: string, options?: CallOptions): Promise<undefined> {
    const path = { id: agentId, testId };
    return this.call("DELETE", "/api/v1/agents/{id}/tests/{testId}", withParams(options, { params: { path } }));
  }

  /** Makes a test of a conversation, with which it is deleted. */
  ofConversation(
    conversationId: string,
    body: Schema<"ConversationToTestRequest"> = {},
    options?: CallOptions,
  ): Promise<Schema<"AgentTest">> {
    const path = { id: conversationId };
    return this.call("POST", "/api/v1/conversations/{id}/to-test", withParams(options, { params: { path }, body }));
  }

  /** Begins a run of an agent's tests. */
  run(agentId: string, body: Schema<"CreateTestRunRequest"> = {}, options?: CallOptions): Promise<Schema<"TestRun">> {
    const path = { id: agentId };
    return this.call("POST", "/api/v1/agents/{id}/test-runs", withParams(options, { params: { path }, body }));
  }

  /** An agent's test runs, newest first. */
  runs(
    agentId: string,
    query?: Query<"/api/v1/agents/{id}/test-runs">,
    options?: CallOptions,
  ): List<Schema<"TestRunSummary">, Answer<"GET", "/api/v1/agents/{id}/test-runs">> {
    const page = { path: { id: agentId }, query, options };
    return this.listOf("/api/v1/agents/{id}/test-runs", (read) => read.test_runs, page);
  }

  getRun(id: string, options?: CallOptions): Promise<Schema<"TestRun">> {
    return this.call("GET", "/api/v1/test-runs/{id}", withParams(options, { params: { path: { id } } }));
  }

  /** A run as it goes: a snapshot, each test as it begins and ends, and the run's end. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"TestRunEvent">>, void> {
    const until = ({ name }: { name: string }) => name === "run.ended";
    return this.streamOf("/api/v1/test-runs/{id}/events", { id }, undefined, Object.assign({ until }, options));
  }
}
