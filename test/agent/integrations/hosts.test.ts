import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { CatalogIntegration } from "../../../src/agent/catalog/types.ts";
import {
  faultOfHostParam,
  mayReceive,
  readHostParam,
  secretOrigins,
  shownHosts,
} from "../../../src/agent/integrations/hosts.ts";

const seed = Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED);
const PUBLIC = { allowed: [], own: ["switchboard.test"] };

const named = (name: string): CatalogIntegration => {
  const found = CATALOG.integrations.find((integration) => integration.name === name);
  if (!found) throw new TypeError(`no integration ${name}`);
  return found;
};

/** Values that try to send a secret elsewhere. */
const HOSTILE = [
  ..."evil.example acme.evil.example evil.example/ evil.example/.myshopify.com evil.example?.myshopify.com".split(" "),
  ..."evil.example#.myshopify.com evil.example\\.myshopify.com a@evil.example :8080 acme:443 acme.myshopify.com:443".split(
    " ",
  ),
  ..."acme.myshopify.com. acme.myshopify.com.evil.example .myshopify.com myshopify.com -acme.myshopify.com".split(" "),
  ..."acme。myshopify。com acme.myshopify。com evil．example evil｡example acme%2emyshopify.com acme.myshopify.com%00".split(
    " ",
  ),
  ..."https://acme.myshopify.com //evil.example [::1] 127.0.0.1 0x7f.1 localhost acme_x a..b * {x} {{x}} xn--a".split(
    " ",
  ),
  "a".repeat(64),
  `${"a.".repeat(130)}myshopify.com`,
  "",
  " ",
  "acme\n",
  "\tacme",
  "acmé",
  "\u212Aelvin",
  "acme\u0000",
];
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(...HOSTILE)).map((pieces) => pieces.join("")),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(".myshopify.com", ".zendesk.com")).map((p) => p.join("")),
);

/** The suffix that follows the param in the hosts of each vendor. */
const OWN_HOSTS: [integration: string, param: string, hosts: RegExp][] = [
  ["pipedrive", "company_domain", /^https:\/\/([a-z0-9-]+|api)\.pipedrive\.com$/],
  ["zendesk", "subdomain", /^https:\/\/[a-z0-9-]+\.zendesk\.com$/],
  ["freshdesk", "domain", /^https:\/\/[a-z0-9-]+\.freshdesk\.com$/],
  ["jira_service_management", "site", /^https:\/\/[a-z0-9-]+\.atlassian\.net$/],
  ["shopify", "shop_domain", /^https:\/\/[a-z0-9-]+\.myshopify\.com$/],
  ["adyen", "checkout_host", /^https:\/\/(checkout-test\.adyen\.com|[a-z0-9-]+\.adyenpayments\.com)$/],
  [
    "microsoft_teams",
    "workflow_host",
    /^https:\/\/[a-z0-9-]+\.[a-z0-9-]+\.(logic\.azure|environment\.api\.powerplatform)\.com$/,
  ],
  ["segment", "api_host", /^https:\/\/(api\.segment\.io|events\.eu1\.segmentapis\.com|eu1\.api\.segmentapis\.com)$/],
  ["make", "zone", /^https:\/\/hook\.[a-z0-9-]+\.make\.com$/],
];

describe("the hosts of an integration's secrets", () => {
  it("every integration declares the hosts of its secrets, exactly or by one validated param", () => {
    for (const { name, hosts, params } of CATALOG.integrations) {
      expect(hosts.length, name).toBeGreaterThan(0);
      const deciding = new Set(params.filter(({ host }) => host !== undefined).map((field) => field.name));
      const used = hosts.flatMap((host) => [...host.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param));
      expect(new Set(used), name).toEqual(deciding);
      for (const host of hosts) {
        expect([...host.matchAll(/[{]/g)].length, name).toBeLessThan(2);
        if (!host.includes("{")) expect(new URL(`https://${host}/`).host, name).toBe(host);
      }
    }
  });

  it("include every host that the catalogue's checks and tools send requests to", () => {
    for (const { name, hosts, checks } of CATALOG.integrations) {
      // The address of a custom service is its only host.
      if ("none" in checks || hosts.includes("{base_url}")) continue;
      const host = new URL(checks.url.replace(/\{\{\w+\.(\w+)\}\}/g, "param-$1")).host.replace(/param-(\w+)/, "{$1}");
      expect(hosts, name).toContain(host);
    }
  });

  it.each(OWN_HOSTS)("the hosts for %s are always the vendor's, for any value of %s", (integration, param, hosts) => {
    const one = named(integration);
    const rule = one.params.find(({ name }) => name === param)?.host;
    if (rule === undefined) throw new TypeError("no rule");
    fc.assert(
      fc.property(hostile, (value) => {
        const origins = secretOrigins(one, { [param]: value });
        for (const origin of origins) expect(origin).toMatch(hosts);
        for (const origin of origins) expect(new URL(origin).origin).toBe(origin);
        const isTaken = faultOfHostParam(rule, value, PUBLIC) === null;
        expect("value" in readHostParam(rule, value)).toBe(isTaken);
        if (!isTaken) expect(origins).toEqual(secretOrigins(one, {}));
      }),
      { seed, numRuns: 1_000 },
    );
  });

  it("the hosts for self-hosted software are only the stored host, if it is public", () => {
    const [woocommerce, n8n] = [named("woocommerce"), named("n8n")];
    fc.assert(
      fc.property(hostile, (value) => {
        for (const [one, param] of [
          [woocommerce, "store_domain"],
          [n8n, "domain"],
        ] as const)
          for (const origin of secretOrigins(one, { [param]: value })) {
            expect(origin).toBe(`https://${value.toLowerCase()}`);
            expect(origin).toMatch(/^https:\/\/([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$/);
          }
      }),
      { seed, numRuns: 1_000 },
    );
    expect(secretOrigins(woocommerce, { store_domain: "Shop.Example.com" })).toEqual(["https://shop.example.com"]);
    expect(secretOrigins(woocommerce, { store_domain: "switchboard.test" })).toHaveLength(1);
    expect(faultOfHostParam("public_host", "switchboard.test", PUBLIC)).toContain("this service itself");
  });

  it("the hosts for a custom API are its scheme, host and port", () => {
    const own = named("custom_api");
    const origins = (base_url: unknown) => secretOrigins(own, { base_url });
    expect(origins("https://API.example.com/v1/")).toEqual(["https://api.example.com"]);
    expect(origins("https://api.example.com:443")).toEqual(["https://api.example.com"]);
    expect(origins("http://localhost:9000/x")).toEqual(["http://localhost:9000"]);
    for (const value of [
      ...[
        "",
        "api.example.com",
        "ftp://api.example.com",
        "https://",
        "https://api.example.com./v1",
        "https:api.example.com",
        "https:\\\\api.example.com",
      ],
      ...[
        "https://a:b@api.example.com",
        "https://api.example.com?x",
        "https://api.example.com#x",
        "https://api.example。com",
      ],
      ...[
        "https://api.example.com/{{x.y}}",
        "https://{a}.example.com",
        " https://api.example.com",
        "https://api.example.com/ä",
        7,
      ],
    ])
      expect(origins(value), String(value)).toEqual([]);
    expect(faultOfHostParam("base_url", "http://api.example.com", PUBLIC)).toContain("https:");
    expect(faultOfHostParam("base_url", "https://127.0.0.1/", PUBLIC)).toContain("127.0.0.1");
    const local = { allowed: ["localhost:9000"], own: [] };
    expect(faultOfHostParam("base_url", "http://localhost:9000/", local)).toBeNull();
    expect(faultOfHostParam("base_url", "http://localhost:9001/", local)).not.toBeNull();
  });

  it("before a param is stored, secrets may be sent to any host of the vendor", () => {
    fc.assert(
      fc.property(hostile, (host) => {
        const address = `https://${host}/`;
        if (!URL.canParse(address)) return;
        const { origin } = new URL(address);
        for (const [integration, , hosts] of OWN_HOSTS)
          if (mayReceive(named(integration), {}, origin)) expect(origin).toMatch(hosts);
        for (const integration of ["woocommerce", "n8n", "custom_api", "stripe"])
          expect(mayReceive(named(integration), {}, origin)).toBe(false);
      }),
      { seed, numRuns: 1_000 },
    );
    expect(mayReceive(named("shopify"), {}, "https://acme.myshopify.com")).toBe(true);
    expect(mayReceive(named("shopify"), {}, "http://acme.myshopify.com")).toBe(false);
    expect(mayReceive(named("shopify"), { shop_domain: "beta.myshopify.com" }, "https://acme.myshopify.com")).toBe(
      false,
    );
    expect(mayReceive(named("zendesk"), {}, "https://a.b.zendesk.com")).toBe(false);
    expect(mayReceive(named("adyen"), {}, "https://123-Acme-checkout-live.adyenpayments.com".toLowerCase())).toBe(true);
  });

  it("the hosts of an integration are shown with the stored params filled in", () => {
    expect(shownHosts(named("zendesk"), {})).toEqual(["{subdomain}.zendesk.com"]);
    expect(shownHosts(named("zendesk"), { subdomain: "Acme" })).toEqual(["acme.zendesk.com"]);
    expect(shownHosts(named("shopify"), {})).toEqual(["*.myshopify.com"]);
    expect(shownHosts(named("custom_api"), { base_url: "http://localhost:9000/v1" })).toEqual([
      "http://localhost:9000",
    ]);
  });
});
