import { api, type Body, data } from "../../api/client.ts";
import { invalidate, queries, query } from "../../api/queries.ts";

const at = (id: string) => ({ path: { id } });

/** One agent with all it has. */
export const agentById = (id: string) =>
  query(["agents", id], (signal) => data(api.GET("/api/v1/agents/{id}", { params: at(id), signal })));

/** The versions of an agent's prompt, newest first. */
export const promptVersions = (id: string) =>
  query(["agents", id, "prompts"], (signal) =>
    data(api.GET("/api/v1/agents/{id}/prompts", { params: at(id), signal })),
  );

/** An agent's tools with their settings. */
export const toolsOfAgent = (id: string) =>
  query(["agents", id, "tools"], (signal) => data(api.GET("/api/v1/agents/{id}/tools", { params: at(id), signal })));

/** The account's tools in Python, which run on a runtime of its own. */
export const pythonTools = () =>
  query(["tools", "python"], (signal) =>
    data(api.GET("/api/v1/tools", { params: { query: { type: "python" as const, limit: 100 } }, signal })),
  );

/** How the account's widgets look. */
export const widgetLook = () =>
  query(["widget-settings"], (signal) => data(api.GET("/api/v1/widget-settings", { signal })));

/** The phone numbers whose callers an agent answers. */
export const numbersOfAgent = (agent_id: string) =>
  query(["numbers", { agent_id }], (signal) =>
    data(api.GET("/api/v1/telephony/numbers", { params: { query: { agent_id } }, signal })),
  );

/** Shows an agent as the service returned it after a change, and refetches everything else about agents. */
export async function agentChanged(agent?: Body<"Agent">): Promise<void> {
  if (agent) queries.setQueryData(["agents", agent.id], agent);
  await invalidate("agents");
}
