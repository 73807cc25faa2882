import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import { type Client, tenant } from "../../support/client.ts";
import { VENDORS, type Vendor } from "./vendors.ts";

interface Verdict {
  ok: boolean;
  detail: string;
}
type Answer = (request: Request) => Response | Promise<Response>;

/** The answer of the stand-in for every vendor, and the requests that it received. */
let answer: Answer;
let requests: Request[];

beforeEach(() => {
  requests = [];
  answer = () => new Response("nobody is here", { status: 500 });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    return answer(request);
  });
});
afterEach(() => vi.restoreAllMocks());

/** Creates a stand-in for a vendor that accepts exactly this request. */
const strict =
  ({ request, good }: Vendor): Answer =>
  async (got) => {
    const { method, url, headers = {}, body } = request;
    const isIt =
      got.method === method &&
      got.url === url &&
      Object.entries(headers).every(([name, value]) => got.headers.get(name) === value) &&
      (body === undefined ? got.body === null : JSON.stringify(await got.json()) === JSON.stringify(body));
    return isIt ? Response.json(good) : new Response("not this request", { status: 418 });
  };

async function installed(vendor: Vendor): Promise<{ server: Client; verify: () => Promise<Verdict> }> {
  const { server } = await tenant();
  const path = `/api/v1/integrations/${vendor.name}`;
  const created = await server.post<{ ready: boolean }>(`${path}/install`, vendor.stored);
  expect([created.status, created.body.ready]).toEqual([200, true]);
  return { server, verify: async () => (await server.post<Verdict>(`${path}/verify`)).body };
}

const vendor = (name: string): Vendor => {
  const found = VENDORS.find((one) => one.name === name);
  if (!found) throw new Error(`no vendor ${name}`);
  return found;
};

describe("verifying an integration", () => {
  it("has a request for every integration with a token, or a reason why there is none", () => {
    const checked = CATALOG.integrations.filter(({ checks }) => !("none" in checks)).map(({ name }) => name);
    expect(VENDORS.map(({ name }) => name).toSorted()).toEqual(checked.toSorted());
    const without = CATALOG.integrations.filter(({ checks }) => "none" in checks);
    expect(without.map(({ name, auth }) => `${name} ${auth}`).toSorted()).toEqual([
      "amazon_s3 signature",
      "bigquery oauth",
      "custom_api token",
      "google_calendar oauth",
      "google_sheets oauth",
      "make token",
      "microsoft_365_calendar oauth",
      "microsoft_teams token",
      "n8n token",
      "salesforce oauth",
      "segment token",
      "zapier token",
      "zoho_crm oauth",
    ]);
  });

  it.each(VENDORS)(
    "verifying an integration sends $name the documented request, and accepts a good response",
    async (one) => {
      const { verify } = await installed(one);
      answer = strict(one);
      expect(await verify()).toEqual({ ok: true, detail: expect.stringContaining("accepts the stored credentials") });
      expect(requests).toHaveLength(1);
    },
  );

  it.each(VENDORS)(
    "verifying an integration reports when $name refuses the stored credentials, without revealing a secret",
    async (one) => {
      const { server, verify } = await installed(one);
      const secrets = Object.values(one.stored.secrets);
      for (const status of [401, 403]) {
        answer = (got) => new Response(`no: ${secrets} ${[...got.headers.values()]} ${got.url}`, { status });
        const { ok, detail } = await verify();
        expect([ok, detail]).toEqual([
          false,
          expect.stringContaining(`refused the stored credentials (${status}): check `),
        ]);
        for (const name of Object.keys(one.stored.secrets)) expect(detail).toContain(name);
        for (const secret of secrets) expect(detail).not.toContain(secret);
      }
      const log = JSON.stringify((await server.get("/api/v1/audit-log")).body);
      for (const secret of secrets) expect(log).not.toContain(secret);
    },
  );

  it.each(VENDORS.filter(({ bad }) => bad !== undefined))(
    "verifying an integration recognizes $name's 200 to a bad token as a refusal",
    async (one) => {
      const { verify } = await installed(one);
      answer = () => Response.json(one.bad);
      expect(await verify()).toEqual({
        ok: false,
        detail: expect.stringContaining("does not recognize the stored credentials"),
      });
    },
  );

  const slack = vendor("slack");
  const shopify = vendor("shopify");

  it.each<[string, Answer, string]>([
    ["is having problems", () => new Response("oops", { status: 503 }), "is having problems (503)"],
    [
      "answers that nothing exists there",
      () => new Response("", { status: 404 }),
      "found nothing at this address (404)",
    ],
    ["limits requests", () => new Response("", { status: 429 }), "too many requests"],
    ["does not understand the request", () => new Response("", { status: 400 }), "rejected the request (400)"],
    ["cannot be reached", () => Promise.reject(new TypeError("fetch failed: xoxb")), "could not be reached"],
    ["answers without the expected JSON", () => new Response("<html>"), "does not recognize the stored credentials"],
    ["redirects the request", () => Response.redirect("https://elsewhere.example/", 302), "redirect"],
  ])("verifying an integration returns a result if the vendor %s", async (_, vendors, expected) => {
    const { verify } = await installed(slack);
    answer = vendors;
    const { ok, detail } = await verify();
    expect([ok, detail]).toEqual([false, expect.stringContaining(expected)]);
    expect(detail).not.toContain("xoxb");
  });

  it("sends no request to an address that is not the vendor's", async () => {
    const { server } = await tenant();
    const path = "/api/v1/integrations/shopify";
    for (const shop_domain of ["127.0.0.1", "localhost", "169.254.169.254", "[::1]", "10.0.0.1:8080", "a@b.example"]) {
      await server.post(`${path}/install`, { params: { shop_domain }, secrets: shopify.stored.secrets });
      expect([shop_domain, (await server.post<Verdict>(`${path}/verify`)).body.ok]).toEqual([shop_domain, false]);
    }
    expect(requests).toEqual([]);
  });

  it("reports what is missing without sending a request, and answers 404 for an unknown integration", async () => {
    const { server } = await tenant();
    const verify = async (name: string) => {
      const { status, body } = await server.post<Verdict>(`/api/v1/integrations/${name}/verify`);
      return [status, body];
    };
    expect(await verify("nothing")).toEqual([404, "integration not found"]);
    expect(await verify("slack")).toEqual([200, { ok: false, detail: "the integration slack is not installed" }]);
    await server.post("/api/v1/integrations/slack/install", { params: { channel: "C1" } });
    expect(await verify("slack")).toEqual([200, { ok: false, detail: "the integration slack lacks bot_token" }]);
    await server.post("/api/v1/integrations/salesforce/install");
    expect(await verify("salesforce")).toEqual([
      200,
      { ok: false, detail: expect.stringMatching(/^the integration salesforce cannot be connected yet: .*OAuth/) },
    ]);
    const zapier = { params: { account_id: "1" }, secrets: { hook_id: "abcdef" } };
    await server.post("/api/v1/integrations/zapier/install", zapier);
    expect(await verify("zapier")).toEqual([
      200,
      {
        ok: false,
        detail: "Zapier cannot be checked without side effects: every request to the webhook starts the Zap",
      },
    ]);
    expect(requests).toEqual([]);
  });
});
