import { vi } from "vitest";
import type { RunDetail } from "../../../src/conversation/test-runs/test-run.ts";
import type { Answer, Client, Tenant } from "../../support/client.ts";
import { tenant } from "../../support/client.ts";

/** A tool that finds free slots of a day but is not configured. */
export const TOOL = {
  name: "check_slots",
  description: "Finds free appointment slots on a day.",
  implementation_type: "http",
  implementation_config: {},
  schema: { type: "object", properties: { day: { type: "string", format: "date" } }, required: ["day"] },
};

export const GREETING = "Acme Dental, good morning!";
export const GOODBYE = {
  name: "Says goodbye",
  steps: [{ says: "No, that is all. Goodbye!" }],
  expect: [{ ended: true }],
};
/** A test whose agent asks for slots, which a mock answers. */
export const SLOTS = {
  name: "Finds slots",
  steps: [{ says: "Please check slots on 2026-11-27" }, { says: "Thanks, goodbye" }],
  tool_mocks: [
    { tool: "check_slots", when: { day: "2026-11-28" }, result: { slot: "at nine" } },
    { tool: "check_slots", result: { slot: "at ten" } },
  ],
  expect: [
    { said: "AT TEN" },
    { tool_called: { name: "check_slots", arguments: { day: "2026-11-27" } } },
    { not_said: "at nine" },
    { ended: true },
    { max_turns: 6 },
  ],
};

export interface Tested extends Tenant {
  agent_id: string;
  path: string;
}

/** Creates an account with an agent that has the tool. */
export async function tested(fields: Record<string, unknown> = {}): Promise<Tested> {
  const who = await tenant();
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", {
    name: "Reception",
    greeting_message: GREETING,
    ...fields,
  });
  await who.server.post("/api/v1/tools", TOOL);
  const agent_id = agent.body.id;
  await who.server.put(`/api/v1/agents/${agent_id}/tools`, { tool_name: TOOL.name });
  return { ...who, agent_id, path: `/api/v1/agents/${agent_id}` };
}

/** Creates a test of the agent and returns its id. */
export async function withTest({ server, path }: Tested, test: object): Promise<string> {
  const made = await server.post<{ id: string }>(`${path}/tests`, test);
  if (made.status !== 201) throw new Error(`no test: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body.id;
}

export const begin = ({ server, path }: Tested, order: object = {}): Promise<Answer<RunDetail>> =>
  server.post<RunDetail>(`${path}/test-runs`, order);

/** Returns the run once it has ended. */
export async function over(client: Client, id: string): Promise<RunDetail> {
  return vi.waitFor(
    async () => {
      const { body } = await client.get<RunDetail>(`/api/v1/test-runs/${id}`);
      if (body.status === "running") throw new Error(`the run still runs: ${body.done} of ${body.conversations}`);
      return body;
    },
    { interval: 30 },
  );
}

/** Runs all tests and returns the result. */
export async function ran(who: Tested, order: object = {}): Promise<RunDetail> {
  const { status, body } = await begin(who, order);
  if (status !== 202) throw new Error(`no run: ${status} ${JSON.stringify(body)}`);
  return over(who.server, body.id);
}
