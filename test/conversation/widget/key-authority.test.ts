import { beforeAll, describe, expect, it } from "vitest";
import { ROLES, type Role, type Scope } from "../../../src/kernel/scopes.ts";
import { apiKey, type Client, consoleUser, type Tenant } from "../../support/client.ts";
import { type CreatedKey, page, widgetTenant } from "../../support/widget.ts";

interface KeyView {
  id: string;
  created_by: string | null;
  agent_id: string | null;
  disabled_at: string | null;
  limits: Record<string, number | null>;
}

const PATH = "/api/v1/widget-keys";
const pathOf = ({ id }: { id: string }) => `${PATH}/${id}`;
const create = (client: Client, body: object = {}) => client.post<CreatedKey>(PATH, { name: "shop", ...body });
const listed = async (client: Client) => (await client.get<KeyView[]>(PATH)).body;
const viewed = async (client: Client, { id }: { id: string }) => (await listed(client)).find((key) => key.id === id);
const brief = ({ status, code }: { status: number; code: string | null }) => [status, code];

let who: Tenant & { agentId: string; widgetKey: CreatedKey };
beforeAll(async () => {
  who = await widgetTenant();
});

/** Every way to change, create, see or use a widget key, as this caller meets it. */
async function doors(client: Client) {
  const { body: key } = await create(who.server);
  const created = await create(client);
  const outcome = {
    list: (await client.get(PATH)).status,
    create: created.status,
    change: (await client.patch(pathOf(key), { domain_allowlist: ["https://evil.example"] })).status,
    delete: (await client.delete(pathOf(key))).status,
  };
  return outcome;
}
const MAY = { list: 200, create: 201, change: 204, delete: 204 };
const MAY_NOT = { list: 200, create: 403, change: 403, delete: 403 };

describe("widget keys", () => {
  it.each(ROLES)("are changed by the role %s if it builds, or manages", async (role: Role) => {
    const member = await consoleUser(who.account, role);
    expect(await doors(member)).toEqual(["viewer", "analyst"].includes(role) ? MAY_NOT : MAY);
    const reveal = await member.get(`${pathOf(who.widgetKey)}/key`);
    expect(reveal.status).toBe(["viewer", "analyst"].includes(role) ? 403 : 200);
  });

  it.each<[string, Scope[], object]>([
    ["read", ["read"], MAY_NOT],
    ["dial", ["dial"], MAY_NOT],
    ["runtime", ["runtime"], MAY_NOT],
    ["manage", ["manage"], MAY_NOT],
    ["build", ["build"], MAY],
  ])("are changed by an API key with the named scope %s only if that is build", async (_, scopes, expected) => {
    const { server } = await apiKey(who.user, { scopes });
    const got = await doors(server);
    // Reading takes `read`, which every scope but `runtime` implies; the list itself takes none.
    expect(got).toEqual(expected);
  });

  it("are changed by an API key whose scopes nobody named, as the specification says", async () => {
    const { server } = await apiKey(who.user, {});
    expect(await doors(server)).toEqual(MAY);
  });

  it.each<[Scope[] | undefined, number]>([
    [["read"], 403],
    [["build"], 403],
    [["dial", "listen"], 403],
    [["runtime"], 200],
    [["manage"], 200],
    [undefined, 200],
  ])("with the API key's scopes %j make a visitor token: %i", async (scopes, status) => {
    const { server } = await apiKey(who.user, scopes ? { scopes } : {});
    const body = { client_key: who.widgetKey.key, user_id: "anybody" };
    const answer = await server.post("/api/v1/widget/auth/user-token", body);
    expect(answer.status).toBe(status);
    if (status === 403) expect(brief(answer)).toEqual([403, "missing_scope"]);
  });

  it("say who created them", async () => {
    const { id, server } = await apiKey(who.user, { scopes: ["build"] });
    const { body } = await create(server);
    expect(await viewed(who.server, body)).toMatchObject({ created_by: id });
  });
});

describe("an API key that is limited to agents", () => {
  it("lists and uses the widget keys that lead to them, and makes and pins none", async () => {
    const own = await widgetTenant();
    const { body: other } = await own.server.post<{ id: string }>("/api/v1/agents", {
      name: "Bo",
      auth_mode: "public",
    });
    const { body: foreign } = await create(own.server, { agent_id: other.id });
    const { server } = await apiKey(own.user, { agent_ids: [own.agentId] });
    expect((await listed(server)).map(({ id }) => id)).toEqual([own.widgetKey.id]);
    const mint = (client_key: string) =>
      server.post<{ visitor_token: string }>("/api/v1/widget/auth/user-token", { client_key, user_id: "u" });
    const { status, body } = await mint(own.widgetKey.key);
    expect(status).toBe(200);
    expect(brief(await mint(foreign.key))).toEqual([400, "client_key_unknown"]);
    expect((await create(server, { agent_id: own.agentId })).status).toBe(403);
    expect((await server.patch(pathOf(own.widgetKey), { agent_id: own.agentId })).status).toBe(403);
    // A key that leads elsewhere by the time of the exchange lets nobody in there.
    expect((await own.server.patch(pathOf(own.widgetKey), { agent_id: other.id })).status).toBe(204);
    expect(brief(await page().exchange(body.visitor_token))).toEqual([400, "token_invalid"]);
  });
});

describe("a widget key's limit", () => {
  const limiting = (client: Client, key: { id: string }, limits: object) => client.patch(pathOf(key), { limits });
  const limitsOf = async (key: { id: string }) => (await viewed(who.server, key))?.limits;

  it.each<[object, string]>([
    [{ tokens_per_day: 5_000_001 }, "over its default"],
    [{ tokens_per_day: Number.MAX_SAFE_INTEGER }, "without bounds"],
    [{ turns_per_conversation: 61 }, "over its default"],
    [{ conversations_per_visitor_day: 21 }, "over its default"],
    [{ tokens_per_day: null }, "lifted"],
    [{ turns_per_conversation: 10, tokens_per_day: 5_000_001 }, "one of two over its default"],
  ])("is not set to %j (%s) without manage", async (limits) => {
    const { body: key } = await create(who.server);
    const { server } = await apiKey(who.user, { scopes: ["build"] });
    const before = await limitsOf(key);
    expect(brief(await limiting(server, key, limits))).toEqual([403, "missing_scope"]);
    expect(await limitsOf(key)).toEqual(before);
    expect((await limiting(who.server, key, limits)).status).toBe(204);
    // It can be written back now, lowered, and not raised further.
    expect((await limiting(server, key, (await limitsOf(key)) ?? {})).status).toBe(204);
    expect((await limiting(server, key, { tokens_per_day: 5_000_000 })).status).toBe(204);
  });

  it("that was lowered cannot be raised over its default by two requests at once", async () => {
    const { body: key } = await create(who.server);
    const { server } = await apiKey(who.user, { scopes: ["build"] });
    const tries = [6_000_000, 100, 7_000_000, 5_000_000, 8_000_000];
    const answers = await Promise.all(tries.map((tokens_per_day) => limiting(server, key, { tokens_per_day })));
    expect(answers.map(({ status }) => status)).toEqual([403, 204, 403, 204, 403]);
    expect((await limitsOf(key))?.tokens_per_day).toBeLessThanOrEqual(5_000_000);
  });
});

describe("an API key that ends", () => {
  it.each(["delete", "patch"] as const)(
    "takes the widget keys that it created with it if asked to: %s",
    async (verb) => {
      const own = await widgetTenant();
      const { id, server } = await apiKey(own.user, { scopes: ["build"] });
      const { body: made } = await create(server, { agent_id: own.agentId });
      const path = `/api/v1/api-keys/${id}`;
      expect(brief(await own.user.patch(`${path}?widget_keys=disable`, { name: "n" }))).toEqual([400, "not_disabled"]);
      const ended = await (verb === "delete"
        ? own.user.delete(`${path}?widget_keys=disable`)
        : own.user.patch(`${path}?widget_keys=disable`, { disabled: true }));
      expect(ended.status).toBe(204);
      expect((await viewed(own.server, made))?.disabled_at).not.toBeNull();
      expect((await viewed(own.server, own.widgetKey))?.disabled_at).toBeNull();
    },
  );

  it("keeps them otherwise, and so does one that the caller may not change", async () => {
    const own = await widgetTenant();
    const { id, server } = await apiKey(own.user, { scopes: ["build"] });
    const { body: made } = await create(server);
    await own.user.patch(`/api/v1/api-keys/${id}`, { disabled: true });
    expect((await viewed(own.server, made))?.disabled_at).toBeNull();
  });
});
