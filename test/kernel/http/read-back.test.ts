import { beforeAll, describe, expect, it } from "vitest";
import { apiKey, operator, type Tenant, tenant } from "../../support/client.ts";
import type { Json } from "./reference.ts";

/* Clients send back what they read. A changed value is an instruction; an unchanged one is not. */

let who: Tenant;
beforeAll(async () => {
  who = await tenant();
});

const newAgent = async (fields: Json = {}) =>
  (await who.server.post<{ id: string }>("/api/v1/agents", { name: "a", ...fields })).body.id;
const actions = async () => {
  type Log = { entries: { action: string; changes: Json | null }[] };
  return (await who.user.get<Log>("/api/v1/audit-log?limit=100")).body.entries;
};

describe("the visitors allowed by an agent", () => {
  const read = async (id: string) => (await who.server.get<Json>(`/api/v1/agents/${id}/widget-settings`)).body;
  const agentMode = async (id: string) => (await who.server.get<Json>(`/api/v1/agents/${id}`)).body.auth_mode;

  it.each(["public", "authenticated"])(
    "the auth_mode stays as it is when another setting of an agent that is %s is changed",
    async (auth_mode) => {
      const id = await newAgent({ auth_mode });
      const before = await read(id);
      const sent = { ...before, widget_enabled: false };
      const answer = await who.server.patch(`/api/v1/agents/${id}/widget-settings`, sent);
      expect([answer.status, answer.body]).toEqual([200, sent]);
      expect([await read(id), await agentMode(id)]).toEqual([sent, auth_mode]);
    },
  );

  it("change with `who`, even if the previous mode is sent back too", async () => {
    const id = await newAgent();
    const path = `/api/v1/agents/${id}/widget-settings`;
    const opened = await who.server.patch(path, { ...(await read(id)), who: "anyone" });
    expect(opened.body).toMatchObject({ who: "anyone", auth_mode: "both" });
    expect(await agentMode(id)).toBe("public");
    const closed = await who.server.patch(path, { who: "signed_in" });
    expect(closed.body).toMatchObject({ who: "signed_in", auth_mode: "authenticated" });
    expect(await agentMode(id)).toBe("authenticated");
  });

  it("allowed visitors that change together with a contradicting mode are refused", async () => {
    const id = await newAgent({ auth_mode: "public" });
    const sent = { ...(await read(id)), who: "signed_in" };
    const answer = await who.server.patch(`/api/v1/agents/${id}/widget-settings`, sent);
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
  });
});

describe("the scopes of an API key", () => {
  const read = async (id: string) =>
    (await who.user.get<(Json & { id: string })[]>("/api/v1/api-keys")).body.find((key) => key.id === id) as Json;

  it("scopes that are sent back unchanged do not count as chosen", async () => {
    const { id } = await apiKey(who.user, {});
    const key = await read(id);
    expect(key.scopes_named).toBe(false);
    expect((await who.user.patch(`/api/v1/api-keys/${id}`, key)).status).toBe(204);
    expect((await who.user.patch(`/api/v1/api-keys/${id}`, { ...key, name: "other" })).status).toBe(204);
    expect(await read(id)).toEqual({ ...key, name: "other" });
    const [entry] = await actions();
    expect(entry).toMatchObject({ action: "update", changes: { name: null } });
  });

  it("scopes are chosen by `scopes_named` or by a difference", async () => {
    const [one, other] = [await apiKey(who.user, {}), await apiKey(who.user, {})];
    await who.user.patch(`/api/v1/api-keys/${one.id}`, { scopes_named: true });
    await who.user.patch(`/api/v1/api-keys/${other.id}`, { ...(await read(other.id)), scopes: ["read"] });
    expect([(await read(one.id)).scopes_named, (await read(other.id)).scopes_named]).toEqual([true, true]);
    const back = await who.user.patch(`/api/v1/api-keys/${one.id}`, { scopes_named: false });
    expect([back.status, back.code]).toEqual([400, "invalid_request"]);
    expect((await read(one.id)).scopes_named).toBe(true);
  });
});

describe("a default that is sent back", () => {
  it("remains the plan's, for caps and quotas", async () => {
    const operators = await operator();
    const path = `/api/admin/v1/accounts/${who.account}`;
    const { days: _, ...account } = (await operators.get<Json & { caps: Json; quotas: Json }>(path)).body;
    const changed = { ...account, quotas: { ...account.quotas, agents: 7 } };
    const { body } = await operators.patch<Json>(path, changed);
    expect(body).toMatchObject({ caps_overrides: {}, quotas_overrides: { agents: 7 } });
    await operators.patch(path, { plan: "starter" });
    const { caps } = (await operators.get<Json>(path)).body;
    expect(caps).toMatchObject({ concurrent_calls: 5 });
    await operators.patch(path, { plan: "scale", quotas: { agents: null } });
  });

  it("remains a default, for limits of a widget key", async () => {
    type Key = { id: string; limits: Json };
    const { id } = (await who.server.post<Key>("/api/v1/widget-keys", { name: "k" })).body;
    const listed = (await who.server.get<Key[]>("/api/v1/widget-keys")).body.find((key) => key.id === id);
    const before = (await actions()).length;
    expect((await who.server.patch(`/api/v1/widget-keys/${id}`, listed)).status).toBe(204);
    expect((await actions()).length).toBe(before);
    await who.server.patch(`/api/v1/widget-keys/${id}`, {
      ...listed,
      limits: { ...listed?.limits, turns_per_conversation: 5 },
    });
    const after = (await who.server.get<Key[]>("/api/v1/widget-keys")).body.find((key) => key.id === id);
    expect(after?.limits).toEqual({ ...listed?.limits, turns_per_conversation: 5 });
    expect((await actions())[0]).toMatchObject({ action: "update", changes: { limits: null } });
  });

  it("remains a price of the vendor's list", async () => {
    type Prices = { prices: { what: string; source: string | null; unit_micros: number | null }[] };
    const { body } = await who.server.get<Prices>("/api/v1/prices");
    const prices = body.prices.map((price, n) => (n === 0 ? { ...price, unit_micros: 1 } : price));
    const answer = await who.server.patch<Prices>("/api/v1/prices", { prices });
    expect(answer.body.prices.filter(({ source }) => source === "account")).toHaveLength(1);
    expect((await actions())[0]?.changes).toEqual({ [prices[0]?.what ?? ""]: null });
  });

  it("remains derived, for the effect of a tool and the text of a playbook", async () => {
    const { body: tool } = await who.server.post<Json>("/api/v1/tools", { name: "t", implementation_type: "http" });
    const config = { method: "POST", url: "https://api.vendor.example/x" };
    const { body } = await who.server.put<Json>("/api/v1/tools/t", { ...tool, implementation_config: config });
    expect([tool.effect, body.effect]).toEqual(["read", "write"]);
    const { body: playbook } = await who.server.post<Json>("/api/v1/playbooks", { name: "p", description: "One." });
    const changed = await who.server.put<Json>("/api/v1/playbooks/p", { ...playbook, description: "Two." });
    expect(changed.body.content).toContain("Two.");
  });
});

describe("a hidden value", () => {
  it("a hidden value that is sent back as null is not changed", async () => {
    const id = await newAgent();
    const test = { name: "Books", steps: [{ says: "Friday?" }], expect: [{ said: "friday" }] };
    const made = (await who.server.post<{ id: string }>(`/api/v1/agents/${id}/tests`, test)).body;
    const path = `/api/v1/agents/${id}/tests/${made.id}`;
    const { server } = await apiKey(who.user, { scopes: ["build"] });
    const seen = (await server.get<Json>(path)).body;
    expect(seen).toMatchObject({ steps: null, expect: null });
    const answer = await server.patch(path, { ...seen, name: "Books Friday" });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect((await who.server.get<Json>(path)).body).toMatchObject({ name: "Books Friday", steps: test.steps });
  });
});

describe("a request that changes nothing", () => {
  it("a request that changes nothing is still refused under an outdated If-Match", async () => {
    const id = await newAgent();
    const path = `/api/v1/agents/${id}`;
    const { body, headers } = await who.server.get<Json>(path);
    await who.server.patch(path, { name: "b" });
    const sent = JSON.stringify({ ...body, name: "b" });
    const type = { "content-type": "application/json" };
    const old = await who.server.send("PATCH", path, sent, { ...type, "if-match": headers.get("etag") ?? "" });
    expect([old.status, old.code]).toEqual([412, "changed_meanwhile"]);
    const present = (await who.server.get(path)).headers.get("etag") ?? "";
    const same = await who.server.send("PATCH", path, sent, { ...type, "if-match": present });
    expect([same.status, same.headers.get("etag")]).toEqual([200, present]);
  });

  it("a running or finished campaign accepts a request that changes nothing", async () => {
    const file = new File(["phone_number\n+13035550110\n"], "contacts.csv", { type: "text/csv" });
    const form = new FormData();
    form.set("contacts", file);
    const { id } = (await who.server.send<{ id: string }>("POST", "/api/v1/campaigns", form)).body;
    const path = `/api/v1/campaigns/${id}`;
    await who.server.post(`${path}/stop`);
    const { body } = await who.server.get<Json>(path);
    expect((await who.server.patch(path, body)).status).toBe(200);
    expect((await who.server.patch(path, { ...body, name: "other" })).code).toBe("wrong_state");
  });
});
