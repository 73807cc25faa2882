import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type CallFilter, type CallPart, statementsOf } from "../../../src/records/ledger/call-queries.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { apiKey, type Client, type Tenant, tenant } from "../../support/client.ts";
import { callAt, haveVolumes, ledgerOf, volumeIn } from "../../support/ledger.ts";
import type { Call } from "./support.ts";

interface Page {
  calls: Call[];
  total: number;
  total_at_least: boolean;
  next: string | null;
}
type Query = Record<string, string | number>;

const CAMPAIGN = "019aa5c2-0e77-70d5-9e41-8a2b6f03c104";
const PATH = "/api/v1/calls";
const list = async (client: Client, query: Query = {}) => {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await client.get<Page>(`${PATH}?${params}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const idsOf = ({ calls }: Page) => calls.map(({ call_id }) => call_id);

/** Returns all pages of a list by following `next`. */
async function pages(client: Client, query: Query): Promise<Page[]> {
  const [found, limit] = [[await list(client, query)], 1_000];
  for (let next = found[0]?.next; typeof next === "string"; next = found.at(-1)?.next) {
    found.push(await list(client, { ...query, after: next }));
    expect(found.length).toBeLessThan(limit);
  }
  return found;
}

/** Creates an account whose ledger has three volumes with calls, newest last. */
async function withCalls(): Promise<Tenant & { reports: (LedgerReport & { part: "line" })[] }> {
  const who = await tenant();
  await haveVolumes(who, ["2026-11-01", "2026-11-08", "2026-11-15"]);
  const reports = Array.from({ length: 30 }, (_, i) => {
    const at = new Date(Date.parse("2026-11-05T10:00:00.000Z") + i * 12 * 3_600_000).toISOString();
    return callAt(at, {
      agent_id: `agent-${i % 2}`,
      agent_version: i < 4 ? null : (i % 3) + 1,
      campaign_id: i % 3 === 0 ? CAMPAIGN : null,
      status: i % 5 === 0 ? "busy" : "completed",
      to_number: `+1303555010${i % 4}`,
      from_number: i % 7 === 0 ? "+13035550100" : "+12025550100",
    });
  });
  await ledgerOf(who).report(reports);
  return { ...who, reports };
}

/** Copies a call into a volume this many times, with the same creation time. */
async function copy(who: Tenant, day: string, at: string, n: number, over: Record<string, string> = {}): Promise<void> {
  const seed = callAt(at);
  await ledgerOf(who).report([seed]);
  await runInDurableObject(volumeIn(who, day), (_, { storage }) => {
    const { columnNames } = storage.sql.exec("SELECT * FROM calls LIMIT 0");
    const id = `'${seed.id.slice(0, 24)}' || printf('%012x', n)`;
    const values = columnNames.map((name) => (name === "id" ? id : name in over ? `'${over[name]}'` : name));
    storage.sql.exec(
      `INSERT INTO calls (${columnNames.join(", ")})
        WITH RECURSIVE ns (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ns WHERE n < ?) SELECT ${values.join(", ")} FROM ns, calls WHERE id = ?`,
      n,
      seed.id,
    );
  });
}

describe("the list of calls", () => {
  it("`next` leads through all volumes and shows each call once under every filter", async () => {
    const { server, reports } = await withCalls();
    const filters: [Query, (line: LedgerReport & { part: "line" }) => boolean][] = [
      [{}, () => true],
      [{ agent_id: "agent-1" }, ({ line }) => line.agent_id === "agent-1"],
      [
        { agent_id: "agent-1", agent_version: 2 },
        ({ line }) => line.agent_id === "agent-1" && line.agent_version === 2,
      ],
      [
        { agent_id: "agent-1", agent_version: 2, status: "busy", phone_number: "+12025550100" },
        ({ line }) =>
          line.agent_id === "agent-1" &&
          line.agent_version === 2 &&
          line.status === "busy" &&
          line.from_number === "+12025550100",
      ],
      [{ agent_id: "agent-1", agent_version: 9 }, () => false],
      [{ campaign_id: CAMPAIGN }, ({ line }) => line.campaign_id === CAMPAIGN],
      [
        { agent_id: "agent-0", campaign_id: CAMPAIGN },
        ({ line }) => line.campaign_id !== null && line.agent_id === "agent-0",
      ],
      [{ status: "busy" }, ({ line }) => line.status === "busy"],
      [{ status: "busy", agent_id: "agent-1" }, ({ line }) => line.status === "busy" && line.agent_id === "agent-1"],
      [{ phone_number: "+13035550100" }, ({ line }) => [line.to_number, line.from_number].includes("+13035550100")],
      [
        { phone_number: "+13035550100", agent_id: "agent-0" },
        ({ line }) => line.agent_id === "agent-0" && [line.to_number, line.from_number].includes("+13035550100"),
      ],
      [
        { since: "2026-11-07T00:00:00Z", until: "2026-11-16T22:00:00Z" },
        ({ line }) => line.started_at !== null && line.started_at >= "2026-11-07" && line.started_at < "2026-11-16T22",
      ],
      [
        { since: "2026-11-07T10:00:00.001Z", agent_id: "agent-0" },
        ({ line }) => line.agent_id === "agent-0" && (line.started_at ?? "") > "2026-11-07T10:00:00.000Z",
      ],
    ];
    for (const [query, matches] of filters) {
      const expected = reports
        .filter(matches)
        .map(({ id }) => id)
        .reverse();
      const found = await pages(server, { ...query, limit: 4 });
      expect(found.flatMap(idsOf), JSON.stringify(query)).toEqual(expected);
      expect(found.map(({ total, total_at_least }) => [total, total_at_least])).toEqual(
        found.map(() => [expected.length, false]),
      );
      expect(found.slice(0, -1).every(({ calls }) => calls.length === 4)).toBe(true);
      expect(idsOf(await list(server, { ...query, limit: 3, offset: 2 }))).toEqual(expected.slice(2, 5));
    }
  });

  it("a cursor also skips across volumes", async () => {
    const { server, reports } = await withCalls();
    const newestFirst = reports.map(({ id }) => id).reverse();
    const { next } = await list(server, { limit: 1 });
    expect(idsOf(await list(server, { limit: 2, offset: 20, after: next ?? "" }))).toEqual(newestFirst.slice(21, 23));
    expect(await list(server, { limit: 2, offset: 40 })).toMatchObject({ calls: [], total: 30, next: null });
  });

  it("the list counts exactly where totals are kept, otherwise up to 10,000", async () => {
    const who = await tenant();
    await haveVolumes(who, ["2026-11-01", "2026-11-08"]);
    await copy(who, "2026-11-01", "2026-11-05T10:30:00.000Z", 6_000);
    await copy(who, "2026-11-08", "2026-11-09T10:30:00.000Z", 6_000);
    const totalOf = async (query: Query) => {
      const { total, total_at_least } = await list(who.server, query);
      return [total, total_at_least];
    };
    expect(await totalOf({})).toEqual([12_002, false]);
    expect(await totalOf({ agent_id: "agent" })).toEqual([12_002, false]);
    expect(await totalOf({ agent_id: "nobody" })).toEqual([0, false]);
    expect(await totalOf({ status: "completed" })).toEqual([10_000, true]);
    expect(await totalOf({ phone_number: "+13035550110" })).toEqual([10_000, true]);
    expect(await totalOf({ since: "2026-11-09T10:29:59Z" })).toEqual([6_001, false]);
  }, 60_000);

  it("the list does not count deleted calls, unlike statistics", async () => {
    const { server, reports, ...who } = await withCalls();
    await runInDurableObject(volumeIn(who, "2026-11-01"), (_, { storage }) => {
      storage.sql.exec("DELETE FROM calls WHERE id < ?", reports[3]?.id);
      storage.sql.exec("INSERT INTO call_retention (one, kept_from, due) VALUES (1, ?, 0)", reports[3]?.id);
    });
    expect(await list(server)).toMatchObject({ total: 27, total_at_least: false });
    expect(await list(server, { agent_id: "agent-0" })).toMatchObject({ total: 13 });
    expect(await list(server, { since: "2026-11-01T00:00:00Z" })).toMatchObject({ total: 27 });
  });

  it("the list reads a limited number of rows for a page, which may be empty while more remain", async () => {
    const who = await tenant();
    await haveVolumes(who, ["2026-11-01"]);
    await ledgerOf(who).report([callAt("2026-11-05T09:00:00.000Z", { status: "busy" })]);
    await copy(who, "2026-11-01", "2026-11-05T10:00:00.000Z", 25_000);
    const query = { agent_id: "agent", status: "busy", limit: 5 };
    const found = await pages(who.server, query);
    expect(found.map(({ calls }) => calls.length)).toEqual([0, 0, 1]);
    expect(found[0]).toMatchObject({ total: 0, total_at_least: true });
    // The cursor contains how many calls are still to be skipped.
    expect((await pages(who.server, { ...query, offset: 1 })).flatMap(idsOf)).toEqual([]);
  }, 60_000);

  it("every query of the list uses an index in its order", async () => {
    const who = await withCalls();
    const part: CallPart = { before: null, skip: 0, limit: 10, reads: 100 };
    const [status, phone_number, agent_id, campaign_id] = ["busy", "+13035550100", "agent", "campaign"] as const;
    const window = { since: "2026-11-07T00:00:00.000Z", until: "2026-11-16T00:00:00.000Z" };
    const filters: [CallFilter, string[]][] = [
      [{}, ["PRIMARY KEY"]],
      [{ agent_id }, ["calls_agent"]],
      [{ agent_id, agent_version: 3 }, ["calls_version"]],
      [{ agent_id, agent_version: 3, campaign_id, status }, ["calls_campaign"]],
      [{ campaign_id }, ["calls_campaign"]],
      [{ status }, ["calls_status"]],
      [{ phone_number }, ["calls_from", "calls_to"]],
      [{ agent_id, campaign_id }, ["calls_campaign"]],
      [{ agent_id, campaign_id, status }, ["calls_campaign"]],
      [{ agent_id, campaign_id, status: "in-progress" }, ["calls_status"]],
      [{ agent_id, campaign_id, status, phone_number }, ["calls_from", "calls_to"]],
    ];
    await runInDurableObject(volumeIn(who, "2026-11-08"), (_, { storage }) => {
      for (const [filter, indexes] of filters) {
        for (const { sql, values } of statementsOf({ ...filter, ...window }, part)) {
          const plan = storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).toArray();
          const steps = plan.map(({ detail }) => detail);
          const searches = steps.filter((step) => /(SEARCH|SCAN) calls/.test(step));
          expect(searches, sql).toHaveLength(indexes.length);
          for (const [i, index] of indexes.entries()) expect(searches[i]).toMatch(new RegExp(`SEARCH .*${index}.*id>`));
          expect(steps.join("\n"), sql).not.toContain("TEMP B-TREE");
        }
      }
    });
  });
});

describe("invalid cursors and filters of the list of calls", () => {
  it("the list refuses a cursor that is truncated, forged, or of another account or list", async () => {
    const [mine, other] = [await withCalls(), await withCalls()];
    const { next } = await list(mine.server, { limit: 2 });
    const theirs = (await list(other.server, { limit: 2 })).next ?? "";
    const cut = (next ?? "").slice(0, -2);
    const elsewhere = mine.reports[4]?.id ?? "";
    const [text = "", signature = ""] = (next ?? "").split(".");
    const forged = [`${text}.`, text, `${btoa('["g",0]')}.${signature}`, elsewhere, "", "x"];
    for (const after of [cut, theirs, ...forged]) {
      const { status, body } = await mine.server.get(`${PATH}?after=${encodeURIComponent(after)}`);
      expect([status, body], after).toEqual([400, expect.stringMatching(/^after: /)]);
    }
  });

  it("the list filters by version only together with an agent that the key may use", async () => {
    const { server, user } = await withCalls();
    for (const path of [PATH, `${PATH}/export`]) {
      const { status, body } = await server.get(`${path}?agent_version=2`);
      expect([status, body]).toEqual([400, expect.stringMatching(/^agent_version: requires agent_id/)]);
      for (const wrong of ["0", "x", "1.5", "live"])
        expect((await server.get(`${path}?agent_id=agent-1&agent_version=${wrong}`)).status, wrong).toBe(400);
    }
    const { body: agent } = await server.post<{ id: string }>("/api/v1/agents", { name: "Own" });
    const { server: one } = await apiKey(user, { scopes: ["read"], agent_ids: [agent.id] });
    expect((await list(one, { agent_version: 2 })).calls).toEqual([]);
    expect((await one.get(`${PATH}?agent_version=2&agent_id=agent-1`)).code).toBe("agent_not_allowed");
  });

  it("the list refuses to skip more than 10,000 calls with an error that names `after`", async () => {
    const { server } = await tenant();
    expect((await server.get(`${PATH}?offset=10000`)).status).toBe(200);
    const { status, body } = await server.get(`${PATH}?offset=10001`);
    expect([status, body]).toEqual([400, expect.stringMatching(/^offset: .*`after`/)]);
  });
});
