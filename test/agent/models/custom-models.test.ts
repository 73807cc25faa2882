import { describe, expect, it } from "vitest";
import { type Answer, apiKey, type Client, tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "../versions/support.ts";

const INSTALL = "/api/v1/integrations/custom_llm/install";
const HOME = "https://models.acme.example/v1";
const install = (client: Client, params: object = {}, secrets: object = { api_key: "k" }) =>
  client.post(INSTALL, { params: { base_url: HOME, models: "llama3.3, qwen3:8b", ...params }, secrets });
const create = (client: Client, fields: object) => client.post("/api/v1/agents", { name: "Reception", ...fields });
const said = ({ status, body }: Answer) => [status, JSON.stringify(body)];
const refusal = (words: string) => [400, expect.stringContaining(words)];

/** Creates an account with a model server of its own. */
async function serving() {
  const who = await tenant();
  expect((await install(who.server)).status).toBe(200);
  return who;
}

describe("a model of the account's own server", () => {
  it.each([
    [{ llm_model: "custom_llm:llama3.3" }],
    [{ fallback_model: "custom_llm:qwen3:8b" }],
    [{ analysis: { model: "custom_llm:llama3.3" } }],
  ])("a model of the account's own server can be named as %j", async (fields) => {
    const { server } = await serving();
    const { status, body } = await create(server, fields);
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
  });

  it.each([
    ["custom_llm:", "must name a model of your server after custom_llm:"],
    ["custom_llm:a b", "without spaces and commas"],
    ["custom_llm:a,b", "without spaces and commas"],
    ["gpt-9", "is not the name of a model"],
    ["", "is not the name of a model"],
  ])("a model of the account's own server is refused as %j", async (name, message) => {
    const { server } = await serving();
    for (const field of ["llm_model", "fallback_model"]) {
      const answer = await create(server, { [field]: name });
      expect(said(answer)).toEqual(refusal(message));
      expect(said(answer)).toEqual(refusal(field));
    }
    expect(said(await create(server, { analysis: { model: name } }))).toEqual(refusal("analysis.model"));
  });

  it("a model of the account's own server is refused with the missing values until the integration is installed", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    for (const ask of [
      create(server, { llm_model: "custom_llm:m" }),
      server.patch(agentPath(id), { llm_model: "custom_llm:m" }),
    ]) {
      const answer = await ask;
      expect(answer.code).toBe("model_unavailable");
      expect(said(answer)).toEqual(refusal("the integration custom_llm"));
    }
  });

  it("a model of the account's own server is refused if the integration does not list it", async () => {
    const { server } = await serving();
    const answer = await create(server, { llm_model: "custom_llm:other" });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("does not list other")]);
  });

  it("stays with an agent that names it after the integration is uninstalled", async () => {
    const { server } = await serving();
    const id = await newAgent(server, { llm_model: "custom_llm:llama3.3" });
    await server.post("/api/v1/integrations/custom_llm/uninstall");
    const same = await server.patch(agentPath(id), { llm_model: "custom_llm:llama3.3", description: "later" });
    expect(same.status).toBe(200);
    expect((await server.patch(agentPath(id), { fallback_model: "custom_llm:qwen3:8b" })).status).toBe(400);
  });

  it.each(["connect", "listen"] as const)(
    "a model of the account's own server is refused to a key without %s",
    async (missing) => {
      const { user, server } = await serving();
      const scopes = (["read", "build", "connect", "listen"] as const).filter((scope) => scope !== missing);
      const { server: client } = await apiKey(user, { scopes });
      const id = await newAgent(server);
      for (const fields of [
        { llm_model: "custom_llm:llama3.3" },
        { fallback_model: "custom_llm:llama3.3" },
        { analysis: { model: "custom_llm:llama3.3" } },
      ]) {
        const answers = [await create(client, fields), await client.patch(agentPath(id), fields)];
        expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [403, "missing_scope"]));
      }
    },
  );
});

describe("a vendor's model beyond the specification's", () => {
  it("a vendor's unlisted model is refused until the account or the operator has a key of that vendor", async () => {
    const { server } = await tenant();
    const refused = await create(server, { llm_model: "claude-sonnet-5" });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("the integration anthropic"),
    ]);
    await server.post("/api/v1/integrations/anthropic/install", { secrets: { api_key: "sk-ant" } });
    expect((await create(server, { llm_model: "claude-sonnet-5", fallback_model: "gpt-4o" })).status).toBe(201);
  });
});

describe("the integration custom_llm", () => {
  it("requires connect and listen to be installed and to have its address changed", async () => {
    const { user } = await tenant();
    const { server: connector } = await apiKey(user, { scopes: ["connect"] });
    const { server: listener } = await apiKey(user, { scopes: ["connect", "listen"] });
    const { status, body } = await install(connector);
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining("the scope listen")]);
    expect((await install(listener)).status).toBe(200);
    expect((await install(connector, { base_url: `${HOME}/other` })).status).toBe(403);
    expect((await install(connector, { base_url: HOME }, {})).status).toBe(200);
  });

  it("drops its key when its address changes, within the same host too", async () => {
    const { server } = await serving();
    const { status, body } = await install(server, { base_url: `${HOME}/other` }, {});
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ secret_names: [], ready: false, missing: ["api_key"] }),
    ]);
    expect((await create(server, { llm_model: "custom_llm:llama3.3" })).status).toBe(400);
  });

  it.each(["http://models.acme.example/v1", "https://10.0.0.1/v1", "https://localhost/v1", "https://u:p@a.example/v1"])(
    "the integration custom_llm refuses the address %s",
    async (base_url) => {
      const { server } = await tenant();
      const { status, code } = await install(server, { base_url });
      expect([status, code]).toEqual([400, "invalid_host"]);
    },
  );
});
