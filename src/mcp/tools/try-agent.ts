import { z } from "zod";
import { restsOnTools } from "../rests-on.ts";
import { Talk } from "../talk.ts";
import { acting, confirm, id } from "../tool.ts";
import { actingAgent } from "./agents.ts";

const session = z.object({ access_token: z.string(), conversation_id: z.string() });

export const tryAgent = acting(
  {
    name: "try_agent",
    title: "Try an agent",
    description:
      "Sends messages to an agent as a caller, and returns its answers. No one is called. If the agent has tools, " +
      "which really run, this has to be confirmed.",
    scopes: ["build", "listen"],
    input: z.strictObject({
      agent_id: id("The agent, from find_agents."),
      says: z.array(z.string().min(1).max(1_000)).min(1).max(6).describe("The caller's words, one text for each turn."),
      confirm,
    }),
    output: z.object({
      conversation_id: z.string(),
      turns: z.array(z.object({ role: z.enum(["caller", "agent", "tool", "end"]), text: z.string() })),
    }),
    // The agent's tools may return what other people wrote.
    strangers: true,
    hints: { destructive: true, idempotent: false, openWorld: true },
  },
  async ({ api }, { agent_id, says }) => {
    const path = `/api/v1/agents/${agent_id}`;
    const { value: agent, revision, version } = await api.revised(path, actingAgent);
    const tools = agent.tools.filter(({ enabled }) => enabled).map(({ tool_name }) => tool_name);
    return {
      scope: "build",
      effect: {
        to_numbers: [],
        count: 0,
        // What the caller says determines what the tools do, so the approver sees it.
        details: { agent: agent.name, agent_id, revision, tools: tools.join(", "), says: says.join("\n") },
      },
      summary: `Try the agent ${agent.name} with ${says.length} messages; it may use its tools`,
      restsOn: tools.length > 0 ? [version, ...(await restsOnTools(api))] : [],
      on: agent_id,
      confirmed: tools.length > 0,
      perform: async () => {
        const { access_token, conversation_id } = await api.send("POST", `${path}/session`, session, { body: {} });
        const talk = new Talk(await api.socket("/runtime"));
        const turns = await talk.hold(access_token, says, (agent.greeting_message ?? "").trim() !== "");
        return { done: true, conversation_id, turns };
      },
    };
  },
);
