import { describe, expect, it } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { BindingParty } from "../../../src/agent/tools/run/bind.ts";
import { type Install, toolsOf } from "../../../src/conversation/runtime/session/session-tools.ts";

type Row = Parameters<typeof toolsOf>[0][number];
type Installed = Pick<Install, "id" | "installed_at" | "params" | "secret_names">;

const tool = (name: string, change: Partial<Row> = {}): Row => ({
  name,
  description: `Does ${name}.`,
  implementation_type: "http",
  implementation_code: "",
  implementation_config: { method: "GET", url: "https://api.example/x" },
  schema: {},
  effect: null,
  max_runs: null,
  bind: null,
  ...change,
});

const NO_PARTY: BindingParty = { call: null, visitor: null, variables: {} };

function installed(name: string, has: Partial<Installed> = {}): Installed {
  const id = CATALOG.integrations.find((existing) => existing.name === name)?.id;
  if (!id) throw new Error(`no integration ${name}`);
  return { id, installed_at: "2026-11-21T00:00:00.000Z", params: {}, secret_names: [], ...has };
}

/** Returns why a tool with this configuration cannot be used; null if it can be used. */
function reason(implementation_config: Record<string, unknown>, ...installs: Installed[]): string | null {
  const { tools, unavailable_tools } = toolsOf([tool("t", { implementation_config })], installs, NO_PARTY);
  expect(tools.length + unavailable_tools.length).toBe(1);
  return unavailable_tools[0]?.reason ?? null;
}

const SHOPIFY = { url: "https://{{shopify.shop_domain}}/x", headers: { token: "{{ shopify.access_token }}" } };

describe("the tools of a session", () => {
  it("the platform runs tools of type http, and the runtime those of type python with their code", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const python = tool("py", { implementation_type: "python", implementation_code: "def run(a, s): ...", schema });
    const read = { effect: "read", max_runs: null };
    const write = { effect: "write", max_runs: 3 };
    const none = { type: "object", properties: {} };
    expect(toolsOf([tool("web"), python], [], NO_PARTY)).toEqual({
      tools: [
        { name: "web", description: "Does web.", parameters: none, ...read, runs: "platform" },
        {
          name: "py",
          description: "Does py.",
          parameters: schema,
          ...write,
          runs: "runtime",
          code: "def run(a, s): ...",
        },
      ],
      unavailable_tools: [],
    });
  });

  it("a tool is ready when everything it refers to is stored", () => {
    const both = { params: { shop_domain: "a.myshopify.com" }, secret_names: ["access_token"] };
    expect(reason(SHOPIFY, installed("shopify", both))).toBeNull();
    expect(reason({ integration: "shopify" }, installed("shopify", both))).toBeNull();
    expect(reason({})).toBeNull();
  });

  it("a tool is not ready if its integration is not installed", () => {
    const gone = installed("shopify", {
      installed_at: null,
      params: { shop_domain: "a" },
      secret_names: ["access_token"],
    });
    for (const installs of [[], [gone], [installed("slack")]]) {
      expect(reason(SHOPIFY, ...installs)).toBe("the integration shopify is not installed");
      expect(reason({ integration: "shopify" }, ...installs)).toBe("the integration shopify is not installed");
    }
  });

  it("a tool whose integration lacks a field is not ready and the reason names the field", () => {
    expect(reason(SHOPIFY, installed("shopify"))).toBe("the integration shopify lacks shop_domain, access_token");
    const half = installed("shopify", { params: { shop_domain: "" }, secret_names: ["access_token"] });
    expect(reason({ integration: "shopify" }, half)).toBe("the integration shopify lacks shop_domain");
    const optional = installed("stripe", { secret_names: ["secret_key"] });
    expect(reason({ integration: "stripe" }, optional)).toBeNull();
    expect(reason({ body: { of: "{{stripe.account_id}}" } }, optional)).toBe("the integration stripe lacks account_id");
  });

  it("recognize references anywhere in the configuration", () => {
    for (const config of [
      { body: { a: [{ b: "x {{shopify.shop_domain}} y" }] } },
      { "{{shopify.shop_domain}}": 1 },
      { url: "https://{argument}{{ shopify.shop_domain }}" },
    ])
      expect.soft(reason(config), JSON.stringify(config)).toBe("the integration shopify is not installed");
    expect(reason({ integration: "nothing_known" })).toBe("there is no integration named nothing_known");
    expect(reason({ url: "{{constructor.name}}" })).toBe("there is no integration named constructor");
    for (const config of [
      { integration: 7 },
      { body: { integration: "shopify" } },
      { url: "{{argument}} {a.b} {{.x}}" },
    ])
      expect.soft(reason(config), JSON.stringify(config)).toBeNull();
  });

  it("treat only stored fields as present", () => {
    const inherited = installed("stripe", { secret_names: ["secret_key"] });
    expect(reason({ url: "{{stripe.toString}}" }, inherited)).toBe("the integration stripe lacks toString");
  });
});
