import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/time.ts";
import type { KeptFrom } from "../../../src/records/ledger/record-retention.ts";
import {
  afterBatch,
  afterFailure,
  newRound,
  type RecordCursor,
  type RetentionRound,
} from "../../../src/records/ledger/retention-round.ts";
import { tellDueLedgers } from "../../../src/records/ledger/tell-retention.ts";
import { type Job, runJobs } from "../../../src/scheduled-jobs.ts";

const NEVER = Number.POSITIVE_INFINITY;
const NOON = Date.parse("2027-03-01T12:00:00Z");

/** Deletes all records that can be deleted in one round. Returns the remaining records and the failures. */
function runRound(records: RecordCursor[], poisoned: ReadonlySet<string>) {
  let left = records;
  let failures = 0;
  let round: RetentionRound | null = newRound("9", 0);
  while (round !== null && round.since === 0 && round.due_at < 600_000 + 60_000 * failures) {
    const { after, rows }: RetentionRound = round;
    const found = left.filter(({ at, id }) => at > after.at || (at === after.at && id > after.id)).slice(0, rows);
    if (found.some(({ id }) => poisoned.has(id))) {
      failures++;
      round = afterFailure(round, found, 0);
      continue;
    }
    left = left.filter((one) => !found.includes(one));
    const next: RetentionRound | null = afterBatch(round, found, 0);
    if (next !== null && next.after.at === "" && next.after.id === "") return { left, failures, again: true };
    round = next;
  }
  return { left, failures, again: false };
}

describe("a retention round", () => {
  it("deletes every record except failing ones, which the next round retries", () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 1_500 });
    fc.assert(
      fc.property(places, fc.array(fc.nat(1_499), { maxLength: 3 }), (numbers, bad) => {
        const records = numbers.toSorted((a, b) => a - b).map((n) => ({ at: "1", id: String(n).padStart(5, "0") }));
        const poisoned = new Set(bad.flatMap((n) => records[n]?.id ?? []));
        const { left, again } = runRound(records, poisoned);
        expect(new Set(left.map(({ id }) => id))).toEqual(poisoned);
        expect(again).toBe(poisoned.size > 0);
      }),
      { numRuns: 50 },
    );
  });
});

/** Creates ledgers that record who was notified. Those in `away` fail. */
function ledgers(away: ReadonlySet<string> = new Set()) {
  const told: string[] = [];
  const getByName = (name: string) => ({
    keepFrom: async (_: KeptFrom) => {
      if (away.has(name)) throw new Error("away");
      told.push(name);
    },
  });
  return { told, env: { DB: env.DB, ACCOUNT_LEDGER: { getByName } as unknown as Env["ACCOUNT_LEDGER"] } };
}

async function putAccounts(many: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO accounts (name, display_name, plan, created_at, updated_at)
      SELECT printf('many-%05d', i), 'Many', 'starter', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n`,
  )
    .bind(many)
    .run();
}

describe("the cron", () => {
  it("notifies at most 500 ledgers a run, and each of 10,000 accounts once a day", async () => {
    await putAccounts(10_000);
    const broken = "many-00001/2026-01-01";
    const day = ledgers(new Set([broken]));
    await tellDueLedgers(day.env, NOON, NEVER);
    expect(day.told.length).toBeLessThanOrEqual(500);
    for (let run = 1; run < 22; run++) await tellDueLedgers(day.env, NOON + run * 600_000, NEVER);
    const theirs = day.told.filter((name) => name.startsWith("many-"));
    expect([theirs.length, new Set(theirs).size]).toEqual([9_999, 9_999]);
    const repaired = ledgers();
    await tellDueLedgers(repaired.env, NOON + 6 * HOUR_MS, NEVER);
    expect(repaired.told).toEqual([broken]);
    const next = ledgers();
    await tellDueLedgers(next.env, NOON + DAY_MS, NEVER);
    expect(next.told).toHaveLength(500);
  });

  it("starts nothing after its deadline", async () => {
    const { told, env: bindings } = ledgers();
    await tellDueLedgers(bindings, NOON + 3 * DAY_MS, Date.now() - 1);
    expect(told).toEqual([]);
  });

  it("runs every job even if one fails, and stores since when it fails", async () => {
    const ran: string[] = [];
    const jobs = (broken: Job) => ({ broken, fine: async () => void ran.push("fine") });
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await runJobs(
      jobs(() => Promise.reject(new Error("away"))),
      env,
    );
    expect(ran).toEqual(["fine"]);
    expect(errors.mock.calls.flat().join()).toContain('"job":"broken"');
    errors.mockRestore();
    const of = (job: string) =>
      env.DB.prepare("SELECT succeeded_at, failing_since FROM scheduled_jobs WHERE job = ?").bind(job).first();
    expect(await of("broken")).toEqual({ succeeded_at: null, failing_since: expect.any(Number) });
    expect(await of("fine")).toEqual({ succeeded_at: expect.any(Number), failing_since: null });
    await runJobs(
      jobs(async () => undefined),
      env,
    );
    expect(await of("broken")).toEqual({ succeeded_at: expect.any(Number), failing_since: null });
  });
});
