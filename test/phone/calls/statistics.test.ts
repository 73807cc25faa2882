import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALL_STATUSES, isTerminal } from "../../../src/records/ledger/call-status.ts";
import { END_REASONS } from "../../../src/records/ledger/end-reason.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { type Client, tenant } from "../../support/client.ts";
import { callAt, haveVolumes, ledgerOf } from "../../support/ledger.ts";
import { type Call, type Calls, caller, isOver, originate, settled, slowly } from "./support.ts";

const PATH = "/api/v1/calls/statistics";

interface Counts {
  calls: number;
  running: number;
  answered: number;
  end_reasons: Record<string, number>;
  talk_s: number;
  answer_rate: number | null;
}
interface Statistics {
  since: string;
  until: string;
  interval: string;
  totals: Counts;
  buckets: (Counts & { at: string })[];
}

const NONE: Counts = {
  calls: 0,
  running: 0,
  answered: 0,
  end_reasons: Object.fromEntries(END_REASONS.map((reason) => [reason, 0])),
  talk_s: 0,
  answer_rate: null,
};

async function statistics(client: Client, query: Record<string, string> = {}): Promise<Statistics> {
  const { status, body } = await client.get<Statistics>(`${PATH}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Returns the expected counts of these calls, from the list. */
function countOf(listed: Call[]): Counts {
  const over = listed.filter(isOver);
  const answered = listed.filter(
    ({ status, connected_at, end_reason, metadata }) =>
      (status === "completed" || connected_at !== null) &&
      end_reason !== "machine" &&
      metadata.answered_by !== "machine",
  );
  const decided = new Set([...over, ...answered]).size;
  const reasons = END_REASONS.map((reason) => [reason, over.filter(({ end_reason }) => end_reason === reason).length]);
  return {
    calls: listed.length,
    running: listed.length - over.length,
    answered: answered.length,
    end_reasons: Object.fromEntries(reasons),
    talk_s: Math.round(over.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0) / 1000),
    answer_rate: decided === 0 ? null : answered.length / decided,
  };
}

const LENGTH_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Calls of every kind within five hours around midnight. */
const BEGIN = Date.parse("2026-11-20T21:30:00.000Z");
const anyCall = fc
  .record({
    after: fc.integer({ min: 0, max: 5 * 3_600_000 }),
    status: fc.constantFrom(...CALL_STATUSES),
    word: fc.option(fc.constantFrom(...END_REASONS, "call_rejected", "Normal Clearing")),
    connected: fc.boolean(),
    talked: fc.integer({ min: 0, max: 600_000 }),
    metadata: fc.constantFrom({}, { answered_by: "human" }, { answered_by: "machine" }),
    hangup: fc.boolean(),
    agent_id: fc.constantFrom("one", "two"),
    campaign_id: fc.constantFrom(null, "019aa5c2-0e77-70d5-9e41-8a2b6f03c104"),
    direction: fc.constantFrom("outbound" as const, "inbound" as const),
  })
  .map(
    ({
      after,
      status,
      word,
      connected,
      talked,
      metadata,
      hangup,
      agent_id,
      campaign_id,
      direction,
    }): LedgerReport[] => {
      const created_at = new Date(BEGIN + after).toISOString();
      const over = isTerminal(status);
      const line = callAt(created_at, {
        status,
        end_reason: over ? word : null,
        connected_at: connected ? created_at : null,
        ended_at: over ? new Date(BEGIN + after + talked).toISOString() : null,
        metadata,
        agent_id,
        campaign_id,
        direction,
      });
      return hangup ? [{ part: "hangup", id: line.id }, line] : [line];
    },
  );

describe("statistics of calls", () => {
  it("statistics count the calls of the list by minute, hour and day under each filter", async () => {
    const who = await tenant();
    await haveVolumes(who, ["2026-11-19", "2026-11-21"]);
    await ledgerOf(who).report(fc.sample(anyCall, 100).flat());
    const listed = (await who.server.get<Calls>("/api/v1/calls?limit=100")).body.calls;
    expect(listed).toHaveLength(100);
    const window = { since: "2026-11-20T21:00:00Z", until: "2026-11-21T03:00:00Z" };
    const campaign_id = "019aa5c2-0e77-70d5-9e41-8a2b6f03c104";
    const filters: Record<string, string>[] = [
      {},
      { agent_id: "one" },
      { campaign_id },
      { direction: "inbound" },
      { agent_id: "two", campaign_id, direction: "outbound" },
      { agent_id: "nobody" },
    ];
    for (const filter of filters) {
      const chosen = listed.filter((call) =>
        Object.entries(filter).every(([name, value]) => Reflect.get(call, name) === value),
      );
      for (const interval of ["minute", "hour", "day"]) {
        const { totals, buckets } = await statistics(who.server, { ...window, ...filter, interval });
        const length = LENGTH_MS[interval] ?? 0;
        const expected = buckets.map(({ at }) => {
          const own = chosen.filter(({ created_at }) => {
            const after = Date.parse(created_at) - Date.parse(at);
            return after >= 0 && after < length;
          });
          return { at, ...countOf(own) };
        });
        expect(buckets, `${interval} ${JSON.stringify(filter)}`).toEqual(expected);
        expect(totals).toEqual(countOf(chosen));
      }
    }
  });

  it("statistics show empty buckets as zeros within a window of whole UTC buckets", async () => {
    const who = await tenant();
    await haveVolumes(who, ["2026-11-19"]);
    await ledgerOf(who).report([callAt("2026-11-20T22:59:59.999Z")]);
    const query = { since: "2026-11-21T00:30:00+02:00", until: "2026-11-20T23:00:00.001Z", interval: "hour" };
    const { since, until, buckets, totals } = await statistics(who.server, query);
    expect([since, until]).toEqual(["2026-11-20T22:00:00.000Z", "2026-11-21T00:00:00.000Z"]);
    expect(buckets.map(({ at, calls: n }) => [at, n])).toEqual([
      ["2026-11-20T22:00:00.000Z", 1],
      ["2026-11-20T23:00:00.000Z", 0],
    ]);
    expect(buckets[1]).toEqual({ at: "2026-11-20T23:00:00.000Z", ...NONE });
    expect(totals).toMatchObject({ calls: 1, answered: 1, answer_rate: 1 });
    const whole = await who.server.get<Calls>(`/api/v1/calls?since=${since}&until=${until}`);
    expect(whole.body.total).toBe(totals.calls);
  });

  it("statistics cover the last 24 hours by the hour by default, with calls in progress", async () => {
    const who = await caller();
    const busy = (await originate(who, "+13035550101")).body.call_id;
    await settled(who.server, busy, isOver);
    await slowly(who);
    await originate(who, "+13035550110");
    const { interval, since, until, totals, buckets } = await statistics(who.server);
    expect(interval).toBe("hour");
    expect(Date.parse(until) - Date.parse(since)).toBe(buckets.length * 3_600_000);
    expect([24, 25]).toContain(buckets.length);
    expect(Date.parse(until)).toBeGreaterThan(Date.now() - 3_600_000);
    expect(totals).toEqual({
      ...NONE,
      calls: 2,
      running: 1,
      end_reasons: { ...NONE.end_reasons, busy: 1 },
      answer_rate: 0,
    });
  });

  it("statistics report a call whose machine was detected after its end", async () => {
    const who = await tenant();
    await haveVolumes(who, ["2026-11-19"]);
    const call = callAt("2026-11-20T12:00:00.000Z");
    await ledgerOf(who).report([call]);
    const query = { since: "2026-11-20T12:00:00Z", until: "2026-11-20T20:00:00Z", interval: "hour" };
    expect((await statistics(who.server, query)).totals).toMatchObject({ answered: 1, end_reasons: { answered: 1 } });
    const line = Object.assign({}, call.line, { metadata: { answered_by: "machine" } });
    await ledgerOf(who).report([{ part: "line", id: call.id, revision: 2, line }]);
    const { totals } = await statistics(who.server, query);
    expect(totals).toMatchObject({ answered: 0, answer_rate: 0, end_reasons: { answered: 0, machine: 1 } });
  });
});

describe("invalid windows and other accounts in statistics of calls", () => {
  it.each([
    ["since=yesterday", /^since: must be an ISO 8601 time/],
    ["interval=week", /^interval: /],
    ["direction=sideways", /^direction: /],
    ["status=busy", /status is unknown/],
    ["since=2026-11-21T00:00:00Z&until=2026-11-21T00:00:00Z", /^until: the window ends before it starts/],
    ["since=2999-01-01T00:00:00Z", /^since: the window ends before it starts/],
    [
      "since=2025-11-01T00:00:00Z&until=2026-11-02T00:00:00.001Z",
      /^since: the window must not be longer than 366 days/,
    ],
    [
      "since=2026-11-20T00:00:00Z&until=2026-11-20T06:41:00Z&interval=minute",
      /^interval: 401 buckets of one minute are more than the maximum of 400/,
    ],
  ])("statistics answer 400 for %s", async (query, message) => {
    const { server } = await tenant();
    const { status, body } = await server.get(`${PATH}?${query}`);
    expect([status, body]).toEqual([400, expect.stringMatching(message)]);
  });

  it("statistics accept the longest allowed windows", async () => {
    const { server } = await tenant();
    const year = { since: "2025-11-14T00:30:00Z", until: "2026-11-15T00:30:00Z" };
    expect((await statistics(server, year)).buckets).toHaveLength(367);
    const weeks = { since: "2026-11-01T00:30:00Z", until: "2026-11-15T00:30:00Z" };
    expect((await statistics(server, { ...weeks, interval: "hour" })).buckets).toHaveLength(337);
    const minutes = { since: "2026-11-20T00:00:00Z", until: "2026-11-20T06:40:00Z", interval: "minute" };
    expect((await statistics(server, minutes)).buckets).toHaveLength(400);
  });

  it("statistics count no call of another account, even if its agent or campaign is named", async () => {
    const [owner, other] = [await tenant(), await tenant()];
    const campaign_id = crypto.randomUUID();
    await ledgerOf(owner).report([callAt(new Date().toISOString(), { agent_id: "theirs", campaign_id })]);
    for (const query of [{}, { agent_id: "theirs" }, { campaign_id }]) {
      expect((await statistics(owner.server, query)).totals.calls).toBe(1);
      expect((await statistics(other.server, query)).totals).toEqual(NONE);
    }
  });
});
