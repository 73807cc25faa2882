import { api, type Body, data } from "../../api/client.ts";
import { invalidate, query, showAnswer } from "../../api/queries.ts";
import type { agents } from "../../texts/index.ts";

export type Channel = keyof typeof agents.effect.channels;

const at = (id: string) => ({ path: { id } });

export const agentById = (id: string) =>
  query(["agents", id], (signal) => data(api.GET("/api/v1/agents/{id}", { params: at(id), signal })));

/** Returns the query of the effect that an agent's stored settings have on a channel. */
export const effectOn = (id: string, channel: Channel) =>
  query(["agents", id, "effect", channel], (signal) =>
    data(api.GET("/api/v1/agents/{id}/effect", { params: { path: { id }, query: { channel } }, signal })),
  );

export const voicesOf = (provider: Body<"Voice">["voice_provider"], language?: string) =>
  query(["voices", provider, language ?? ""], (signal) => {
    const asked = language === undefined ? { provider } : { provider, language };
    return data(api.GET("/api/v1/voices", { params: { query: asked }, signal }));
  });

export const toolsOfAgent = (id: string) =>
  query(["agents", id, "tools"], (signal) => data(api.GET("/api/v1/agents/{id}/tools", { params: at(id), signal })));

/** Returns the query of the account's Python tools, which run on its own runtime. */
export const pythonTools = () =>
  query(["tools", "python"], (signal) =>
    data(api.GET("/api/v1/tools", { params: { query: { type: "python" as const, limit: 100 } }, signal })),
  );

export const widgetLook = () =>
  query(["widget-settings"], (signal) => data(api.GET("/api/v1/widget-settings", { signal })));

export const numbersOfAgent = (agent_id: string) =>
  query(["numbers", { agent_id }], (signal) =>
    data(api.GET("/api/v1/telephony/numbers", { params: { query: { agent_id } }, signal })),
  );

/** Shows the agent that the service returned after a change, and refetches everything else about agents. */
export async function agentChanged(agent?: Body<"Agent">): Promise<void> {
  if (agent) showAnswer(["agents", agent.id], agent);
  await invalidate("agents");
}

const MOST_LISTED = 100;

export const agentVersion = (id: string, number: number) =>
  query(["agents", id, "versions", number], (signal) =>
    data(api.GET("/api/v1/agents/{id}/versions/{number}", { params: { path: { id, number } }, signal })),
  );

/** Returns the query of the differences between two versions; `draft` is the draft. */
export const versionChanges = (id: string, from: string, to: string) =>
  query(["agents", id, "versions", from, "to", to], (signal) =>
    data(api.GET("/api/v1/agents/{id}/versions/{from}/diff/{to}", { params: { path: { id, from, to } }, signal })),
  );

export const testsOfAgent = (id: string) =>
  query(["agents", id, "tests"], (signal) => data(api.GET("/api/v1/agents/{id}/tests", { params: at(id), signal })));

/** Returns the query of the runs of an agent's tests, newest first. */
export const testRunsOf = (id: string) =>
  query(["agents", id, "test-runs"], (signal) =>
    data(api.GET("/api/v1/agents/{id}/test-runs", { params: { ...at(id), query: { limit: MOST_LISTED } }, signal })),
  );

export const testRunById = (id: string) =>
  query(["test-runs", id], (signal) => data(api.GET("/api/v1/test-runs/{id}", { params: at(id), signal })));

export const testOfAgent = (id: string, testId: string) =>
  query(["agents", id, "tests", testId], (signal) =>
    data(api.GET("/api/v1/agents/{id}/tests/{testId}", { params: { path: { id, testId } }, signal })),
  );
