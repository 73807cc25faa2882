import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseModel, findModel, type ModelKeys, type ModelSettings } from "../../../src/agent/models/choose-model.ts";
import { modelKeys, openKeys } from "../../../src/agent/models/model-keys.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { Vault, VaultUnavailable } from "../../../src/kernel/secrets/vault.ts";
import { tenant } from "../../support/client.ts";

const NOW = Date.UTC(2026, 10, 21);
const NONE: ModelKeys = { openai: null, anthropic: null, custom_llm: null };
const bare: ModelSettings = {
  LLM_BASE_URL: "",
  LLM_MODEL: "",
  OPENAI_API_URL: "https://api.openai.com/v1",
  ANTHROPIC_API_URL: "https://api.anthropic.com/v1",
  PLATFORM_MODELS: "",
  TOOL_HOSTS: "",
  PUBLIC_URL: "https://switchboard.example",
  ALLOWED_HOSTS: "",
};
const agentModels = ["gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet"];

describe("the choice of a model", () => {
  it("the scripted model is chosen by default", () => {
    for (const llmModel of [...agentModels, "unknown"]) {
      expect(chooseModel(bare, llmModel, NONE, NOW)).toEqual({ kind: "scripted" });
      expect(chooseModel(env, llmModel, NONE, NOW)).toEqual({ kind: "scripted" });
    }
    const blank = { ...bare, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
    expect(chooseModel(blank, "gpt-4o", { openai: "", anthropic: "", custom_llm: null }, NOW)).toEqual({
      kind: "scripted",
    });
  });

  it("the provider's model is chosen with the account's key in preference to the platform's", () => {
    const settings = { ...bare, OPENAI_API_KEY: "p-openai", ANTHROPIC_API_KEY: "p-anthropic" };
    const openai = { kind: "openai", base_url: bare.OPENAI_API_URL, thinks: false };
    const anthropic = {
      kind: "anthropic",
      base_url: bare.ANTHROPIC_API_URL,
      model: "claude-sonnet-5",
      name: "claude-sonnet-5",
      thinks: true,
    };
    expect(chooseModel(settings, "gpt-4o-mini", NONE, NOW)).toEqual({
      ...openai,
      model: "gpt-4o-mini",
      name: "gpt-4o-mini",
      api_key: "p-openai",
    });
    const own = { openai: "own-openai", anthropic: null, custom_llm: null };
    expect(chooseModel(settings, "gpt-4o", own, NOW)).toEqual({
      ...openai,
      model: "gpt-4o",
      name: "gpt-4o",
      api_key: "own-openai",
    });
    expect(chooseModel(settings, "claude-3-5-sonnet", own, NOW)).toEqual({ ...anthropic, api_key: "p-anthropic" });
    expect(chooseModel(bare, "claude-3-5-sonnet", { openai: null, anthropic: "own", custom_llm: null }, NOW)).toEqual({
      ...anthropic,
      api_key: "own",
    });
  });

  it("never sends a key to another provider", () => {
    const key = fc.constantFrom("", "k");
    fc.assert(
      fc.property(fc.constantFrom(...agentModels), key, key, key, key, (llmModel, a, b, c, d) => {
        const settings = { ...bare, OPENAI_API_KEY: a && `openai-${a}`, ANTHROPIC_API_KEY: b && `anthropic-${b}` };
        const keys = { openai: c && `openai-${c}`, anthropic: d && `anthropic-${d}`, custom_llm: null };
        const choice = chooseModel(settings, llmModel, keys, NOW);
        if (choice.kind !== "scripted") expect(choice.api_key).toMatch(new RegExp(`^${choice.kind}-`));
        const maker = llmModel.startsWith("gpt-") ? [a, c] : [b, d];
        expect(choice.kind === "scripted").toBe(maker.every((each) => each === ""));
      }),
    );
  });

  it("a configured compatible server is chosen for every agent", () => {
    const settings = { ...bare, LLM_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_API_KEY: "p" };
    const choice = {
      kind: "compatible",
      base_url: settings.LLM_BASE_URL,
      api_key: "",
      name: "compatible",
      thinks: false,
    };
    const own = { openai: "own", anthropic: "own", custom_llm: null };
    expect(chooseModel(settings, "claude-3-5-sonnet", own, NOW)).toEqual({ ...choice, model: "claude-3-5-sonnet" });
    const named = { ...settings, LLM_MODEL: "llama3.3", LLM_API_KEY: "secret" };
    expect(chooseModel(named, "gpt-4o", own, NOW)).toEqual({ ...choice, model: "llama3.3", api_key: "secret" });
  });

  it("the account's own server is chosen for its models, regardless of other configuration", () => {
    const server = { base_url: "https://models.acme.example/v1", models: ["llama3.3"], api_key: "own" };
    const keys = { openai: "k", anthropic: "k", custom_llm: server };
    const settings = { ...bare, LLM_BASE_URL: "http://127.0.0.1:11434/v1", LLM_MODEL: "other" };
    const choice = { kind: "custom_llm", base_url: server.base_url, api_key: "own", model: "llama3.3", thinks: false };
    expect(chooseModel(settings, "custom_llm:llama3.3", keys, NOW)).toEqual({ ...choice, name: "custom_llm:llama3.3" });
    expect(findModel(settings, "custom_llm:other", keys, NOW)).toEqual({
      reason: "the integration custom_llm does not list other in models",
    });
  });

  it.each([
    "http://models.acme.example/v1",
    "https://169.254.169.254/v1",
    "https://switchboard.example/v1",
    "https://localhost/v1",
  ])("the account's own server is not chosen at %s, which the operator's rules refuse", (base_url) => {
    const keys = { ...NONE, custom_llm: { base_url, models: ["m"], api_key: "own" } };
    expect(findModel(bare, "custom_llm:m", keys, NOW)).toEqual({ reason: expect.stringContaining("cannot be used") });
  });

  it("the platform's key is used only for the models that the operator lists", () => {
    const settings = { ...bare, OPENAI_API_KEY: "platform", PLATFORM_MODELS: " gpt-6-luna , gpt-4o" };
    expect(chooseModel(settings, "gpt-6-luna", NONE, NOW)).toMatchObject({ api_key: "platform", thinks: true });
    expect(findModel(settings, "gpt-4o-mini", NONE, NOW)).toHaveProperty("reason");
    expect(findModel({ ...settings, PLATFORM_MODELS: "" }, "gpt-6-luna", NONE, NOW)).toHaveProperty("reason");
    const own = { ...NONE, openai: "own" };
    expect(chooseModel(settings, "gpt-4o-mini", own, NOW)).toMatchObject({ api_key: "own" });
  });

  it("follows OpenAI to the successor of gpt-4o on the day it is shut down", () => {
    const at = (now: number) => chooseModel(bare, "gpt-4o", { openai: "own", anthropic: null, custom_llm: null }, now);
    expect(at(Date.parse("2027-01-13T23:59:59.999Z"))).toMatchObject({ model: "gpt-4o", thinks: false });
    expect(at(Date.parse("2027-01-14T00:00:00Z"))).toMatchObject({ model: "gpt-6-luna", thinks: true });
  });
});

describe("an account's own keys", () => {
  async function keysOf(account: string) {
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const [rows] = await store.read(modelKeys(store));
    return { rows, keys: () => openKeys(new Vault(env.ENCRYPTION_KEYS), rows) };
  }

  it("only the keys of installed integrations are used", async () => {
    const { server, account } = await tenant();
    expect(await (await keysOf(account)).keys()).toEqual(NONE);
    const install = (name: string, secrets: object) => server.post(`/api/v1/integrations/${name}/install`, { secrets });
    expect((await install("openai", { api_key: " sk-own " })).status).toBe(200);
    expect((await install("anthropic", {})).status).toBe(200);
    await install("stripe", { secret_key: "sk-other" });
    const { rows, keys } = await keysOf(account);
    expect(rows).toHaveLength(2);
    expect(await keys()).toEqual({ openai: "sk-own", anthropic: null, custom_llm: null });
    await install("anthropic", { api_key: "sk-ant-own" });
    expect(await (await keysOf(account)).keys()).toEqual({
      openai: "sk-own",
      anthropic: "sk-ant-own",
      custom_llm: null,
    });
    await server.post("/api/v1/integrations/openai/uninstall");
    expect(await (await keysOf(account)).keys()).toEqual({ openai: null, anthropic: "sk-ant-own", custom_llm: null });
  });

  it("another account's keys are neither read nor decrypted", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.server.post("/api/v1/integrations/openai/install", { secrets: { api_key: "sk-one" } });
    expect(await (await keysOf(other.account)).keys()).toEqual(NONE);
    const { rows } = await keysOf(one.account);
    const stolen = rows.map((row) => ({ ...row, account: other.account }));
    await expect(openKeys(new Vault(env.ENCRYPTION_KEYS), stolen)).rejects.toThrow(VaultUnavailable);
  });
});
