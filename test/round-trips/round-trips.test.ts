import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CATALOG } from "../../src/agent/catalog/index.ts";
import { app } from "../../src/app.ts";
import { caller, originate } from "../phone/calls/support.ts";
import { recordingOf } from "../phone/recordings/support.ts";
import { held } from "../records/conversations/support.ts";
import { happening, happenings, take, timeOf } from "../records/events/support.ts";
import { BASE, type Client, newUser, operator, tenant } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";

/** Serves one request and returns its statements to D1. */
async function statementsOf(path: string, headers: Record<string, string>): Promise<string[]> {
  const statements: string[] = [];
  const watched = new Proxy(env.DB, {
    get(db, name) {
      const value: unknown = Reflect.get(db, name);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => {
        if (name === "prepare") statements.push(String(values[0]));
        return Reflect.apply(value, db, values) as unknown;
      };
    },
  });
  const response = await app.fetch(new Request(BASE + path, { headers }), { ...env, DB: watched });
  expect(response.status, path).toBe(200);
  return statements;
}

/** Returns D1's query plan step by step. */
async function planOf(statement: string): Promise<string[]> {
  const parameters = Array.from({ length: statement.split("?").length - 1 }, () => "1");
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`)
    .bind(...parameters)
    .all<{ detail: string }>();
  return plan.results.map(({ detail }) => detail);
}

const READS = (agent: string) => [
  "/api/v1/agents",
  `/api/v1/agents/${agent}`,
  `/api/v1/agents/${agent}/prompts`,
  `/api/v1/agents/${agent}/tools`,
  "/api/v1/tools",
  "/api/v1/tools?category=ecommerce&limit=5",
  "/api/v1/tools?type=python",
  "/api/v1/tools?search=call",
  "/api/v1/tools/send_sms",
  "/api/v1/playbooks",
  "/api/v1/playbooks?category=sales",
  "/api/v1/playbooks?search=handle",
  "/api/v1/playbooks/qualify_lead",
  "/api/v1/faqs",
  "/api/v1/faqs/opening_hours",
  "/api/v1/marketplace/agents",
  `/api/v1/marketplace/agents/${CATALOG.templates[0]?.id}`,
  "/api/v1/marketplace/categories",
  "/api/v1/integrations",
  "/api/v1/integrations/slack",
  "/api/v1/mcp-connections",
  "/api/v1/native-tools",
  "/api/v1/api-keys",
  "/api/v1/widget-keys",
  "/api/v1/widget-settings",
  "/api/v1/telephony/numbers",
  "/api/v1/telephony/numbers?agent_id=x",
  "/api/v1/telephony/providers",
  "/api/v1/do-not-call",
  "/api/v1/campaigns",
  "/api/v1/account",
  "/api/v1/call-settings",
  "/api/v1/prices",
  "/api/v1/invitations",
];

/** Returns the paths of the reads from the ledger. */
const LEDGER_READS = (conversation: string, after: string) => [
  "/api/v1/conversations",
  "/api/v1/conversations?agent_id=x",
  `/api/v1/conversations?call_id=${conversation}`,
  "/api/v1/conversations?kind=call&disposition=x&since=2026-01-01T00:00:00Z&until=2027-01-01T00:00:00Z",
  `/api/v1/conversations?limit=1&after=${after}`,
  `/api/v1/conversations/${conversation}`,
];

/** Lists of the ledger. */
const LISTS = [
  "/api/v1/calls",
  "/api/v1/calls?agent_id=x",
  "/api/v1/calls?campaign_id=x",
  "/api/v1/calls?status=completed",
  "/api/v1/calls?phone_number=%2B12025550100",
  "/api/v1/calls?phone_number=%2B12025550100&agent_id=x&status=busy&since=2026-01-01T00:00:00Z",
  "/api/v1/calls?since=2026-01-01T00:00:00Z&until=2027-01-01T00:00:00Z",
  "/api/v1/calls?agent_id=x&status=busy&since=2026-01-01T00:00:00Z",
  "/api/v1/calls/statistics",
  "/api/v1/calls/statistics?since=2026-01-01T00:00:00Z&until=2026-01-15T00:00:00Z",
  "/api/v1/calls/statistics?agent_id=x&campaign_id=x&direction=inbound",
  "/api/v1/recordings",
  "/api/v1/recordings?agent_id=x",
  "/api/v1/usage",
  "/api/v1/usage?from=2026-01-01&to=2026-12-31&group_by=agent,campaign,api_key,kind",
];

describe("round trips", () => {
  it("reads of rows make one hop and at most one D1 round trip each, and never scan another account's rows", async () => {
    const { user } = await tenant();
    const { id } = (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    const lines: string[] = [];
    const plans = new Set<string>();
    for (const path of READS(id)) {
      // This write invalidates the cached responses.
      await user.patch("/api/v1/widget-settings", { logo_url: "" });
      const trips = await countRoundTrips(path, user.headers);
      lines.push(`${path.replace(id, "{id}").padEnd(75)} gate ${trips.objects}  D1 ${trips.d1}`);
      expect(trips, path).toMatchObject({ status: 200, objects: 1, replica: 0 });
      expect(trips.d1, path).toBeLessThanOrEqual(1);
      await user.patch("/api/v1/widget-settings", { logo_url: "" });
      for (const statement of await statementsOf(path, user.headers)) {
        for (const detail of await planOf(statement)) {
          // A scanned subquery returns at most one page.
          expect(detail, statement).not.toMatch(/^SCAN (?!json_each|\(subquery)|USE TEMP B-TREE/);
          if (/^SEARCH/.test(detail)) plans.add(detail);
          if (/^SEARCH/.test(detail)) expect(detail, statement).toMatch(/\((account|name)=\?/);
        }
      }
    }
    console.warn(["with a console token", ...lines, "", ...[...plans].sort()].join("\n"));
  });

  it("reads of the ledger make one hop to the gate, one to the ledger, and none to D1", async () => {
    const { user, account } = await tenant();
    await held({ account });
    const conversation = await held({ account });
    const { next } = (await user.get<{ next: string }>("/api/v1/conversations?limit=1")).body;
    for (const path of LEDGER_READS(conversation, next)) {
      const trips = await countRoundTrips(path, user.headers);
      expect(trips, path).toMatchObject({ status: 200, objects: 2, replica: 0, d1: 0 });
    }
  });

  it("lists and statistics of the ledger ask the gate and the ledger, and no database", async () => {
    const { user } = await tenant();
    await user.get("/api/v1/calls");
    for (const path of LISTS) {
      const trips = await countRoundTrips(path, user.headers);
      expect(trips, path).toMatchObject({ status: 200, objects: 2, d1: 0, replica: 0 });
    }
  });

  it("lists of the audit logs use an index for each filter and order", async () => {
    const [{ user }, admin] = [await tenant(), await operator()];
    const since = "since=2026-01-01T00:00:00Z";
    const filters = [since, `action=update&${since}`, `resource=user&${since}`, `actor=x&${since}`];
    const asked: [path: string, client: Client][] = [
      ...filters.map((filter): [string, Client] => [`/api/v1/audit-log?${filter}`, user]),
      ...[...filters, `account=acme&${since}`].map((filter): [string, Client] => [
        `/api/admin/v1/audit-log?${filter}`,
        admin,
      ]),
    ];
    for (const [path, { headers }] of asked) {
      const [, filter = ""] = /\?(\w+)=/.exec(path) ?? [];
      const column = filter === "account" ? "about_account" : filter;
      const found = filter === "since" ? "account=?" : `account=? AND ${column}=?`;
      // The statements that admit the session belong to another hop, and are not counted here.
      const statements = (await statementsOf(path, headers)).filter((statement) => statement.includes("audit_log"));
      expect(statements).toHaveLength(2);
      for (const statement of statements) {
        // A count with a limit is a subquery whose rows are counted.
        const plan = (await planOf(statement)).filter((step) => !/^(CO-ROUTINE|SCAN) (found|\(subquery)/.test(step));
        expect(plan, path).toEqual([expect.stringContaining(`(${found} AND at>?)`)]);
      }
    }
    const trips = await countRoundTrips("/api/admin/v1/audit-log", admin.headers);
    expect(trips).toMatchObject({ status: 200, objects: 1, d1: 1 });
  });

  it("lists of members ask the gate once more and the database once", async () => {
    const { user, account } = await tenant();
    const { id } = await newUser(account, "builder");
    const trips = await countRoundTrips("/api/v1/members", user.headers);
    expect(trips).toMatchObject({ status: 200, objects: 2, d1: 1 });
    for (const statement of await statementsOf("/api/v1/members", user.headers))
      for (const detail of await planOf(statement))
        expect(detail, statement).not.toMatch(/^SCAN (?!json_each|\(subquery)/);
    const writes: [method: string, path: string, body: object | undefined, trips: object][] = [
      ["PATCH", `/api/v1/members/${id}`, { role: "viewer" }, { objects: 3, d1: 1 }],
      ["POST", `/api/v1/members/${id}/reset-link`, {}, { objects: 1, d1: 2 }],
      ["DELETE", `/api/v1/members/${id}`, undefined, { objects: 2, d1: 0 }],
      ["POST", "/api/v1/invitations", { email: "a@people.example", role: "viewer" }, { objects: 1, d1: 1 }],
    ];
    for (const [method, path, body, expected] of writes) {
      const made = await countRoundTrips(path, user.headers, { method, body });
      expect(made, `${method} ${path}`).toMatchObject(expected);
      expect(made.status).toBeLessThan(300);
    }
  });

  it("lists of the audit log ask the gate, the database once, and the ledger once", async () => {
    const { user } = await tenant();
    await user.get("/api/v1/calls");
    for (const query of ["", "?action=update", "?resource=agent&actor=x", "?since=2026-01-01T00:00:00Z"]) {
      const trips = await countRoundTrips(`/api/v1/audit-log${query}`, user.headers);
      expect(trips, query).toMatchObject({ status: 200, objects: 2, d1: 1, replica: 0 });
    }
  });

  it("audited reads make no more round trips than others", async () => {
    const who = await caller();
    const { body } = await originate(who, "+13035550110");
    const { id } = await recordingOf(who.server, body.call_id);
    const address = await countRoundTrips(`/api/v1/recordings/${id}/url`, who.server.headers);
    expect(address).toMatchObject({ status: 200, objects: 2, d1: 0 });
  });

  it("lists of events ask the gate and the object that holds them, and no database", async () => {
    const { server, account } = await tenant();
    await take(account, happenings(1, 30));
    const after = happening(4).id;
    for (const query of ["", "?types=tool_run.failed,opt_out.added&limit=5", `?after=${after}&since=${timeOf(5)}`]) {
      const trips = await countRoundTrips(`/api/v1/events${query}`, server.headers);
      expect(trips, query).toMatchObject({ status: 200, objects: 2, d1: 0, replica: 0 });
    }
    const types = await countRoundTrips("/api/v1/event-types", server.headers);
    expect(types).toMatchObject({ status: 200, objects: 1, d1: 0 });
  });

  it("writes make two hops, of which the second is a single batch", async () => {
    const { user } = await tenant();
    // Caches the volumes of the ledger.
    await user.get("/api/v1/calls");
    const { id } = (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    const template = `/api/v1/marketplace/agents/${CATALOG.templates[0]?.id}/install`;
    const writes: [method: string, path: string, body: object | undefined, looked: number][] = [
      ["POST", "/api/v1/agents", { name: "b" }, 0],
      ["PATCH", `/api/v1/agents/${id}`, { system_prompt: "x" }, 0],
      ["POST", `/api/v1/agents/${id}/faqs`, { faq_id: "opening_hours" }, 1],
      ["POST", `/api/v1/agents/${id}/tools`, { tool_name: "send_sms" }, 1],
      ["DELETE", `/api/v1/agents/${id}`, undefined, 0],
      ["POST", "/api/v1/tools", { name: "mine" }, 0],
      ["PUT", "/api/v1/tools/mine", { tags: ["a"] }, 1],
      ["DELETE", "/api/v1/tools/mine", undefined, 1],
      ["POST", template, {}, 0],
      ["PATCH", "/api/v1/prices", { prices: [{ what: "speech/cartesia", unit_micros: 46_700 }] }, 1],
      ["POST", "/api/v1/integrations/slack/install", { secrets: { bot_token: "x" } }, 1],
    ];
    const lines: string[] = [];
    for (const [method, path, body, looked] of writes) {
      const trips = await countRoundTrips(path, user.headers, { method, body });
      lines.push(`${method.padEnd(7)}${path.replace(id, "{id}").padEnd(70)} gate ${trips.objects}  D1 ${trips.d1}`);
      // Deleting a tool also deletes its runs from the ledger.
      const hops = method === "DELETE" && path.startsWith("/api/v1/tools/") ? 3 : 2;
      expect(trips, `${method} ${path}`).toMatchObject({ objects: hops, d1: looked });
      expect(trips.status).toBeLessThan(300);
    }
    console.warn(["with a console token (the batch itself is the gate's)", ...lines].join("\n"));
  });
});
