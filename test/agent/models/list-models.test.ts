import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const PATH = "/api/v1/models";
interface Models {
  models: { llm_model: string; answers_with: string }[];
}
const answering = ({ models }: Models) =>
  new Map(models.map(({ llm_model, answers_with }) => [llm_model, answers_with]));

describe("what answers for an agent's model", () => {
  it("is the scripted agent if no language model is connected", async () => {
    const { user } = await tenant();
    const { status, body } = await user.get<Models>(PATH);
    expect(status).toBe(200);
    expect([...answering(body).keys()]).toContain("gpt-4o");
    expect(new Set(answering(body).values())).toEqual(new Set(["scripted"]));
  });

  it("is the vendor once the account has its key, from the next read on", async () => {
    const { user } = await tenant();
    await user.get<Models>(PATH);
    const installed = await user.post(`/api/v1/integrations/openai/install`, { secrets: { api_key: "sk-test" } });
    expect(installed.status).toBeLessThan(300);
    const models = answering((await user.get<Models>(PATH)).body);
    expect([models.get("gpt-4o"), models.get("claude-3-5-sonnet")]).toEqual(["openai", "scripted"]);
  });

  it.each([
    [{ LLM_BASE_URL: "http://127.0.0.1:11434/v1" }, "compatible"],
    [{ VOICE_RUNTIME_URL: "wss://media.example/talk" }, "own_runtime"],
  ])("is what the operator configured: %j", async (env, answers_with) => {
    const { server } = await tenant();
    const answer = await countRoundTrips(PATH, server.headers, { env });
    expect(answer.status).toBe(200);
    expect(new Set(answering(answer.body as Models).values())).toEqual(new Set([answers_with]));
  });
});
