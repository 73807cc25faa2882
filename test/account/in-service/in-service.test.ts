import { describe, expect, it } from "vitest";
import type { InService } from "../../../src/kernel/http/in-service.ts";
import { apiKey, type Client, type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const PUBLIC = { status: "active", auth_mode: "public" };
const PAGE = ["https://shop.example"];

async function newAgent(server: Client, fields: object = PUBLIC): Promise<string> {
  return (await server.post<{ id: string }>("/api/v1/agents", { name: "Ada", ...fields })).body.id;
}

let last = 100;
async function newNumber(server: Client, fields: object = {}): Promise<string> {
  const e164 = `+12025550${last++}`;
  const sent = { e164, provider: "sandbox", inbound_enabled: true, outbound_enabled: true, ...fields };
  const { status, body } = await server.post<{ id: string }>("/api/v1/telephony/numbers", sent);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

async function newKey(server: Client, agent_id: string, domain_allowlist = PAGE): Promise<string> {
  const sent = { name: "page", agent_id, domain_allowlist };
  return (await server.post<{ id: string }>("/api/v1/widget-keys", sent)).body.id;
}

const serviceOf = async (server: Client, id: string) =>
  (await server.get<{ in_service: InService }>(`/api/v1/agents/${id}`)).body.in_service;
const reasonsOf = ({ phone, campaigns, widget }: InService) => [phone.reason, campaigns.reason, widget.reason];
const reasons = async (server: Client, id: string) => reasonsOf(await serviceOf(server, id));

describe("the service state of an agent", () => {
  it("an active agent with a number and a widget key is in service everywhere", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    await newNumber(server, { agent_id: id });
    await newKey(server, id);
    const ready = { ready: true, reason: null, message: null };
    expect(await serviceOf(server, id)).toEqual({ phone: ready, campaigns: ready, widget: ready });
  });

  it.each<[string, object, [string | null, string | null, string | null]]>([
    ["a draft answers visitors, places calls and takes none", { status: "draft" }, ["draft", null, null]],
    ["an archived agent is out of service everywhere", { status: "archived" }, ["archived", "archived", "archived"]],
    [
      "an active agent that was never published is out of service everywhere",
      { versioning: "manual" },
      ["not_published", "not_published", "not_published"],
    ],
    ["visitors have to be signed in", { auth_mode: "authenticated" }, [null, null, "sign_in_required"]],
  ])("the service state of an agent says that %s", async (_, fields, expected) => {
    const { server } = await tenant();
    const id = await newAgent(server, { ...PUBLIC, ...fields });
    await newNumber(server, { agent_id: id });
    await newKey(server, id);
    expect(await reasons(server, id)).toEqual(expected);
  });

  it("a new agent's service state is the same when it is created as when it is read", async () => {
    const { server } = await tenant();
    await newNumber(server);
    const sent = { name: "Ada", ...PUBLIC };
    const created = await server.post<{ id: string; in_service: InService }>("/api/v1/agents", sent);
    expect(reasonsOf(created.body.in_service)).toEqual(["no_number", null, "no_key"]);
    expect(created.body.in_service).toEqual(await serviceOf(server, created.body.id));
  });

  it("changes when the agent is published", async () => {
    const { server } = await tenant();
    const id = await newAgent(server, { ...PUBLIC, versioning: "manual", status: "draft" });
    await newNumber(server, { agent_id: id });
    await newKey(server, id);
    await server.post(`/api/v1/agents/${id}/publish`);
    expect(await reasons(server, id)).toEqual([null, null, null]);
  });

  it("requires a number that takes calls, one that places them, and an enabled key with a page", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    expect(await reasons(server, id)).toEqual(["no_number", "no_number", "no_key"]);
    await newNumber(server, { agent_id: id, inbound_enabled: false });
    expect(await reasons(server, id)).toEqual(["no_number", null, "no_key"]);
    await newKey(server, id, []);
    expect((await reasons(server, id))[2]).toBe("no_key");
    const key = await newKey(server, id);
    expect((await reasons(server, id))[2]).toBeNull();
    await server.patch(`/api/v1/widget-keys/${key}`, { disabled: true });
    expect((await reasons(server, id))[2]).toBe("no_key");
  });

  it("names a widget that is switched off", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    await newKey(server, id);
    await server.patch(`/api/v1/agents/${id}/widget-settings`, { widget_enabled: false });
    expect((await reasons(server, id))[2]).toBe("widget_disabled");
  });

  it("the response to a change shows the same service state of an agent as the list", async () => {
    const { server } = await tenant();
    const id = await newAgent(server, { ...PUBLIC, status: "draft" });
    await newNumber(server, { agent_id: id });
    const changed = await server.patch<{ in_service: InService }>(`/api/v1/agents/${id}`, { status: "active" });
    expect(reasonsOf(changed.body.in_service)).toEqual([null, null, "no_key"]);
    const [listed] = (await server.get<{ in_service: InService }[]>("/api/v1/agents")).body;
    expect(listed?.in_service).toEqual(changed.body.in_service);
  });
});

describe("the configured models and runtimes", () => {
  const twilio = async (owner: Tenant) => {
    const credentials = { account_sid: "AC1", auth_token: "t" };
    const made = await owner.server.post<{ id: string }>("/api/v1/telephony/providers", {
      provider: "twilio",
      credentials,
    });
    const id = await newAgent(owner.server);
    const number = await newNumber(owner.server, {
      agent_id: id,
      provider: "twilio",
      credentials_id: made.body.id,
    });
    return { id, number };
  };
  const at = async (owner: Tenant, path: string, vars: Partial<Env> = {}) =>
    (await countRoundTrips(path, owner.server.headers, { env: { ...vars } })).body as { in_service: InService };

  it("name a model for which no key is configured", async () => {
    const owner = await tenant();
    const { id } = await twilio(owner);
    const { in_service } = await at(owner, `/api/v1/agents/${id}`);
    expect(reasonsOf(in_service)).toEqual(["no_model", "no_model", "no_key"]);
    expect(in_service.phone.message).toContain("gpt-4o");
  });

  it("judge by the model of the version in force", async () => {
    const owner = await tenant();
    const { id } = await twilio(owner);
    const { server, user } = owner;
    const openai = (
      await user.get<{ integrations: { id: string; name: string }[] }>("/api/v1/integrations")
    ).body.integrations.find(({ name }) => name === "openai");
    await user.post(`/api/v1/integrations/${openai?.id}/install`, { secrets: { api_key: "sk-1" } });
    expect((await reasons(server, id))[0]).toBeNull();
    await server.patch(`/api/v1/agents/${id}`, { versioning: "manual" });
    await server.post(`/api/v1/agents/${id}/publish`);
    await server.patch(`/api/v1/agents/${id}`, { llm_model: "claude-3-5-sonnet" });
    expect((await reasons(server, id))[0]).toBeNull();
    await server.post(`/api/v1/agents/${id}/publish`);
    expect((await reasons(server, id))[0]).toBe("no_model");
  });

  it("find the model of the fallback that the account has a key for", async () => {
    const owner = await tenant();
    const { id } = await twilio(owner);
    await owner.user.post("/api/v1/integrations/openai/install", { secrets: { api_key: "sk-1" } });
    const models = { llm_model: "claude-3-5-sonnet", fallback_model: "gpt-4o" };
    await owner.server.patch(`/api/v1/agents/${id}`, models);
    expect((await reasons(owner.server, id))[0]).toBeNull();
    await owner.server.patch(`/api/v1/agents/${id}`, { versioning: "manual" });
    await owner.server.post(`/api/v1/agents/${id}/publish`);
    await owner.server.patch(`/api/v1/agents/${id}`, { fallback_model: null });
    expect((await reasons(owner.server, id))[0]).toBeNull();
  });

  it("name an address that a carrier cannot reach", async () => {
    const owner = await tenant();
    const { id } = await twilio(owner);
    const { in_service } = await at(owner, `/api/v1/agents/${id}`, { PUBLIC_URL: "http://localhost:8787" });
    expect(in_service.phone.reason).toBe("no_runtime");
  });

  it("are read even if the service does not know its address", async () => {
    const owner = await tenant();
    const id = await newAgent(owner.server);
    await newNumber(owner.server, { agent_id: id });
    const { in_service } = await at(owner, `/api/v1/agents/${id}`, { PUBLIC_URL: "" });
    expect(in_service.phone.reason).toBe("no_runtime");
  });

  it("judge a number by its own carrier", async () => {
    const owner = await tenant();
    const { id, number } = await twilio(owner);
    const sandbox = await newNumber(owner.server, { agent_id: id });
    expect((await reasons(owner.server, id))[0]).toBeNull();
    const ofNumber = async (one: string) =>
      (await owner.server.get<{ in_service: InService }>(`/api/v1/telephony/numbers/${one}`)).body.in_service;
    expect((await ofNumber(number)).phone.reason).toBe("no_model");
    expect((await ofNumber(sandbox)).phone.reason).toBeNull();
  });
});

describe("numbers and widget keys", () => {
  it("carry where their agent is in service", async () => {
    const { server } = await tenant();
    const id = await newAgent(server, { ...PUBLIC, status: "draft" });
    await newNumber(server, { agent_id: id });
    await newKey(server, id);
    const { numbers } = (await server.get<{ numbers: { in_service: InService }[] }>("/api/v1/telephony/numbers")).body;
    expect(numbers.map((one) => one.in_service.phone.reason)).toEqual(["draft"]);
    const keys = (await server.get<{ in_service: InService }[]>("/api/v1/widget-keys")).body;
    expect(keys.map((one) => one.in_service.widget.ready)).toEqual([true]);
  });

  it("carry null without an agent", async () => {
    const { server } = await tenant();
    await newNumber(server);
    await server.post("/api/v1/widget-keys", { name: "page" });
    const { numbers } = (await server.get<{ numbers: { in_service: unknown }[] }>("/api/v1/telephony/numbers")).body;
    const keys = (await server.get<{ in_service: unknown }[]>("/api/v1/widget-keys")).body;
    expect([...numbers, ...keys].map(({ in_service }) => in_service)).toEqual([null, null]);
  });

  it("report that a disabled widget key does not reach its agent", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    const disabled = await newKey(server, id);
    await newKey(server, id);
    await server.patch(`/api/v1/widget-keys/${disabled}`, { disabled: true });
    const keys = (await server.get<{ id: string; in_service: InService }[]>("/api/v1/widget-keys")).body;
    expect(keys.find((one) => one.id === disabled)?.in_service.widget.reason).toBe("no_key");
    expect(keys.find((one) => one.id !== disabled)?.in_service.widget.ready).toBe(true);
  });
});

describe("the service state of listed agents", () => {
  it("service is judged by the account's own numbers and keys alone", async () => {
    const [one, other] = [await tenant(), await tenant()];
    const id = await newAgent(one.server);
    const foreign = await newAgent(other.server);
    await newNumber(other.server, { agent_id: foreign });
    await newKey(other.server, foreign);
    expect(await reasons(one.server, id)).toEqual(["no_number", "no_number", "no_key"]);
  });

  it("an API key limited to the agent sees where it is in service", async () => {
    const { user, server } = await tenant();
    const id = await newAgent(server);
    await newNumber(server, { agent_id: id });
    const limited = await apiKey(user, { scopes: ["read"], agent_ids: [id] });
    expect((await reasons(limited.server, id))[0]).toBeNull();
  });

  it("adds no round trip to lists", async () => {
    const { user, server } = await tenant();
    const ids = await Promise.all(Array.from({ length: 4 }, () => newAgent(server)));
    for (const id of ids) await newNumber(server, { agent_id: id });
    for (const path of ["/api/v1/agents", "/api/v1/telephony/numbers", "/api/v1/widget-keys"]) {
      await user.patch("/api/v1/widget-settings", { logo_url: "" });
      expect(await countRoundTrips(path, user.headers), path).toMatchObject({ status: 200, d1: 1, objects: 1 });
    }
  });
});
