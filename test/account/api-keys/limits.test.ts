import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { apiKey, call, consoleUser, tenant } from "../../support/client.ts";

const KEYS = "/api/v1/api-keys";
interface Key {
  id: string;
  scopes: string[];
  agent_ids: string[] | null;
  allowed_addresses: string[] | null;
}

describe("the limits of an API key", () => {
  it("the limits of an API key are all scopes except manage by default, and named ones that act on rows include read", async () => {
    const { user } = await tenant();
    const { scopes, agent_ids, allowed_addresses } = (await user.post<Key>(KEYS, { name: "k" })).body;
    expect(scopes).toEqual(["read", "listen", "build", "connect", "dial", "runtime"]);
    expect([agent_ids, allowed_addresses]).toEqual([null, null]);
    expect((await user.post<Key>(KEYS, { name: "k", scopes: ["dial"] })).body.scopes).toEqual(["read", "dial"]);
    expect((await user.post<Key>(KEYS, { name: "k", scopes: ["runtime"] })).body.scopes).toEqual(["runtime"]);
  });

  it("apply to scopes, agents and addresses from the next request on", async () => {
    const { user } = await tenant();
    const { id, server } = await apiKey(user, { scopes: ["build"] });
    const agent = (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body.id;
    const limits = { scopes: ["read"], agent_ids: [agent], allowed_addresses: ["203.0.113.9/24"] };
    expect((await server.post("/api/v1/faqs", { name: "one" })).status).toBe(201);
    expect((await user.patch(`${KEYS}/${id}`, { scopes: ["read"] })).status).toBe(204);
    expect((await server.post("/api/v1/faqs", { name: "two" })).code).toBe("missing_scope");
    expect((await user.patch(`${KEYS}/${id}`, limits)).status).toBe(204);
    const [shown] = (await user.get<Key[]>(KEYS)).body;
    expect(shown).toMatchObject({ scopes: ["read"], agent_ids: [agent], allowed_addresses: ["203.0.113.0/24"] });
    const at = (address: string) => server.get("/api/v1/agents", { "cf-connecting-ip": address });
    expect((await at("203.0.113.77")).status).toBe(200);
    expect((await at("203.0.114.1")).code).toBe("address_not_allowed");
    expect((await user.patch(`${KEYS}/${id}`, { allowed_addresses: null })).status).toBe(204);
    expect((await at("203.0.114.1")).status).toBe(200);
  });
});

describe("the limits of an API key", () => {
  it("cannot be empty or unknown scopes or agents, or invalid addresses", async () => {
    const { user, key } = await tenant();
    const wrong = [
      { scopes: [] },
      { scopes: ["all"] },
      { agent_ids: [] },
      { agent_ids: ["019aa5c4-0000-7000-8000-000000000000"] },
      { allowed_addresses: [] },
      { allowed_addresses: ["example.com"] },
    ];
    for (const limits of wrong) {
      const created = await user.post(KEYS, Object.assign({ name: "k" }, limits));
      expect.soft([limits, created.status]).toEqual([limits, 400]);
      const changed = await user.patch(`${KEYS}/${key.id}`, limits);
      expect.soft([limits, changed.status]).toEqual([limits, 400]);
    }
  });
});

describe("the limits of an API key", () => {
  it.each([
    ["POST", "", { name: "mine" }],
    ["PATCH", "/id", { scopes: ["read"] }],
    ["PATCH", "/id", {}],
    ["DELETE", "/id", undefined],
  ])(
    "an API key's limits are judged by the role that the caller has when it is written: %s %s",
    async (method, path, body) => {
      const { account, user, key } = await tenant();
      const admin = await consoleUser(account, "admin");
      expect((await admin.get(KEYS)).status).toBe(200);
      // As if the role were revoked after the request was admitted: the gate does not know about the change.
      await env.DB.prepare("UPDATE users SET role = 'viewer' WHERE account = ? AND role = 'admin'").bind(account).run();
      const answer = await call(method, KEYS + path.replace("id", key.id), { headers: admin.headers, body });
      expect([answer.status, answer.code]).toEqual([403, "exceeds_own"]);
      const [only, ...others] = (await user.get<Key[]>(KEYS)).body;
      expect([only?.scopes.includes("manage"), others]).toEqual([true, []]);
    },
  );

  it("cannot be changed by a key, whatever its scopes", async () => {
    const { server, key } = await tenant();
    expect((await server.post(KEYS, { name: "k" })).code).toBe("console_required");
    expect((await server.patch(`${KEYS}/${key.id}`, { scopes: ["read"] })).code).toBe("console_required");
    expect((await server.delete(`${KEYS}/${key.id}`)).code).toBe("console_required");
  });

  it("only members with the scope manage may change an API key's limits, which everyone sees", async () => {
    const { account, key } = await tenant();
    for (const role of ["builder", "operator", "analyst", "viewer"] as const) {
      const member = await consoleUser(account, role);
      expect((await member.get(KEYS)).status).toBe(200);
      expect((await member.post(KEYS, { name: "k", scopes: ["read"] })).code).toBe("missing_scope");
      expect((await member.patch(`${KEYS}/${key.id}`, { name: "mine" })).code).toBe("missing_scope");
    }
    const admin = await consoleUser(account, "admin");
    expect((await admin.patch(`${KEYS}/${key.id}`, { name: "mine" })).status).toBe(204);
  });

  it("end tickets and streams that were opened with the key", async () => {
    const { user } = await tenant();
    const { id, server } = await apiKey(user, { scopes: ["read", "listen"] });
    const ticket = async () => new URL((await server.post<{ url: string }>("/api/v1/events/stream/ticket")).body.url);
    const [before, { pathname, search }] = [await server.get("/api/v1/faqs"), await ticket()];
    expect(before.status).toBe(200);
    await user.patch(`${KEYS}/${id}`, { scopes: ["read"] });
    expect((await call("GET", pathname + search)).code).toBe("access_revoked");
  });
});
