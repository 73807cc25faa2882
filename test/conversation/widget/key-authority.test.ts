import { describe, expect, it } from "vitest";
import { ROLES, type Role, SCOPES, type Scope } from "../../../src/kernel/scopes.ts";
import { apiKey, type Client, consoleUser, type Tenant, tenant } from "../../support/client.ts";
import { type CreatedKey, page, SHOP, widgetTenant } from "../../support/widget.ts";

const DEFAULTS = { turns_per_conversation: 60, conversations_per_visitor_day: 20, tokens_per_day: 5_000_000 };

interface Listed extends CreatedKey {
  created_by: string | null;
  disabled_at: string | null;
  limits: Record<string, number | null>;
}

const listed = async (client: Client) => (await client.get<Listed[]>("/api/v1/widget-keys")).body;
const keyOf = async ({ user }: Pick<Tenant, "user">, id: string) => (await listed(user)).find((key) => key.id === id);
const outcome = ({ status, code }: { status: number; code: string | null }) => [status, code];
const MISSING = [403, "missing_scope"];

/** Creates, changes, reveals, deletes and lists widget keys; returns the statuses. */
async function tryAll(who: Tenant, caller: Client) {
  const { body: own } = await who.user.post<CreatedKey>("/api/v1/widget-keys", { name: "of the owner" });
  const at = `/api/v1/widget-keys/${own.id}`;
  return {
    list: (await caller.get("/api/v1/widget-keys")).status,
    create: (await caller.post("/api/v1/widget-keys", { name: "mine" })).status,
    update: (await caller.patch(at, { domain_allowlist: ["https://evil.example"] })).status,
    reveal: (await caller.get(`${at}/key`)).status,
    delete: (await caller.delete(at)).status,
  };
}

describe("widget keys", () => {
  const MAY: Record<Role, boolean> = {
    owner: true,
    admin: true,
    builder: true,
    operator: true,
    analyst: false,
    viewer: false,
  };

  it.each(ROLES)("every role but viewer and analyst may change widget keys: %s", async (role) => {
    const who = await tenant();
    const answers = await tryAll(who, await consoleUser(who.account, role));
    const open = { list: 200, create: 201, update: 204, reveal: 200, delete: 204 };
    const shut = { list: 200, create: 403, update: 403, reveal: 403, delete: 403 };
    expect(answers).toEqual(MAY[role] ? open : shut);
  });

  it.each(SCOPES)("a key with named scopes may change widget keys only if build is among them: %s", async (scope) => {
    const who = await tenant();
    const { server } = await apiKey(who.user, { scopes: [scope] });
    const may = scope === "build";
    const [create, done] = may ? [201, 204] : [403, 403];
    expect(await tryAll(who, server)).toEqual({ list: 200, create, update: done, reveal: 403, delete: done });
  });

  it("an API key without named scopes may change widget keys", async () => {
    const who = await tenant();
    const { server } = await apiKey(who.user, {});
    expect(await tryAll(who, server)).toEqual({ list: 200, create: 201, update: 204, reveal: 403, delete: 204 });
  });

  it("show who created them", async () => {
    const who = await tenant();
    const { server, id } = await apiKey(who.user, {});
    const { body } = await server.post<Listed>("/api/v1/widget-keys", { name: "made by a key" });
    expect(body.created_by).toBe(id);
    expect((await keyOf(who, body.id))?.created_by).toBe(id);
  });
});

describe("a visitor token", () => {
  it.each(SCOPES)("a key with named scopes gets a visitor token only with runtime or manage: %s", async (scope) => {
    const { user, widgetKey } = await widgetTenant();
    const { server } = await apiKey(user, { scopes: [scope] });
    const body = { client_key: widgetKey.key, user_id: "customer-1" };
    const answer = await server.post("/api/v1/widget/auth/user-token", body);
    const may: Scope[] = ["runtime", "manage"];
    expect(outcome(answer)).toEqual(may.includes(scope) ? [200, null] : MISSING);
    if (!may.includes(scope))
      expect(answer.body).toBe("this requires the scope runtime or manage, which this API key does not have");
  });
});

describe("an API key limited to agents", () => {
  async function limited() {
    const who = await widgetTenant();
    const other = (await who.user.post<{ id: string }>("/api/v1/agents", { name: "other" })).body.id;
    const make = async (agent_id: string | null) =>
      (await who.user.post<CreatedKey>("/api/v1/widget-keys", { name: "k", agent_id, domain_allowlist: [SHOP] })).body;
    const [foreign, unpinned] = [await make(other), await make(null)];
    const { server } = await apiKey(who.user, { agent_ids: [who.agentId] });
    return { who, other, foreign, unpinned, server };
  }

  it("lists the widget keys pinned to its agents", async () => {
    const { server, who } = await limited();
    expect((await listed(server)).map(({ id }) => id)).toEqual([who.widgetKey.id]);
  });

  it("signs visitors in by a widget key pinned to its agents", async () => {
    const { server, who, foreign, unpinned } = await limited();
    const mint = (client_key: string) =>
      server.post<{ visitor_token: string }>("/api/v1/widget/auth/user-token", { client_key, user_id: "u" });
    const { body } = await mint(who.widgetKey.key);
    expect((await page().exchange(body.visitor_token)).status).toBe(200);
    for (const { key } of [foreign, unpinned]) expect(outcome(await mint(key))).toEqual([403, "agent_not_allowed"]);
    expect(outcome(await mint("pk_live_nobody"))).toEqual([400, "client_key_unknown"]);
  });

  it("cannot create a widget key", async () => {
    const { server, who } = await limited();
    const answer = await server.post("/api/v1/widget-keys", { name: "n", agent_id: who.agentId });
    expect(outcome(answer)).toEqual([403, "agent_not_allowed"]);
  });

  it("changes a widget key pinned to its agents, but not its pin", async () => {
    const { server, who, other, foreign } = await limited();
    const at = `/api/v1/widget-keys/${who.widgetKey.id}`;
    expect((await server.patch(at, { name: "n", agent_id: who.agentId })).status).toBe(204);
    for (const agent_id of [other, null])
      expect(outcome(await server.patch(at, { agent_id }))).toEqual([403, "agent_not_allowed"]);
    for (const verb of ["PATCH", "DELETE"]) {
      const answer = await server.send(verb, `/api/v1/widget-keys/${foreign.id}`, verb === "PATCH" ? "{}" : undefined, {
        "content-type": "application/json",
      });
      expect(answer.status).toBe(404);
    }
    expect((await server.delete(at)).status).toBe(204);
  });
});

describe("a widget key's limits", () => {
  async function members() {
    const who = await widgetTenant();
    const builder = await consoleUser(who.account, "builder");
    const at = `/api/v1/widget-keys/${who.widgetKey.id}`;
    const set = (client: Client, limits: Partial<Record<keyof typeof DEFAULTS, number | null>>) =>
      client.patch(at, { limits });
    const limits = async () => (await keyOf(who, who.widgetKey.id))?.limits;
    return { who, builder, set, limits };
  }

  it("raising a widget key's limits over default and present value requires manage", async () => {
    const { who, builder, set, limits } = await members();
    const { server } = await apiKey(who.user, {});
    for (const tokens_per_day of [Number.MAX_SAFE_INTEGER, 5_000_001, null])
      for (const client of [builder, server]) expect(outcome(await set(client, { tokens_per_day }))).toEqual(MISSING);
    expect(outcome(await set(builder, { turns_per_conversation: 30, tokens_per_day: 6_000_000 }))).toEqual(MISSING);
    expect(await limits()).toEqual(DEFAULTS);
    expect((await set(who.user, { tokens_per_day: 9_000_000 })).status).toBe(204);
  });

  it("a widget key's limits can be lowered, or raised to the default or present value, without manage", async () => {
    const { who, builder, set, limits } = await members();
    await set(who.user, { tokens_per_day: 9_000_000, turns_per_conversation: null });
    for (const tokens_per_day of [9_000_000, 8_000_000, 1, 5_000_000])
      expect((await set(builder, { tokens_per_day })).status).toBe(204);
    expect(outcome(await set(builder, { tokens_per_day: 8_000_000 }))).toEqual(MISSING);
    expect((await set(builder, { turns_per_conversation: null })).status).toBe(204);
    expect((await set(builder, { turns_per_conversation: 9_999 })).status).toBe(204);
    expect(outcome(await set(builder, { turns_per_conversation: null }))).toEqual(MISSING);
    expect(await limits()).toEqual({ ...DEFAULTS, turns_per_conversation: 9_999 });
  });

  it("a change of a widget key's limits is judged by the row that the write finds", async () => {
    const { who, builder, set, limits } = await members();
    for (let round = 0; round < 5; round++) {
      await set(who.user, { tokens_per_day: 10_000_000 });
      // Whichever change comes first, 8,000,000 exceeds what the other one leaves.
      const [, answer] = await Promise.all([
        set(who.user, { tokens_per_day: 6_000_000 }),
        set(builder, { tokens_per_day: 8_000_000 }),
      ]);
      expect([204, 403]).toContain(answer.status);
      expect((await limits())?.tokens_per_day).toBe(6_000_000);
    }
  });

  it("can exceed the defaults of a new key only with manage", async () => {
    const { who, builder } = await members();
    const create = (client: Client, limits: object) =>
      client.post<Listed>("/api/v1/widget-keys", { name: "n", limits });
    for (const limits of [{ tokens_per_day: 5_000_001 }, { turns_per_conversation: null }])
      expect(outcome(await create(builder, limits))).toEqual(MISSING);
    expect((await create(builder, { tokens_per_day: 10 })).body.limits).toEqual({ ...DEFAULTS, tokens_per_day: 10 });
    expect((await create(who.user, { tokens_per_day: null })).body.limits).toEqual({
      ...DEFAULTS,
      tokens_per_day: null,
    });
  });
});
