import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf } from "../../../src/records/prices/cost.ts";
import { call, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { callReport, conversationReport, report, TODAY_MS, today } from "./support.ts";

const PATH = "/api/v1/usage";
const HOUR_MS = 3_600_000;
type Row = Record<string, string | number | null>;
type Tenant = Awaited<ReturnType<typeof tenant>>;

async function usage({ server }: Tenant, query = ""): Promise<Row[]> {
  const answer = await server.get<{ usage: Row[] }>(`${PATH}?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.usage;
}
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns a reported conversation in which a second model wrote this many tokens, at this price per million input
 * tokens.
 */
function answeredByTwo(
  one: ReturnType<typeof conversationReport>,
  { tokens, price }: { tokens: number; price: number | null },
) {
  const { usage: used, rates } = one.row;
  const share = { cached_tokens: 0, model_errors: 0 };
  used.models = [
    Object.assign(
      { model: "openai/gpt-4o", fallback: false, input_tokens: used.input_tokens, output_tokens: 7 },
      share,
    ),
    Object.assign({ model: "custom_llm/qwen", fallback: true, input_tokens: tokens, output_tokens: tokens }, share),
  ];
  used.input_tokens += tokens;
  used.output_tokens = 7 + tokens;
  const ofSecond = { what: "model/custom_llm/input", unit_micros: price, fallback: true };
  const ofFirst = (rates ?? []).map((rate) => Object.assign({}, rate, { fallback: false }));
  one.row.rates = [...ofFirst, ...ofFirst.map((rate) => Object.assign({}, rate, ofSecond))];
  return one;
}

describe("usage by model", () => {
  it("names the model that answered, and null for calls and for conversations that have not ended", async () => {
    const who = await tenant();
    const live = conversationReport(TODAY_MS, null, { status: "live", ended_at: null, rates: null });
    await report(who.account, callReport(TODAY_MS), conversationReport(TODAY_MS, 2_000_000), live);
    expect(await usage(who, "group_by=model")).toMatchObject([
      { model: null, calls: 1, conversations: 1, input_tokens: 1_000_000, cost: 0 },
      { model: "gpt-4o", calls: 0, conversations: 1, input_tokens: 1_000_000, cost: 2_000_000 },
    ]);
  });

  it("counts a conversation under its model alone once it has ended", async () => {
    const who = await tenant();
    const live = conversationReport(TODAY_MS, null, { status: "live", ended_at: null, rates: null });
    await report(who.account, live);
    const ended = conversationReport(TODAY_MS, 3_000_000, { id: live.row.id, revision: 2 });
    await report(who.account, ended);
    expect(await usage(who, "group_by=model")).toMatchObject([{ model: "gpt-4o", conversations: 1, cost: 3_000_000 }]);
  });

  it("gives each of two models its own tokens and cost, and the conversation to the one that wrote more", async () => {
    const who = await tenant();
    const one = conversationReport(TODAY_MS, 2_000_000);
    await report(who.account, answeredByTwo(one, { tokens: 500_000, price: 1_000_000 }));
    expect(await usage(who, "group_by=model")).toMatchObject([
      { model: "custom_llm", conversations: 1, tool_runs: 1, input_tokens: 500_000, cost: 500_000 },
      { model: "gpt-4o", conversations: 0, tool_runs: 0, input_tokens: 1_000_000, output_tokens: 7, cost: 2_000_000 },
    ]);
  });

  it("marks the unknown price of one of two models once", async () => {
    const who = await tenant();
    await report(
      who.account,
      answeredByTwo(conversationReport(TODAY_MS, 2_000_000), { tokens: 500, price: null }),
      answeredByTwo(conversationReport(TODAY_MS, null), { tokens: 500, price: null }),
    );
    const rows = await usage(who, "group_by=model");
    expect(rows.reduce((sum, row) => sum + Number(row.cost_incomplete), 0)).toBe(2);
  });

  it("names all models of the account's own server together", async () => {
    const who = await tenant();
    const reports = Array.from({ length: 30 }, (_, n) => {
      const one = conversationReport(TODAY_MS + n, 5);
      one.row.rates = (one.row.rates ?? []).map((rate) => Object.assign({}, rate, { what: "model/custom_llm/input" }));
      return one;
    });
    await report(who.account, ...reports);
    expect(await usage(who, "group_by=model")).toMatchObject([{ model: "custom_llm", conversations: 30 }]);
  });
});

describe("usage", () => {
  it("usage has a row for each day with use, up to today", async () => {
    const who = await tenant();
    expect(await usage(who)).toEqual([]);
    await report(who.account, callReport(TODAY_MS), conversationReport(TODAY_MS + 1, 2_500_000));
    const { body } = await who.user.get<{ from: string; to: string }>(PATH);
    expect([body.from, body.to]).toEqual([dayOf(TODAY_MS - 29 * 24 * HOUR_MS), dayOf(TODAY_MS + 24 * HOUR_MS)]);
    expect(await usage(who)).toEqual([
      {
        day: today(),
        calls: 1,
        answered: 1,
        conversations: 1,
        minutes: 1.5,
        input_tokens: 1_000_000,
        cached_tokens: 0,
        output_tokens: 7,
        speech_chars: 0,
        carrier_s: 0,
        tool_runs: 1,
        cost: 2_500_000,
        cost_incomplete: 0,
      },
    ]);
  });

  it("usage is grouped by agent, campaign, key and kind, with null for none", async () => {
    const who = await tenant();
    const [campaign_id, api_key_id] = [newId(), newId()];
    await report(
      who.account,
      callReport(TODAY_MS, { agent_id: "a", campaign_id }),
      callReport(TODAY_MS, { agent_id: "b", api_key_id, connected_at: null, status: "busy" }),
      conversationReport(TODAY_MS, 1_000, { agent_id: "a", campaign_id, kind: "call" }),
      conversationReport(TODAY_MS, null, { agent_id: "b" }),
    );
    expect(await usage(who, "group_by=agent,kind")).toMatchObject([
      { agent_id: "a", kind: "call", calls: 1, answered: 1, conversations: 1, cost: 1_000, cost_incomplete: 0 },
      { agent_id: "b", kind: "call", calls: 1, answered: 0, conversations: 0, cost: 0 },
      { agent_id: "b", kind: "widget", calls: 0, conversations: 1, cost: 0, cost_incomplete: 1 },
    ]);
    expect(await usage(who, "group_by=campaign")).toMatchObject([
      { campaign_id: null, calls: 1, conversations: 1 },
      { campaign_id, calls: 1, conversations: 1 },
    ]);
    expect(await usage(who, "group_by=api_key")).toMatchObject([
      { api_key_id: null, calls: 1 },
      { api_key_id, calls: 1 },
    ]);
    expect(await usage(who, "group_by=")).toMatchObject([
      { calls: 2, conversations: 2, cost: 1_000, cost_incomplete: 1 },
    ]);
  });

  it("usage includes `from` and excludes `to`, in UTC days that may be written as midnights", async () => {
    const who = await tenant();
    const night = TODAY_MS + 24 * HOUR_MS - 1;
    await report(who.account, callReport(TODAY_MS), callReport(night), callReport(night + 1));
    const [first, next] = [today(), dayOf(night + 1)];
    expect(await usage(who, `from=${first}&to=${next}`)).toMatchObject([{ day: first, calls: 2 }]);
    expect(await usage(who, `from=${next}T00:00:00Z&to=${dayOf(night + 25 * HOUR_MS)}`)).toMatchObject([
      { day: next, calls: 1 },
    ]);
  });

  it("usage can be exported as a CSV that no spreadsheet evaluates", async () => {
    const who = await tenant();
    await report(who.account, callReport(TODAY_MS, { agent_id: "=1+1" }));
    const csv = await who.server.get<string>(`${PATH}?group_by=day,agent`, { accept: "text/csv" });
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="usage-.*\.csv"$/);
    const [head, row] = csv.body.split("\r\n");
    expect(head).toMatch(/^day,agent_id,calls,answered,conversations,minutes,/);
    expect(row).toMatch(new RegExp(`^${today()},"?'=1\\+1"?,1,1,0,1.5,`));
  });

  it("usage adds up to the conversations' own costs and counts in any grouping", async () => {
    const who = await tenant();
    const some = (...names: string[]) => fc.constantFrom(...names);
    const conversation = fc.record({
      at: fc.integer({ min: TODAY_MS, max: TODAY_MS + 40 * HOUR_MS }),
      price: fc.option(fc.integer({ min: 0, max: 20_000_000 })),
      agent_id: some("a", "b", "c"),
      kind: fc.constantFrom("call" as const, "widget" as const, "test" as const),
      campaign_id: fc.option(some("k", "l")),
      api_key_id: fc.option(some("x", "y")),
      tokens: fc.integer({ min: 0, max: 5_000_000 }),
      second: fc.option(
        fc.record({ tokens: fc.integer({ min: 0, max: 5_000_000 }), price: fc.option(fc.nat(20_000_000)) }),
      ),
    });
    const [samples = []] = fc.sample(fc.array(conversation, { minLength: 60, maxLength: 60, size: "max" }), 1);
    const reports = samples.map(({ at, price, tokens, second, ...over }) => {
      const one = conversationReport(at, price, over);
      Object.assign(one.row.usage, { input_tokens: tokens });
      return second === null ? one : answeredByTwo(one, second);
    });
    await report(who.account, ...reports);
    const costs = reports.map(({ row }) => costOf(row.usage, row.rates ?? []));
    const expected = {
      conversations: reports.length,
      input_tokens: reports.reduce((sum, { row }) => sum + row.usage.input_tokens, 0),
      tool_runs: reports.length,
      cost: costs.reduce((sum, { amount_micros }) => sum + amount_micros, 0),
      cost_incomplete: costs.filter(({ complete }) => !complete).length,
    };
    const window = `from=${today()}&to=${dayOf(TODAY_MS + 48 * HOUR_MS)}`;
    const names = ["day", "agent", "campaign", "api_key", "kind", "model"];
    for (let subset = 0; subset < 2 ** names.length; subset++) {
      const by = names.filter((_, at) => (subset >> at) % 2 === 1);
      const rows = await usage(who, `${window}&group_by=${by.join(",")}`);
      const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
      expect([by, Object.fromEntries(Object.keys(expected).map((name) => [name, sum(name)]))]).toEqual([by, expected]);
      const groups = rows.map((row) =>
        JSON.stringify(by.map((name) => row[["day", "kind", "model"].includes(name) ? name : `${name}_id`])),
      );
      expect(new Set(groups).size).toBe(rows.length);
    }
  });

  it("usage is returned for a year by day and agent", async () => {
    const who = await tenant();
    await report(who.account, callReport(TODAY_MS));
    const from = dayOf(TODAY_MS - 365 * 24 * HOUR_MS);
    expect(await usage(who, `from=${from}&to=${dayOf(TODAY_MS + 24 * HOUR_MS)}&group_by=day,agent`)).toHaveLength(1);
  });
});

describe("the usage endpoint", () => {
  it.each([
    ["from=yesterday", "from"],
    ["from=2026-02-30", "from"],
    ["from=2026-11-20T09:00:00Z", "from"],
    ["to=2026-13-01", "to"],
    ["from=2026-11-20&to=2026-11-20", "to"],
    ["from=2026-11-21&to=2026-11-20", "to"],
    ["from=9999-01-01", "from"],
    ["from=2025-01-01&to=2026-11-20", "from"],
    ["group_by=planet", "group_by"],
    ["group_by=day,day", "group_by"],
  ])("the usage endpoint refuses %s and names the field", async (query, field) => {
    const who = await tenant();
    const { status, body } = await who.user.get(`${PATH}?${query}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(new RegExp(`^"${field}\\b`))]);
  });
});

describe("the usage of an account", () => {
  it("includes no usage of another account", async () => {
    const [who, other] = [await tenant(), await tenant()];
    await report(who.account, callReport(TODAY_MS));
    expect(await usage(other)).toEqual([]);
    expect((await call("GET", PATH)).status).toBe(401);
  });
});
