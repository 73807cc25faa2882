import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openSecrets } from "../../../src/agent/integrations/stored-secrets.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { type Client, tenant } from "../../support/client.ts";

interface Integration {
  id: string;
  auth: string;
  params: Record<string, unknown>;
  secret_names: string[];
  asks_for: { params: { name: string }[]; secrets: { name: string }[] };
  ready: boolean;
  missing: string[];
  reason: string | null;
}

const at = (name: string) => `/api/v1/integrations/${name}`;
const install = async (server: Client, name: string, body?: unknown) =>
  server.post<Integration>(`${at(name)}/install`, body);

/** Returns the stored secrets, decrypted. */
async function secretsOf(account: string, id: string): Promise<Record<string, string>> {
  const row = await env.DB.prepare("SELECT account, id, secrets FROM integration_installs WHERE account = ? AND id = ?")
    .bind(account, id)
    .first<{ account: string; id: string; secrets: string | null }>();
  if (!row) throw new Error("not stored");
  return openSecrets(new Vault(env.ENCRYPTION_KEYS), row);
}

describe("the stored values of an integration", () => {
  it("stored values are merged by name until the integration is complete", async () => {
    const { server, account } = await tenant();
    const before = (await server.get<Integration>(at("woocommerce"))).body;
    expect(before).toMatchObject({
      auth: "token",
      ready: false,
      missing: ["store_domain", "consumer_key", "consumer_secret"],
      reason: "the integration woocommerce is not installed",
    });
    const half = await install(server, "woocommerce", { secrets: { consumer_key: "ck_1" } });
    expect(half.body).toMatchObject({
      ready: false,
      missing: ["store_domain", "consumer_secret"],
      reason: "the integration woocommerce lacks store_domain, consumer_secret",
    });
    const params = { store_domain: "shop.example" };
    const whole = await install(server, "woocommerce", { params, secrets: { consumer_secret: " cs_1\n" } });
    expect(whole.body).toMatchObject({ params, secret_names: ["consumer_key", "consumer_secret"] });
    expect(whole.body).toMatchObject({ ready: true, missing: [], reason: null });
    expect(await secretsOf(account, before.id)).toEqual({ consumer_key: "ck_1", consumer_secret: "cs_1" });
    await install(server, "woocommerce", { secrets: { consumer_key: "ck_2" } });
    expect(await secretsOf(account, before.id)).toEqual({ consumer_key: "ck_2", consumer_secret: "cs_1" });
    expect((await server.get(at("woocommerce"))).body).toMatchObject({ params, ready: true });
  });

  it("null or an empty text removes a stored value", async () => {
    const { server, account } = await tenant();
    const params = { account_id: "acct_1" };
    const { id } = (await install(server, "stripe", { params, secrets: { secret_key: "rk_1" } })).body;
    expect((await install(server, "stripe", { params: { account_id: null } })).body).toMatchObject({
      params: {},
      secret_names: ["secret_key"],
      ready: true,
    });
    await install(server, "stripe", { params });
    expect((await install(server, "stripe", { params: { account_id: " " } })).body.params).toEqual({});
    for (const nothing of [null, ""]) {
      await install(server, "stripe", { secrets: { secret_key: "rk_1" } });
      expect((await install(server, "stripe", { secrets: { secret_key: nothing } })).body).toMatchObject({
        secret_names: [],
        missing: ["secret_key"],
        ready: false,
      });
      expect(await secretsOf(account, id)).toEqual({});
    }
  });

  it("include both of two secrets sent at the same moment", async () => {
    const { server, account } = await tenant();
    const { id } = (await install(server, "woocommerce")).body;
    const sent = [{ consumer_key: "ck" }, { consumer_secret: "cs" }];
    const answers = await Promise.all(sent.map((secrets) => install(server, "woocommerce", { secrets })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await secretsOf(account, id)).toEqual({ consumer_key: "ck", consumer_secret: "cs" });
  });

  it("include names that are no longer requested until they are removed", async () => {
    const { server, account } = await tenant();
    const { id } = (await install(server, "slack", { params: { channel: "C1" } })).body;
    await env.DB.prepare("UPDATE integration_installs SET params = ? WHERE account = ? AND id = ?")
      .bind('{"channel":"C1","old":"x"}', account, id)
      .run();
    expect((await install(server, "slack", { params: { old: "y" } })).status).toBe(400);
    expect((await install(server, "slack", { params: { old: null } })).body.params).toEqual({ channel: "C1" });
    expect((await install(server, "slack", { params: { old: null } })).status).toBe(400);
  });

  it("unknown names of values are reported without storing anything", async () => {
    const { server } = await tenant();
    const refused = await install(server, "slack", {
      params: { channel: "C1", bot_token: "xoxb-in-the-wrong-place" },
      secrets: { token: "t" },
    });
    expect([refused.status, refused.code, refused.body]).toEqual([
      400,
      "unknown_fields",
      "slack has no field params.bot_token, secrets.token; its fields are params.channel, secrets.bot_token",
    ]);
    expect((await server.get(at("slack"))).body).toMatchObject({ status: "available", params: {}, secret_names: [] });
  });

  it.each([{ a: 1 }, ["C1"]])("a value is refused if it is not a text, number or boolean: %j", async (channel) => {
    const { server } = await tenant();
    const refused = await install(server, "slack", { params: { channel } });
    expect([refused.status, refused.body]).toEqual([
      400,
      "params.channel: must be text, a number, true or false, or null, which removes it",
    ]);
  });

  it("an integration needs no token if its vendor accepts requests without one", async () => {
    const { server } = await tenant();
    const { integrations } = (await server.get<{ integrations: Integration[] }>("/api/v1/integrations")).body;
    const others = integrations.filter(({ auth }) => auth !== "token");
    expect(others).toHaveLength(7);
    for (const { asks_for, ready, missing, reason } of others) {
      expect([asks_for, ready, missing]).toEqual([{ params: [], secrets: [] }, false, []]);
      expect(reason).toMatch(/ cannot be connected yet: .* (only accepts|requires) /);
    }
    const installed = await install(server, "google_calendar");
    expect([installed.status, installed.body]).toMatchObject([
      200,
      {
        status: "installed",
        ready: false,
        reason:
          "the integration google_calendar cannot be connected yet: Google only accepts OAuth access tokens, which expire after an hour",
      },
    ]);
    const refused = await install(server, "google_calendar", { secrets: { service_account_json: "{}" } });
    expect(refused.body).toBe("google_calendar has no field secrets.service_account_json; its fields are nothing");
  });
});
