import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountEvents, ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { derivedId, idBeside, instantOf } from "../../../src/kernel/instant-ids.ts";
import {
  type Contribution,
  callContributions,
  conversationContributions,
} from "../../../src/records/ledger/counters.ts";
import { LedgerRecords } from "../../../src/records/ledger/records.ts";
import type { CallLine, CallRow, ConversationRow, LedgerReport } from "../../../src/records/ledger/report.ts";
import { Rows } from "../../../src/records/ledger/rows.ts";
import { calls, conversations } from "../../../src/records/ledger/schema.ts";
import { evict } from "../../support/evict.ts";
import { AT, conversation, DAY, later, lineReport, recording, rowsOf, toolRun, type Volume } from "./support.ts";

// Events older than a month are pruned.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(AT) + 86_400_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The events of one call, and its writers' reports. */
interface Story {
  at: number;
  lines: Partial<CallLine>[];
  hangup: boolean;
  talks: Partial<ConversationRow>[];
  recordings: number;
  runs: boolean[];
}

const STATUSES = [
  "queued",
  "initiated",
  "ringing",
  "in-progress",
  "completed",
  "busy",
  "no-answer",
  "failed",
  "canceled",
];
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const instant = fc.integer({ min: 0, max: 7_200_000 }).map(later);

/** Any revision of a line, including one that contradicts an earlier one. */
const line: fc.Arbitrary<Partial<CallLine>> = fc.record({
  status: fc.constantFrom(...STATUSES),
  agent_id: fc.constantFrom("a", "b"),
  agent_version: maybe(fc.integer({ min: 1, max: 2 })),
  campaign_id: maybe(fc.constant("c")),
  end_reason: maybe(fc.constantFrom("answered", "hangup", "machine", "rejected", "no_final_event", "Busy Here")),
  started_at: maybe(instant),
  connected_at: maybe(instant),
  ended_at: maybe(instant),
  metadata: fc.constantFrom({}, { answered_by: "machine" }),
});
const talk: fc.Arbitrary<Partial<ConversationRow>> = fc.record({
  agent_version: maybe(fc.integer({ min: 1, max: 2 })),
  turn_count: fc.nat(9),
  transferred_to: maybe(fc.constant("+12025550123")),
  usage: fc.record({
    input_tokens: fc.nat(900),
    cached_tokens: fc.nat(100),
    output_tokens: fc.nat(900),
    audio_ms: fc.nat(900),
    speech_chars: fc.nat(900),
    carrier_s: fc.nat(900),
    tool_runs: fc.nat(3),
  }),
});
const story: fc.Arbitrary<Story> = fc.record({
  at: fc.integer({ min: 0, max: 7_200_000 }),
  lines: fc.array(line, { maxLength: 4 }),
  hangup: fc.boolean(),
  talks: fc.array(talk, { maxLength: 3 }),
  recordings: fc.nat(2),
  runs: fc.array(fc.boolean(), { maxLength: 2 }),
});

/** Returns all reports of a call. Its conversation ends with its last revision. */
function reportsOf({ at, lines, hangup, talks, ...others }: Story, n: number): LedgerReport[] {
  const id = derivedId(Date.parse(AT) + at, "call", n);
  const talkId = derivedId(Date.parse(AT) + at, "conversation", n);
  const ended = (i: number): Partial<ConversationRow> =>
    i < talks.length - 1 ? {} : { status: "ended", ended_at: later(at + 9_000) };
  return [
    ...lines.map((over, i) => lineReport(id, i + 1, over)),
    ...(hangup ? [{ part: "hangup", id } satisfies LedgerReport] : []),
    ...talks.map((over, i): LedgerReport => {
      const row = conversation(talkId, Object.assign({ call_id: id, kind: "call" }, over, ended(i)));
      return { part: "conversation", row: Object.assign(row, { revision: i + 1 }) };
    }),
    ...Array.from({ length: others.recordings }, (_, i): LedgerReport => {
      const row = recording(derivedId(instantOf(id) ?? 0, "recording", n, i), id, { created_at: later(at + i) });
      return { part: "recording", row };
    }),
    ...others.runs.map((ok, i): LedgerReport => {
      const run_id = derivedId(instantOf(id) ?? 0, "run", n, i);
      return { part: "tool_run", row: toolRun(run_id, { ok, conversation_id: talkId, tool_call_id: `t${i}` }) };
    }),
  ];
}

type Step = { take: number; fate: "taken" | "fails, then taken" | "repeated"; isEvicted: boolean };
interface History {
  reports: LedgerReport[];
  steps: Step[];
}

/** The reports in any order, some of them lost and some repeated, in batches. */
const history: fc.Arbitrary<History> = fc
  .array(story, { minLength: 1, maxLength: 5 })
  .map((stories) => stories.flatMap(reportsOf))
  .chain((all) =>
    fc.record({
      reports: fc
        .array(fc.nat(Math.max(0, all.length - 1)), { maxLength: all.length * 2 })
        .map((order) => order.flatMap((i) => all[i] ?? [])),
      steps: fc.array(
        fc.record({
          take: fc.integer({ min: 1, max: 8 }),
          fate: fc.constantFrom<Step["fate"]>("taken", "taken", "fails, then taken", "repeated"),
          isEvicted: fc.boolean(),
        }),
        { minLength: 1, maxLength: 40 },
      ),
    }),
  );

/** Makes the batch fail at its last event, as if the process ended there. */
async function fail(volume: Volume, batch: LedgerReport[]): Promise<void> {
  await runInDurableObject(volume, (_, { storage }) => {
    const none = { hasPassed: () => false, changed: () => {}, resume: () => {}, added: () => {} };
    const outbox = {
      add: () => {
        throw new Error("cut off");
      },
    };
    const records = new LedgerRecords({ storage, outbox, retention: none, totals: none, acts: none });
    try {
      records.transaction(() => {
        records.take(batch);
        throw new Error("cut off");
      });
    } catch (error) {
      if (!String(error).includes("cut off")) throw error;
    }
  });
}

async function play(volume: Volume, played: History): Promise<void> {
  // Objects without a prototype, which fast-check creates, cannot be sent to another object.
  const { reports, steps }: History = JSON.parse(JSON.stringify(played));
  await volume.report([]);
  for (let at = 0, n = 0; at < reports.length; n++) {
    const { take, fate, isEvicted } = steps[n % steps.length] ?? { take: 1, fate: "taken", isEvicted: false };
    const batch = reports.slice(at, at + take);
    if (fate === "fails, then taken") await fail(volume, batch);
    await volume.report(batch);
    if (fate === "repeated") await volume.report(batch);
    if (isEvicted) await evict(volume);
    at += take;
  }
  while ((await rowsOf(volume, "SELECT 1 FROM outbox WHERE destination = 'events' LIMIT 1")).length > 0)
    await runDurableObjectAlarm(volume);
}

/** Returns all rows of the volume. */
function stored(volume: Volume) {
  return runInDurableObject(volume, (_, { storage: { sql } }) => {
    const ids = (table: string) => sql.exec<{ id: string }>(`SELECT id FROM ${table}`).toArray();
    const [callRows, talkRows] = [new Rows(sql, calls), new Rows(sql, conversations)];
    return {
      calls: ids("calls").flatMap(({ id }) => callRows.get(id) ?? []) as CallRow[],
      conversations: ids("conversations").flatMap(({ id }) => talkRows.get(id) ?? []) as ConversationRow[],
    };
  });
}

/** Returns the counters by a recount of all rows: the names of the key and of the sum, mapped to the sum. */
function recount(contributions: Contribution[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const one of contributions)
    for (const [name, by] of Object.entries(one.sums)) {
      const key = [...Object.values(one.key), name].join("|");
      all[key] = (all[key] ?? 0) + by;
    }
  return Object.fromEntries(Object.entries(all).filter(([, n]) => n !== 0));
}

const KEYS = ["hour", "agent_id", "agent_version", "campaign_id", "kind", "direction", "api_key_id", "model"];

async function counted(volume: Volume): Promise<Record<string, number>> {
  const rows = await rowsOf<Record<string, SqlStorageValue>>(volume, "SELECT * FROM counters");
  const entries = rows.flatMap((row) =>
    Object.keys(row)
      .filter((name) => !KEYS.includes(name))
      .map((name): [string, number] => [[...KEYS.map((key) => row[key]), name].join("|"), Number(row[name])]),
  );
  return Object.fromEntries(entries.filter(([, n]) => n !== 0));
}

interface EmittedEvent {
  type: string;
  about: string;
}

/** Returns the account's events in their sequence. */
function events(account: string): Promise<EmittedEvent[]> {
  return runInDurableObject(accountEvents(env, account), (_, { storage: { sql } }) => {
    const exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'events'").toArray().length > 0;
    const rows = exists
      ? sql.exec<{ type: string; data: string }>("SELECT type, data FROM events ORDER BY sequence")
      : [];
    return [...rows].map(({ type, data }) => {
      const { call_id, conversation_id, recording_id, run_id } = JSON.parse(data);
      const [kind] = type.split(".");
      return {
        type,
        about: { call: call_id, conversation: conversation_id, recording: recording_id }[kind ?? ""] ?? run_id,
      };
    });
  });
}

/** Returns the types of the events of a call or conversation in its final state, in their order. */
function expected({ calls: callRows, conversations: talkRows }: Awaited<ReturnType<typeof stored>>) {
  const ended = ({ ended_at }: ConversationRow) => (ended_at === null ? [] : ["conversation.ended"]);
  const ofTalks = talkRows.map((row): [string, string[]] => [row.id, ["conversation.started", ...ended(row)]]);
  return { calls: callRows.map(({ id }) => id), talks: new Map(ofTalks) };
}

describe("a history of reports in any order", () => {
  it("leaves the counters that a recount of all rows gives, and each event once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (played) => {
        const account = `t-${crypto.randomUUID()}`;
        const volume = ledgerVolume(env, account, DAY);
        await play(volume, played);
        const rows = await stored(volume);
        const counters = await counted(volume);
        expect(counters).toEqual(
          recount([...rows.calls.flatMap(callContributions), ...rows.conversations.flatMap(conversationContributions)]),
        );
        expect(Object.values(counters).filter((n) => n < 0)).toEqual([]);

        const all = await events(account);
        const of = (id: string) => all.filter(({ about }) => about === id).map(({ type }) => type);
        const { calls: ids, talks } = expected(rows);
        for (const [id, types] of talks) expect(of(id)).toEqual(types);
        for (const id of ids) {
          const types = of(id);
          const order = ["call.started", "call.answered", "call.ended"];
          expect(types).toEqual(order.filter((type) => types.includes(type)));
          const row = rows.calls.find((one) => one.id === id);
          if (row?.ended_at) expect(types.at(-1)).toBe("call.ended");
        }
        const failed = new Set(
          played.reports.flatMap((one) => (one.part === "tool_run" && !one.row.ok ? one.row.id : [])),
        );
        for (const id of failed) expect(of(id)).toEqual(["tool_run.failed"]);
        const sounds = new Set(played.reports.flatMap((one) => (one.part === "recording" ? one.row.id : [])));
        for (const id of sounds) expect(of(id)).toEqual(["recording.ready"]);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves each row as the newest revision of each part, in whatever order the parts arrived", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (played) => {
        const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, DAY);
        await play(volume, played);
        const rows = await stored(volume);
        const parts = Map.groupBy(played.reports, (one) => ("id" in one ? one.id : "row" in one ? callOf(one) : ""));
        for (const row of rows.calls) {
          const own = parts.get(row.id) ?? [];
          const lines = own.flatMap((one) => (one.part === "line" ? one : []));
          const newest = lines.toSorted((a, b) => b.revision - a.revision)[0];
          expect(row.line_revision).toBe(newest?.revision ?? 0);
          const { agent_version: placedWith = null, ...line } = newest?.line ?? {};
          if (newest) expect(row).toMatchObject(line);
          // The version that held a call's conversation takes precedence over the version with which it was placed.
          const heldWith = own.flatMap((one) => (one.part === "conversation" ? (one.row.agent_version ?? []) : []));
          expect(heldWith.length === 0 ? [placedWith] : [...heldWith, placedWith]).toContain(row.agent_version);
          expect(row.hangup_requested).toBe(own.some(({ part }) => part === "hangup"));
          const talks = own.flatMap((one) => (one.part === "conversation" ? one.row : []));
          expect(row.conversation_id).toBe(talks[0]?.id ?? null);
          const sounds = own.flatMap((one) => (one.part === "recording" ? one.row : []));
          const last = sounds.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];
          expect(row.recording_id).toBe(last?.id ?? null);
        }
        for (const row of rows.conversations) {
          const all = played.reports.flatMap((one) =>
            one.part === "conversation" && one.row.id === row.id ? one.row : [],
          );
          expect(row.revision).toBe(Math.max(...all.map(({ revision }) => revision)));
        }
      }),
      { numRuns: 30 },
    );
  });
});

function callOf(report: LedgerReport): string {
  if (report.part === "conversation" || report.part === "recording") return report.row.call_id ?? "";
  return "";
}

describe("a call whose end is taken back", () => {
  it("has one end event, the first, however often it ends again, and none after it", async () => {
    const account = `t-${crypto.randomUUID()}`;
    const volume = ledgerVolume(env, account, DAY);
    const id = derivedId(Date.parse(AT), "call", 1);
    const lines = [{ ended_at: later(1) }, { connected_at: later(2) }, { connected_at: later(2), ended_at: later(3) }];
    const reports = lines.map((over, i) => lineReport(id, i + 1, over));
    await play(volume, { reports, steps: [{ take: 1, fate: "taken", isEvicted: true }] });
    expect((await events(account)).map(({ type }) => type)).toEqual(["call.started", "call.ended"]);
  });
});

describe("a report that can never be stored", () => {
  it("a report that can never be stored is skipped without losing the others of its batch", async () => {
    const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, DAY);
    const [first, last, talk] = [0, 1, 2].map((n) => derivedId(Date.parse(AT), "call", n));
    const wrong = JSON.parse('{"status":null}');
    const row = conversation(talk ?? "", { usage: wrong });
    await volume.report([
      lineReport(first ?? "", 1),
      { part: "hangup", id: "not-a-uuid" },
      lineReport(idBeside(first ?? ""), 1, wrong),
      { part: "conversation", row },
      lineReport(last ?? "", 1),
    ]);
    const ids = (await stored(volume)).calls.map(({ id }) => id);
    expect(ids.toSorted()).toEqual([first, last].toSorted());
    expect((await counted(volume))[`${AT.slice(0, 13)}|agent|0|campaign|call|outbound|||calls`]).toBe(2);
  });
});

describe("a report from another release", () => {
  /**
   * Returns the error with which the volume refuses the reports; null if it accepts them. The outbox keeps a refused
   * batch.
   */
  const refusal = (volume: ReturnType<typeof ledgerVolume>, reports: LedgerReport[]) =>
    volume.report(reports).then(
      () => null,
      (error: unknown) => error,
    );

  it("a report of an unknown part is refused with its batch, so that the sender keeps it", async () => {
    const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, DAY);
    const id = derivedId(Date.parse(AT), "call", 0);
    const known = lineReport(id, 1);
    const unknown: LedgerReport = JSON.parse(JSON.stringify({ part: "whisper", row: { id } }));
    expect(await refusal(volume, [known, unknown])).toMatchObject({ message: expect.stringMatching(/whisper/) });
    expect((await stored(volume)).calls).toEqual([]);
    await volume.report([known]);
    expect((await stored(volume)).calls).toHaveLength(1);
  });

  it("a report that makes this release fail is refused with its batch", async () => {
    const volume = ledgerVolume(env, `t-${crypto.randomUUID()}`, DAY);
    const id = derivedId(Date.parse(AT), "call", 2);
    const report: LedgerReport = JSON.parse(JSON.stringify({ part: "line", id, revision: 1, line: null }));
    expect(await refusal(volume, [report])).toBeInstanceOf(TypeError);
  });
});
