import { describe, expect, it } from "vitest";
import { LISTED_MODELS } from "../../../src/agent/models/list.ts";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const PATH = "/api/v1/models";
interface Models {
  models: { llm_model: string; answers_with: string }[];
}
const answering = ({ models }: Models) =>
  new Map(models.map(({ llm_model, answers_with }) => [llm_model, answers_with]));

describe("the model that answers for an agent", () => {
  it("the scripted agent answers if no language model is connected", async () => {
    const { user } = await tenant();
    const { status, body } = await user.get<Models>(PATH);
    expect(status).toBe(200);
    expect([...answering(body).keys()]).toContain("gpt-4o");
    expect(new Set(answering(body).values())).toEqual(new Set(["scripted"]));
  });

  it("the vendor's model answers from the next read on once the account has its key", async () => {
    const { user } = await tenant();
    await user.get<Models>(PATH);
    const installed = await user.post(`/api/v1/integrations/openai/install`, { secrets: { api_key: "sk-test" } });
    expect(installed.status).toBeLessThan(300);
    const models = answering((await user.get<Models>(PATH)).body);
    expect([models.get("gpt-4o"), models.get("claude-3-5-sonnet")]).toEqual(["openai", "scripted"]);
  });

  it("has a price, an end and a successor, and states what is missing", async () => {
    const { user, server } = await tenant();
    await server.post("/api/v1/integrations/custom_llm/install", {
      params: { base_url: "https://models.acme.example/v1", models: "llama3.3,llama3.3-small" },
      secrets: { api_key: "own-secret" },
    });
    await server.patch("/api/v1/prices", { prices: [{ what: "model/custom_llm/input", unit_micros: 70_000 }] });
    const { body } = await user.get<{ models: Record<string, unknown>[] }>(PATH);
    const of = (name: string) => body.models.find(({ llm_model }) => llm_model === name);
    expect(of("gpt-4o-mini")).toEqual({
      llm_model: "gpt-4o-mini",
      answers_with: "scripted",
      model: null,
      label: "GPT-4o mini",
      provider: "openai",
      available: false,
      reason: "the integration openai, with an API key, is not installed",
      input_micros_per_million: 150_000,
      output_micros_per_million: 600_000,
      ends_at: "2027-01-14T00:00:00.000Z",
      replaced_by: "gpt-6-luna",
    });
    expect(of("custom_llm:llama3.3")).toEqual({
      llm_model: "custom_llm:llama3.3",
      answers_with: "custom_llm",
      model: "llama3.3",
      label: "llama3.3",
      provider: "custom_llm",
      available: true,
      reason: null,
      input_micros_per_million: 70_000,
      output_micros_per_million: null,
      ends_at: null,
      replaced_by: null,
    });
    expect(JSON.stringify(body)).not.toContain("own-secret");
    expect(body.models).toHaveLength(LISTED_MODELS.length + 2);
  });

  it("the model that answers for an agent is never a model of another account's server", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.server.post("/api/v1/integrations/custom_llm/install", {
      params: { base_url: "https://models.acme.example/v1", models: "secret-model" },
      secrets: { api_key: "k" },
    });
    expect(JSON.stringify((await other.user.get(PATH)).body)).not.toContain("secret-model");
  });

  it.each([
    [{ LLM_BASE_URL: "http://127.0.0.1:11434/v1" }, "compatible"],
    [{ VOICE_RUNTIME_URL: "wss://media.example/talk" }, "own_runtime"],
  ])("the operator's configuration decides what answers: %j", async (env, answers_with) => {
    const { server } = await tenant();
    const answer = await countRoundTrips(PATH, server.headers, { env });
    expect(answer.status).toBe(200);
    expect(new Set(answering(answer.body as Models).values())).toEqual(new Set([answers_with]));
  });
});
