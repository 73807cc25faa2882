import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface Agent {
  id: string;
  system_prompt: string;
  greeting_message: string;
  active_prompt_id: string;
}
interface Prompt {
  id: string;
  version: number;
  system_prompt: string;
  active: boolean;
}

const PAIRS = 25;

describe("an agent that is changed by concurrent requests", () => {
  it("has the text of its active prompt version in any order of requests", async () => {
    const { server } = await tenant();
    const { id } = (await server.post<Agent>("/api/v1/agents", { name: "A", system_prompt: "0" })).body;
    const path = `/api/v1/agents/${id}`;
    for (let pair = 1; pair <= PAIRS; pair++) {
      // The second request of each pair sends the prompt that was stored before both.
      const before = (await server.get<Agent>(path)).body.system_prompt;
      const sent = [`${pair}`, before].map((system_prompt) => server.patch(path, { system_prompt }));
      const answers = await Promise.all([...sent, server.patch(path, { greeting_message: `${pair}` })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const agent = (await server.get<Agent>(path)).body;
      const { prompts } = (await server.get<{ prompts: Prompt[] }>(`${path}/prompts`)).body;
      const active = prompts.filter((prompt) => prompt.active);
      expect(active).toEqual([expect.objectContaining({ id: agent.active_prompt_id })]);
      expect(active[0]?.system_prompt, `pair ${pair}`).toBe(agent.system_prompt);
      expect(agent.greeting_message).toBe(`${pair}`);
      expect(prompts.map(({ version }) => version)).toEqual(prompts.map((_, i) => prompts.length - i));
    }
  });

  it("never has one version's text under another version's id if a version is activated meanwhile", async () => {
    const { server } = await tenant();
    const { body } = await server.post<Agent>("/api/v1/agents", { name: "A", system_prompt: "first" });
    const path = `/api/v1/agents/${body.id}`;
    for (let round = 1; round <= PAIRS; round++) {
      await Promise.all([
        server.patch(path, { system_prompt: `${round}` }),
        server.post(`${path}/prompts/${body.active_prompt_id}/activate`),
        server.patch(path, { system_prompt: "first" }),
      ]);
      const agent = (await server.get<Agent>(path)).body;
      const { prompts } = (await server.get<{ prompts: Prompt[] }>(`${path}/prompts`)).body;
      expect(prompts.find((prompt) => prompt.active)?.system_prompt).toBe(agent.system_prompt);
    }
  });
});
