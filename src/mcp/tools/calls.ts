import { z } from "zod";
import { readNumber, whyNoNumber } from "../../kernel/numbers/read-number.ts";
import { MOST_NUMBER_CHARS } from "../../kernel/numbers/written.ts";
import { Refused } from "../api.ts";
import { budgetsOf, restsOnTools } from "../rests-on.ts";
import { acting, confirm, id, limit, looking, type Tool } from "../tool.ts";

const number = z.object({
  id: z.string(),
  e164: z.string(),
  provider: z.string(),
  agent_id: z.string().nullable(),
  inbound_enabled: z.boolean(),
  outbound_enabled: z.boolean(),
});
const call = z.looseObject({
  status: z.string(),
  agent_id: z.string().nullable().optional(),
  from_number: z.string().optional(),
  to_number: z.string().optional(),
});
const placed = z.looseObject({ call_id: z.string() });
const named = z.object({ name: z.string() });
const phoneNumber = z.string().max(MOST_NUMBER_CHARS);

const findNumbers = looking(
  {
    name: "find_numbers",
    title: "Find phone numbers",
    description: "Lists the account's phone numbers and the agents that answer them.",
    scopes: ["read"],
    input: z.strictObject({ limit: limit(100) }),
    output: z.object({ numbers: z.array(number), total: z.number() }),
  },
  async ({ api }, { limit: most }) => {
    const { numbers } = await api.get("/api/v1/telephony/numbers", z.object({ numbers: z.array(number) }));
    return { numbers: numbers.slice(0, most), total: numbers.length };
  },
);

const showCall = looking(
  {
    name: "show_call",
    title: "Show a call",
    description: "Returns the state or outcome of a call.",
    scopes: ["read"],
    input: z.strictObject({ call_id: id("The call, from place_call or recent_events.") }),
    output: z.object({ call }),
    strangers: true,
  },
  async ({ api }, { call_id }) => ({ call: await api.get(`/api/v1/calls/${call_id}`, call) }),
);

const placeCall = acting(
  {
    name: "place_call",
    title: "Call a person",
    description:
      "Calls a phone number with an agent. This has to be confirmed; the first call says whom it would call.",
    scopes: ["dial"],
    input: z.strictObject({
      agent_id: id("The agent that calls, from find_agents."),
      from_number: phoneNumber.describe("One of the account's numbers, from find_numbers."),
      to_number: phoneNumber.describe("The number to call, with the country code."),
      confirm,
    }),
    output: z.object({ call: placed }),
    hints: { destructive: true, idempotent: false, openWorld: true },
  },
  async ({ api }, { agent_id, ...parties }) => {
    // The person who confirms must see the number that will be called.
    const from_number = numberIn("from_number", parties.from_number);
    const to_number = numberIn("to_number", parties.to_number);
    const [{ value: agent, revision, version }, tools, budget] = await Promise.all([
      api.revised(`/api/v1/agents/${agent_id}`, named),
      restsOnTools(api),
      budgetsOf(api, [agent_id]),
    ]);
    return {
      scope: "dial",
      effect: {
        to_numbers: [to_number],
        count: 1,
        details: { agent: agent.name, agent_id, agent_revision: revision, from_number, budget },
      },
      restsOn: [version, ...tools],
      summary: `Call ${to_number} with the agent ${agent.name}, from ${from_number}`,
      on: agent_id,
      confirmed: true,
      perform: async () => {
        const body = { agent_id, from_number, to_number };
        return { done: true, call: await api.send("POST", "/api/v1/calls/originate", placed, { body }) };
      },
    };
  },
);

/** Returns the phone number in an argument, E.164. @throws Refused */
function numberIn(argument: string, written: string): string {
  const read = readNumber(written, null);
  if ("e164" in read) return read.e164;
  throw new Refused(400, `${argument}: ${whyNoNumber(read)}`, "invalid_number");
}

export const callTools: Tool[] = [findNumbers, showCall, placeCall];
