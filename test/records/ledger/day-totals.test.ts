import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { GATHERING_MS } from "../../../src/records/ledger/day-totals.ts";
import { operator, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { AT, conversation, DAY, ENDED, later, lineReport, newVolume, rowsOf, type Volume } from "./support.ts";

const MINUTE_MS = 60_000;
/** The clock of these tests, which only they move. */
const now = Date.parse(AT) + 365 * 24 * 60 * MINUTE_MS;

interface Detail {
  days: Record<string, unknown>[];
}

/** Creates a volume of an existing account, with its own clock. */
async function volumeOfTenant() {
  const { account } = await tenant();
  vi.useFakeTimers({ toFake: ["Date"], now });
  const shown = async () => (await (await operator()).get<Detail>(`/api/admin/v1/accounts/${account}`)).body.days;
  return { account, volume: ledgerVolume(env, account, DAY), shown };
}
const stored = async (account: string) =>
  (
    await env.DB.prepare("SELECT day, revision, calls, answered FROM account_days WHERE account = ? ORDER BY day")
      .bind(account)
      .all()
  ).results;

/** Lets `ms` pass and runs the alarm until it has no more work. */
async function wakeAfter(volume: Volume, ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  for (let i = 0; i < 3; i++) {
    await runDurableObjectAlarm(volume);
    vi.setSystemTime(Date.now() + 2);
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the totals of an account's days", () => {
  it("a day's totals are in D1 within a minute as absolute sums", async () => {
    const { account, volume } = await volumeOfTenant();
    const [one, two, next] = [0, 1, 24 * 60 * MINUTE_MS].map((ms) => newId(Date.parse(AT) + ms));
    await volume.report([lineReport(one ?? "", 1), lineReport(two ?? "", 1, ENDED), lineReport(next ?? "", 1)]);
    expect(await stored(account)).toEqual([]);
    await wakeAfter(volume, GATHERING_MS);
    expect(GATHERING_MS).toBeLessThan(MINUTE_MS);
    const [day, after] = [DAY, "2026-11-24"];
    expect(await stored(account)).toEqual([
      { day, revision: 1, calls: 2, answered: 1 },
      { day: after, revision: 1, calls: 1, answered: 0 },
    ]);
    await volume.report([lineReport(one ?? "", 2, ENDED)]);
    await wakeAfter(volume, GATHERING_MS);
    expect(await stored(account)).toEqual([
      { day, revision: 2, calls: 2, answered: 2 },
      { day: after, revision: 1, calls: 1, answered: 0 },
    ]);
  });

  it("operators see a day's totals, with minutes, for the last days only", async () => {
    const { volume, shown } = await volumeOfTenant();
    const today = Date.now();
    const ended = { ...ENDED, connected_at: later(0), ended_at: later(3 * MINUTE_MS + 40_000) };
    const ids = [0, 1, 31].map((days) => newId(today - days * 24 * 60 * MINUTE_MS));
    await volume.report(ids.map((id) => lineReport(id, 1, ended)));
    const usage = { ...conversation("").usage, input_tokens: 500, output_tokens: 20, tool_runs: 2 };
    const id = idBeside(ids[0] ?? "");
    await volume.report([{ part: "conversation", row: conversation(id, { usage }) }]);
    await wakeAfter(volume, GATHERING_MS);
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const none = { conversations: 0, input_tokens: 0, output_tokens: 0, tool_runs: 0 };
    expect(await shown()).toEqual([
      Object.assign(
        { day: day(today), calls: 1, answered: 1, minutes: 4 },
        { conversations: 1, input_tokens: 500, output_tokens: 20, tool_runs: 2 },
      ),
      Object.assign({ day: day(today - 24 * 60 * MINUTE_MS), calls: 1, answered: 1, minutes: 4 }, none),
    ]);
  });

  it("count a conversation on its call's day, even if it begins after midnight", async () => {
    const volume = newVolume();
    const call = newId(Date.parse(`${DAY}T23:59:59.000Z`));
    const row = conversation(idBeside(call), { call_id: call, started_at: "2026-11-24T00:00:05.000Z" });
    await volume.report([lineReport(call, 1), { part: "conversation", row }]);
    expect(await rowsOf(volume, "SELECT day FROM days")).toEqual([{ day: DAY }]);
  });

  it("count failed model requests", async () => {
    const { account, volume } = await volumeOfTenant();
    const [one, other] = [newId(Date.parse(AT)), newId(Date.parse(AT) + 1)];
    const usage = Object.assign({}, conversation("").usage, { model_errors: 2 });
    await volume.report([{ part: "conversation", row: conversation(one, { usage }) }]);
    await volume.report([{ part: "conversation", row: conversation(other) }]);
    await wakeAfter(volume, GATHERING_MS);
    const errors = env.DB.prepare("SELECT model_errors FROM account_days WHERE account = ?").bind(account);
    expect(await errors.all()).toMatchObject({ results: [{ model_errors: 2 }] });
  });

  it("a day's totals are sent even if the volume was evicted before its alarm", async () => {
    const { account, volume } = await volumeOfTenant();
    await volume.report([lineReport(newId(Date.parse(AT)), 1)]);
    await evict(volume);
    await wakeAfter(volume, GATHERING_MS);
    expect(await stored(account)).toEqual([{ day: DAY, revision: 1, calls: 1, answered: 0 }]);
  });

  it("an older row that is delivered again does not replace a day's totals", async () => {
    const { account, volume } = await volumeOfTenant();
    await volume.report([lineReport(newId(Date.parse(AT)), 1)]);
    await env.DB.prepare("INSERT INTO account_days SELECT ?, ?, 7, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0")
      .bind(account, DAY)
      .run();
    await wakeAfter(volume, GATHERING_MS);
    expect(await rowsOf(volume, "SELECT 1 FROM outbox WHERE destination = 'd1'")).toEqual([]);
    expect(await stored(account)).toEqual([{ day: DAY, revision: 7, calls: 9, answered: 9 }]);
  });
});
