import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Campaign, contactsCsv, until, upload } from "../../campaign/support.ts";
import { type Client, operator, tenant } from "../../support/client.ts";
import { provider, send } from "../../support/provider.ts";
import { log, operatorsLog } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const named = async (client: Client, query: string) =>
  (await log(client, query)).map(({ action, actor_name, resource_name }) => [action, actor_name, resource_name]);

describe("names in the audit log", () => {
  it("names in the audit log stay when the thing is renamed or deleted", async () => {
    const { server, user } = await tenant();
    const [key] = (await user.get<{ name: string }[]>("/api/v1/api-keys")).body;
    const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "Ann" })).body;
    await server.patch(`/api/v1/agents/${id}`, { name: "Bea" });
    expect((await server.delete(`/api/v1/agents/${id}`)).status).toBe(204);
    expect(await named(user, "resource=agent")).toEqual([
      ["delete", key?.name, "Bea"],
      ["update", key?.name, "Ann"],
      ["create", key?.name, "Ann"],
    ]);
  });

  it.each(["tool", "playbook", "faq"])(
    "audit entries are found by the same resource, whatever was done to a %s",
    async (resource) => {
      const { server, user } = await tenant();
      const path = `/api/v1/${resource}s`;
      await server.post(path, { name: "mine" });
      await server.put(`${path}/mine`, { tags: ["x"] });
      expect((await server.delete(`${path}/mine`)).status).toBe(200);
      expect((await log(user, `resource=${resource}`)).map(({ action }) => action)).toEqual([
        "delete",
        "update",
        "create",
      ]);
      const names = (await named(user, `resource=${resource}`)).map(([, , name]) => name);
      expect(new Set(names)).toEqual(new Set([resource === "faq" ? "mine" : "Mine"]));
    },
  );

  it("the audit log uses the account's own names if another has a thing with the same id", async () => {
    const [one, other] = [await tenant(), await tenant()];
    const { id } = (await one.server.post<{ id: string }>("/api/v1/agents", { name: "Ours" })).body;
    const theirs = (await other.server.post<{ id: string }>("/api/v1/agents", { name: "Theirs" })).body;
    await env.DB.prepare("DELETE FROM agent_prompts WHERE account = ?").bind(other.account).run();
    await env.DB.prepare("UPDATE agents SET id = ? WHERE account = ? AND id = ?")
      .bind(id, other.account, theirs.id)
      .run();
    for (const { server } of [one, other]) await server.patch(`/api/v1/agents/${id}`, { description: "x" });
    const names = async ({ user }: typeof one) => (await named(user, "action=update")).map(([, , name]) => name);
    expect([await names(one), await names(other)]).toEqual([["Ours"], ["Theirs"]]);
  });

  it("the audit log names a tool by its display name and a user by the email address", async () => {
    const { user } = await tenant();
    const created = await user.post("/api/v1/tools", {
      name: "look_up",
      display_name: "Look up an order",
      category: "shop",
      description: "Finds an order.",
      implementation_type: "http",
      implementation_config: { method: "GET", url: "https://shop.example/orders" },
    });
    expect(created.status).toBe(201);
    expect(await named(user, "resource=tool")).toEqual([
      ["create", expect.stringMatching(/@.*\.example$/), "Look up an order"],
    ]);
  });

  it("the audit log names integrations as the catalogue does", async () => {
    const { server, user } = await tenant();
    for (const verb of ["install", "uninstall"])
      expect((await server.post(`/api/v1/integrations/slack/${verb}`)).status).toBe(200);
    expect((await named(user, "resource=integration")).map(([action, , name]) => [action, name])).toEqual([
      ["uninstall", "Slack"],
      ["install", "Slack"],
    ]);
  });

  it("show the user by name or email, even after the user is deleted", async () => {
    const [{ user, account }, service] = [await tenant(), await operator()];
    const users = `/api/admin/v1/accounts/${account}/users`;
    const password = "a long enough passphrase";
    const { id } = (await service.post<{ id: string }>(users, { email: "ada@example.com", password })).body;
    await service.delete(`${users}/${id}`);
    expect((await log(user, "resource=user")).map(({ resource_name }) => resource_name)).toEqual([
      "ada@example.com",
      "ada@example.com",
    ]);
    expect(await operatorsLog(service, `account=${account}&resource=user`)).toMatchObject([
      { action: "delete", resource_name: "ada@example.com" },
      { action: "create", resource_name: "ada@example.com" },
    ]);
  });

  it("the audit log names users of another identity provider as that provider does", async () => {
    const { account, user } = await tenant();
    const idp = await provider();
    const begun = await send(`/api/login?account=${account}`, idp.vars);
    const authorization = new URL(begun.headers.get("location") ?? "").searchParams;
    const person = {
      nonce: authorization.get("nonce"),
      email: "ada@acme.example",
      name: "Ada Lovelace",
      accounts: [account],
    };
    const access_token = await idp.token({ accounts: [account] });
    idp.answers[`${idp.base}/token`] = { access_token, token_type: "Bearer", id_token: await idp.token(person) };
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const callback = await send(`/api/login/callback?code=c&state=${authorization.get("state")}`, idp.vars, { cookie });
    expect(callback.status).toBe(200);
    const body = JSON.stringify({ name: "Ann" });
    expect((await idp.as(access_token, account, "/api/v1/agents", { method: "POST", body })).status).toBe(201);
    const { members } = (await user.get<{ members: { id: string; name: string }[] }>("/api/v1/members")).body;
    const ada = members.find(({ name }) => name === "Ada Lovelace")?.id;
    expect(await named(user, `actor=console:${ada}`)).toEqual([
      ["create", "Ada Lovelace", "Ann"],
      ["sign_in", "Ada Lovelace", "Ada Lovelace"],
      // Recorded when the first sign-in made her a member.
      ["create", "Ada Lovelace", "Ada Lovelace"],
    ]);
  });

  it("the audit log names actions of a campaign's object", async () => {
    const { server, user } = await tenant();
    const [key] = (await user.get<{ name: string }[]>("/api/v1/api-keys")).body;
    const { body } = await upload(server, contactsCsv(1), { name: "Autumn" });
    await server.post<Campaign>(`/api/v1/campaigns/${body.id}/stop`);
    await server.get(`/api/v1/campaigns/${body.id}/export`);
    const entries = await until(
      () => named(user, "resource=campaign"),
      (all) => all.some(([action]) => action === "stop"),
    );
    expect(entries).toContainEqual(["create", key?.name, "Autumn"]);
    expect(entries).toContainEqual(["stop", key?.name, "Autumn"]);
    expect(entries).toContainEqual(["export", key?.name, "Autumn"]);
  });

  it("contain no phone number and no data of another account", async () => {
    const [one, other] = [await tenant(), await tenant()];
    const number = { e164: "+12025550142", provider: "sandbox" };
    const { id } = (await one.server.post<{ id: string }>("/api/v1/telephony/numbers", number)).body;
    await one.server.delete(`/api/v1/telephony/numbers/${id}`);
    expect((await log(one.user, "resource=phone_number")).map(({ resource_name }) => resource_name)).toEqual([
      "…42",
      "…42",
    ]);
    await other.server.post("/api/v1/agents", { name: "Theirs" });
    const { results } = await env.DB.prepare("SELECT * FROM audit_log WHERE account = ?").bind(one.account).all();
    expect(JSON.stringify(results)).not.toMatch(/2025550142|Theirs/);
  });
});
