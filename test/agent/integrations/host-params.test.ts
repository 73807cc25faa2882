import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../../support/client.ts";

interface Integration {
  hosts: string[];
  params: Record<string, unknown>;
  secret_names: string[];
  asks_for: { params: { name: string; decides_host: boolean }[] };
  any_secrets: boolean;
  ready: boolean;
  missing: string[];
  reason: string | null;
}

const at = (name: string) => `/api/v1/integrations/${name}`;
const install = (server: Client, name: string, body: unknown) => server.post<Integration>(`${at(name)}/install`, body);
const SHOP = { params: { shop_domain: "acme.myshopify.com" }, secrets: { access_token: "shpat_1" } };

describe("a param that determines where secrets are sent", () => {
  it("a param that determines a secret's destination is shown with the hosts", async () => {
    const { server } = await tenant();
    expect((await server.get<Integration>(at("shopify"))).body).toMatchObject({
      hosts: ["*.myshopify.com"],
      asks_for: { params: [{ name: "shop_domain", decides_host: true }] },
      any_secrets: false,
    });
    expect((await install(server, "shopify", SHOP)).body).toMatchObject({ hosts: ["acme.myshopify.com"], ready: true });
    expect((await server.get<Integration>(at("slack"))).body).toMatchObject({
      hosts: ["slack.com"],
      asks_for: { params: [{ name: "channel", decides_host: false }] },
    });
  });

  it.each([
    ["zendesk", "subdomain", "acme.evil"],
    ["zendesk", "subdomain", "evil.example/"],
    ["zendesk", "subdomain", "acme/x"],
    ["zendesk", "subdomain", "acme:8080"],
    ["zendesk", "subdomain", "evil。example"],
    ["zendesk", "subdomain", "evil．example．"],
    ["zendesk", "subdomain", "-acme"],
    ["zendesk", "subdomain", "acme_1"],
    ["zendesk", "subdomain", "acmé"],
    ["zendesk", "subdomain", "a".repeat(64)],
    ["zendesk", "subdomain", "a@b"],
    ["zendesk", "subdomain", "a b"],
    ["zendesk", "subdomain", true],
    ["zendesk", "subdomain", 7],
    ["freshdesk", "domain", "acme.freshdesk.com"],
    ["make", "zone", "eu1.make.com"],
    ["shopify", "shop_domain", "evil.example"],
    ["shopify", "shop_domain", "acme.myshopify.com.evil.example"],
    ["shopify", "shop_domain", "a.b.myshopify.com"],
    ["shopify", "shop_domain", "acme.myshopify.com:443"],
    ["shopify", "shop_domain", "https://acme.myshopify.com"],
    ["shopify", "shop_domain", "acme.myshopify.com/admin"],
    ["adyen", "checkout_host", "checkout-test.adyen.com.evil.example"],
    ["segment", "api_host", "api.segment.example"],
    ["microsoft_teams", "workflow_host", "prod-1.westus.logic.azure.com.evil.example"],
    ["woocommerce", "store_domain", "shop.example.com/x"],
    ["woocommerce", "store_domain", "localhost"],
    ["woocommerce", "store_domain", "10.0.0.1"],
    ["n8n", "domain", "switchboard.test"],
    ["custom_api", "base_url", "http://api.example.com"],
    ["custom_api", "base_url", "https://127.0.0.1/"],
    ["custom_api", "base_url", "https://api.example.com:8443"],
    ["custom_api", "base_url", "https://a:b@api.example.com"],
    ["custom_api", "base_url", "https://api.example.com/?x=1"],
  ])("a param is refused if it leads to a host that is not one of %s: %s = %j", async (name, param, value) => {
    const { server } = await tenant();
    const refused = await install(server, name, { params: { [param]: value } });
    expect([refused.status, refused.code]).toEqual([400, "invalid_host"]);
    expect(String(refused.body)).toMatch(new RegExp(`^params\\.${param}`));
    expect((await server.get<Integration>(at(name))).body).toMatchObject({ params: {}, ready: false });
  });

  it("drops the stored secrets when it changes, except those sent with it", async () => {
    const { server } = await tenant();
    await install(server, "shopify", SHOP);
    const same = await install(server, "shopify", { params: { shop_domain: "ACME.myshopify.com" } });
    expect(same.body).toMatchObject({ ready: true, secret_names: ["access_token"] });
    const moved = await install(server, "shopify", { params: { shop_domain: "evil.myshopify.com" } });
    expect(moved.body).toMatchObject({
      ready: false,
      secret_names: [],
      missing: ["access_token"],
      reason: "the integration shopify lacks access_token",
    });
    const again = { params: { shop_domain: "beta.myshopify.com" }, secrets: { access_token: "shpat_2" } };
    expect((await install(server, "shopify", again)).body).toMatchObject({ ready: true });

    const keys = { consumer_key: "ck_1", consumer_secret: "cs_1" };
    await install(server, "woocommerce", { params: { store_domain: "a.example.com" }, secrets: keys });
    const half = { params: { store_domain: "b.example.com" }, secrets: { consumer_key: "ck_2" } };
    expect((await install(server, "woocommerce", half)).body).toMatchObject({
      secret_names: ["consumer_key"],
      missing: ["consumer_secret"],
    });
  });

  it("drops the stored secrets when it is removed, and after an uninstall and reinstall", async () => {
    const { server } = await tenant();
    await install(server, "shopify", SHOP);
    expect((await install(server, "shopify", { params: { shop_domain: null } })).body.secret_names).toEqual([]);
    await install(server, "shopify", SHOP);
    await server.post(`${at("shopify")}/uninstall`);
    const other = { params: { shop_domain: "evil.myshopify.com" } };
    expect((await install(server, "shopify", other)).body.secret_names).toEqual([]);
  });

  it("cannot be changed by two concurrent requests without dropping the secrets", async () => {
    const { server } = await tenant();
    await install(server, "shopify", { secrets: SHOP.secrets });
    const domains = ["acme.myshopify.com", "evil.myshopify.com"];
    const answers = await Promise.all(
      domains.map((shop_domain) => install(server, "shopify", { params: { shop_domain } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await server.get<Integration>(at("shopify"))).body.secret_names).toEqual([]);
  });

  it("an invalid host stored by an earlier version is reported until it is corrected", async () => {
    const { server, account } = await tenant();
    await install(server, "shopify", SHOP);
    await env.DB.prepare("UPDATE integration_installs SET params = ? WHERE account = ?")
      .bind('{"shop_domain":"shop.acme.example"}', account)
      .run();
    // This write invalidates the cached read from before the change.
    await server.post("/api/v1/tools", { name: "any" });
    expect((await server.get<Integration>(at("shopify"))).body).toMatchObject({
      ready: false,
      reason: expect.stringMatching(
        /^the integration shopify cannot be used: shop_domain must be .*\*\.myshopify\.com/,
      ),
    });
    expect((await install(server, "shopify", { params: SHOP.params })).body).toMatchObject({
      secret_names: [],
      missing: ["access_token"],
    });
    expect((await install(server, "shopify", SHOP)).body.ready).toBe(true);
  });
});

describe("a custom API", () => {
  const OWN = { params: { base_url: "https://api.acme.example/v1" }, secrets: { token: "t-1", second_key: "k-1" } };

  it("accepts secrets of any name, and drops them when scheme, host or port change", async () => {
    const { server } = await tenant();
    expect((await server.get<Integration>(at("custom_api"))).body).toMatchObject({
      hosts: ["{base_url}"],
      any_secrets: true,
    });
    expect((await install(server, "custom_api", OWN)).body).toMatchObject({
      hosts: ["api.acme.example"],
      secret_names: ["token", "second_key"],
      ready: true,
    });
    const path = await install(server, "custom_api", { params: { base_url: "https://api.acme.example/v2" } });
    expect(path.body.secret_names).toEqual(["token", "second_key"]);
    const host = await install(server, "custom_api", { params: { base_url: "https://api2.acme.example/v2" } });
    expect(host.body).toMatchObject({ secret_names: [], hosts: ["api2.acme.example"] });
  });

  it.each(["base_url", "Token", "a-b", "a.b", "_a", "1a", "a".repeat(64)])(
    "a custom API refuses the secret name %s",
    async (name) => {
      const { server } = await tenant();
      const secrets = Object.fromEntries([[name, "x"]]);
      const refused = await install(server, "custom_api", { params: OWN.params, secrets });
      expect([refused.status, refused.code]).toEqual([400, "unknown_fields"]);
    },
  );

  it("accepts 50 secrets and no more", async () => {
    const { server } = await tenant();
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`s${from + i}`, "x"]));
    expect((await install(server, "custom_api", { secrets: many(0, 50) })).status).toBe(200);
    const refused = await install(server, "custom_api", { secrets: many(50, 51) });
    expect([refused.status, refused.code]).toEqual([400, "too_many"]);
  });
});
