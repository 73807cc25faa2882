import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/records/analysis/analysis.ts";
import { type AnalysisReport, fitted, lookedFor } from "../../../src/records/analysis/brief.ts";
import { tenant } from "../../support/client.ts";
import { endedRow, held, later, ledgerOf, PATH, type Page, putRows } from "../conversations/support.ts";

const USE = { input_tokens: 100, cached_tokens: 10, output_tokens: 20, requests: 1 };

function done(over: Partial<AnalysisReport> = {}): AnalysisReport {
  const report: AnalysisReport = {
    run: 1,
    revision: 1,
    operation: null,
    status: "done",
    reason: null,
    successful: "success",
    summary: "S.",
    data: { day: "2026-11-27", who: "Ada Lovelace" },
    model: "openai/gpt-4o",
    usage: USE,
    rates: [],
    ended_at: later(90_000),
  };
  return Object.assign(report, over);
}

/** Records a conversation with these analyses, in their order. */
async function analyzed(who: Parameters<typeof held>[0], ...reports: AnalysisReport[]): Promise<string> {
  const id = await held(who);
  await ledgerOf(who).report(reports.map((analysis) => ({ part: "analysis", id, analysis })));
  return id;
}

const find = async (who: Awaited<ReturnType<typeof tenant>>, query: string) => {
  const { status, code, body } = await who.server.get<Page>(`${PATH}?${query}`);
  return status === 200 ? body.conversations.map(({ id }) => id) : [status, code];
};

describe("the conversations of an analysis", () => {
  it("conversations are found by the verdict or by values in either form", async () => {
    const who = await tenant();
    const a = await analyzed(who, done());
    const b = await analyzed(who, done({ successful: "failure", data: { day: "2026-11-28", seats: 2, vip: true } }));
    await held(who);
    expect(await find(who, "successful=success")).toEqual([a]);
    expect(await find(who, "successful=failure")).toEqual([b]);
    expect(await find(who, "data.day=2026-11-27")).toEqual([a]);
    expect(await find(who, "data[day]=2026-11-28")).toEqual([b]);
    expect(await find(who, "data.who=ada%20%20LOVELACE.")).toEqual([a]);
    expect(await find(who, "data.seats=2&data.vip=true&successful=failure")).toEqual([b]);
    expect(await find(who, "data.seats=2.0")).toEqual([b]);
    for (const other of ["-2", "20", "2.01", "0.2"]) expect(await find(who, `data.seats=${other}`)).toEqual([]);
    expect(await find(who, "data.seats=2&data.vip=false")).toEqual([]);
    expect(await find(who, `data.seats=2&agent_id=agent-1&since=${later(0)}&until=${later(1)}`)).toEqual([b]);
    expect(await find(who, "data.seats=2&agent_id=another")).toEqual([]);
    expect(await find(who, "data.day=Ada")).toEqual([]);
  });

  it("conversations are found by unverified values if the state asks for them", async () => {
    const who = await tenant();
    const a = await analyzed(who, done({ data: { day: "2026-11-27" } }));
    const b = await analyzed(who, done({ data: { seats: 2 }, unverified: { day: "2026-11-27" } }));
    expect(await find(who, "data.day=2026-11-27")).toEqual([a]);
    expect(await find(who, "data.day=2026-11-27&state=unverified")).toEqual([b]);
    const both = await find(who, "data.day=2026-11-27&state=found,unverified");
    expect(both.toSorted()).toEqual([a, b].toSorted());
    expect(await find(who, "data.day=2026-11-27&data.seats=2&state=unverified")).toEqual([]);
    expect(await find(who, "data.seats=2&data.day=2026-11-27&state=unverified,found")).toEqual([b]);
  });

  it("conversations found by a value are paged by value", async () => {
    const who = await tenant();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await analyzed(who, done()));
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await who.server.get<Page>(`${PATH}?data.day=2026-11-27&limit=2${after}`);
      seen.push(...body.conversations.map(({ id }) => id));
      after = body.next === null ? "" : `&after=${encodeURIComponent(body.next)}`;
    } while (after !== "");
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it.each([
    ["data=Ada", "unknown_query_parameter"],
    ["data.=Ada", "unknown_query_parameter"],
    ["date.day=1", "unknown_query_parameter"],
    ["data.__proto__=Ada", "unknown_query_parameter"],
    ["data.Day=1", "invalid_request"],
    ["data.day=", "invalid_request"],
    ["data.a=1&data.b=1&data.c=1&data.d=1&data.e=1&data.f=1", "invalid_request"],
    ["data.day=1&data.day=2", "repeated_query_parameter"],
    ["data.day=1&data[day]=2", "repeated_query_parameter"],
    ["successful=maybe", "invalid_request"],
    ["data.day=1&state=invalid", "invalid_request"],
    ["state=found&state=unverified", "repeated_query_parameter"],
  ])("the list of conversations refuses %s", async (query, code) => {
    expect(await find(await tenant(), query)).toEqual([400, code]);
  });

  it("have the account's values as columns in files", async () => {
    const who = await tenant();
    const data = ["day", "seats"].map((name) => ({ name, type: "text", description: "It." }));
    await who.server.post("/api/v1/agents", { name: "A", analysis: { enabled: true, data } });
    await analyzed(who, done({ summary: "=1+1", data: { day: "2026-11-27", gone: "x" }, unverified: { seats: 4 } }));
    const [head = "", row = ""] = (await who.server.get<string>(`${PATH}/export`)).body.split("\r\n");
    expect(head).toMatch(
      /,call_id,disclosed,disclosed_at,disclosed_text,successful,summary,data\.day,data\.day\.state,data\.seats,data\.seats\.state$/,
    );
    expect(row).toMatch(/,success,'=1\+1,2026-11-27,found,4,unverified$/);
  });
});

describe("a report of an analysis", () => {
  it("applies by run and revision, in whatever order reports arrive", async () => {
    const who = await tenant();
    const id = await analyzed(
      who,
      done({ run: 2, revision: 2, summary: "second", data: { day: "2026-12-01" } }),
      done({ run: 2, revision: 1, status: "pending", summary: null, data: {}, ended_at: null }),
      done({ run: 1, revision: 9 }),
    );
    const row = await ledgerOf(who).conversation(id);
    expect(row).toMatchObject({ analysis_status: "done", analysis_brief: { run: 2, summary: "second" } });
    expect(await find(who, "data.day=2026-11-27")).toEqual([]);
    expect(await find(who, "data.day=2026-12-01")).toEqual([id]);
  });

  it("later reports of a conversation neither lose its analysis nor restore a removed one", async () => {
    const who = await tenant();
    const row = endedRow();
    await putRows(who, [row]);
    await ledgerOf(who).report([{ part: "analysis", id: row.id, analysis: done() }]);
    await putRows(who, [Object.assign({}, row, { revision: 2, disposition: "late" })]);
    expect(await ledgerOf(who).conversation(row.id)).toMatchObject({ disposition: "late", analysis_status: "done" });
    await ledgerOf(who).removeConversations([row.id]);
    await ledgerOf(who).report([{ part: "analysis", id: row.id, analysis: done({ run: 2 }) }]);
    expect(await ledgerOf(who).conversation(row.id)).toBeNull();
    expect(await find(who, "data.day=2026-11-27")).toEqual([]);
  });

  it("adds what each analysis used, and never subtracts from it", async () => {
    const who = await tenant();
    const id = await analyzed(who, done());
    const used = async () => {
      const query = { from: "2020-01-01", to: "2100-01-01", by: ["kind" as const], limit: 9 };
      const rows = await ledgerOf(who).usage(query);
      const sums = rows.find(({ group }) => group[0] === "analysis")?.sums ?? [];
      return sums.slice(4, 7);
    };
    expect(await used()).toEqual([100, 10, 20]);
    const again = (revision: number, input_tokens: number) =>
      ledgerOf(who).report([
        { part: "analysis", id, analysis: done({ run: 2, revision, usage: Object.assign({}, USE, { input_tokens }) }) },
      ]);
    await again(1, 0);
    expect(await used()).toEqual([100, 20, 40]);
    await again(2, 50);
    await again(2, 50);
    expect(await used()).toEqual([150, 20, 40]);
  });
});

describe("the analysis in a row", () => {
  it("takes at most 4 KB, whatever was found", () => {
    const data = Object.fromEntries(
      Array.from({ length: 30 }, (_, i): [string, Value] => [`${"n".repeat(60)}_${i}`, "ü".repeat(500)]),
    );
    for (const found of [
      { summary: "ü".repeat(2_000), data },
      { summary: "ü".repeat(2_000), data, unverified: data, absent: { gone: "invalid" as const } },
      { summary: null, data: { a: 1 } },
    ]) {
      const brief = fitted(found);
      expect(new TextEncoder().encode(JSON.stringify(brief)).length).toBeLessThanOrEqual(3_300);
    }
    const { data: kept, unverified } = fitted({ summary: null, data: { a: "b" }, unverified: data });
    expect(kept).toEqual({ a: "b" });
    expect(Object.keys(unverified ?? {}).length).toBeLessThan(30);
    expect(fitted({ summary: "S.", data: { a: "b" } })).toEqual({ summary: "S.", data: { a: "b" } });
  });

  it("an analysis is searched without case or punctuation, except in days and numbers", () => {
    expect(["Ada  LOVELACE!", "2026-11-27", "-3.50", "007", "100.0", "10", true, 3.5].map(lookedFor)).toEqual([
      "ada lovelace",
      "2026-11-27",
      "-3.5",
      "007",
      "100",
      "10",
      "true",
      "3.5",
    ]);
  });
});
