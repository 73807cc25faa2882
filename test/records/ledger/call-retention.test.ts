import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { CallsFound } from "../../../src/records/ledger/call-queries.ts";
import type { LedgerReport } from "../../../src/records/ledger/report.ts";
import { newId } from "../../support/ids.ts";
import { AT, counts, ENDED, lineReport, newVolume, rowsOf, type Volume } from "./support.ts";

const WAIT = { interval: 20 };
const HOUR_MS = 3_600_000;
const BEFORE = Date.parse(AT);
const idsOf = async (volume: Volume) =>
  (await rowsOf<{ id: string }>(volume, "SELECT id FROM calls ORDER BY id")).map(({ id }) => id);

describe("calls that are older than the retention", () => {
  it("calls older than the retention are deleted in batches but stay in the counters", async () => {
    const volume = newVolume();
    const old = Array.from({ length: 1_201 }, (_, i) => newId(BEFORE - HOUR_MS + i));
    const kept = [newId(BEFORE), newId(BEFORE + 1)];
    const reports = [...old, ...kept].map((id) => lineReport(id, 1, ENDED));
    for (let at = 0; at < reports.length; at += 500) await volume.report(reports.slice(at, at + 500));
    await volume.deleteCallsBefore(BEFORE);
    await vi.waitFor(async () => expect(await idsOf(volume)).toEqual(kept.toSorted()), WAIT);
    expect(await counts(volume)).toMatchObject({ calls: 1_203, ended_answered: 1_203, talk_ms: 1_203 * 60_000 });
  });

  it("calls in progress are kept, however old", async () => {
    const volume = newVolume();
    const [running, over] = [newId(BEFORE - 2), newId(BEFORE - 1)];
    await volume.report([lineReport(running, 1), lineReport(over, 1, ENDED)]);
    await volume.deleteCallsBefore(BEFORE);
    await vi.waitFor(async () => expect(await idsOf(volume)).toEqual([running]), WAIT);
    await volume.report([lineReport(running, 2, ENDED)]);
    expect(await counts(volume)).toMatchObject({ calls: 2, running: 0, ended_answered: 2 });
    await volume.deleteCallsBefore(BEFORE);
    await vi.waitFor(async () => expect(await idsOf(volume)).toEqual([]), WAIT);
  });

  it("totals of windows exclude deleted calls even if an older call is still running", async () => {
    const volume = newVolume();
    // Two calls an hour over six hours, of two agents. One call of the first hour is still running.
    const from = BEFORE - 4 * HOUR_MS;
    const reports = Array.from({ length: 12 }, (_, i) => {
      const over = i === 1 ? {} : ENDED;
      const agent_id = i % 2 === 0 ? "agent" : "other";
      return lineReport(newId(from + i * (HOUR_MS / 2)), 1, Object.assign({ agent_id }, over));
    });
    await volume.report(reports);
    // The boundary is in the middle of an hour, so that one of its two calls is deleted.
    await volume.deleteCallsBefore(BEFORE + 1);
    await vi.waitFor(async () => expect(await idsOf(volume)).toHaveLength(4), WAIT);
    const part = { before: null, skip: 0, limit: 20, reads: 1_000 };
    const hours = [undefined, ...Array.from({ length: 8 }, (_, i) => new Date(from + (i - 1) * HOUR_MS).toISOString())];
    for (const since of hours)
      for (const until of hours)
        for (const agent_id of [undefined, "agent", "other"]) {
          const filter = { since, until, agent_id };
          const listed = (await volume.findCalls(filter, part)) as CallsFound;
          const { calls } = await volume.countCalls(filter, 0, 0);
          expect(calls, JSON.stringify(filter)).toBe(listed.rows.length);
        }
  });

  it("late reports neither restore a deleted call nor count it again", async () => {
    const volume = newVolume();
    const id = newId(BEFORE - 1);
    await volume.report([lineReport(id, 1, ENDED)]);
    await volume.deleteCallsBefore(BEFORE);
    await vi.waitFor(async () => expect(await idsOf(volume)).toEqual([]), WAIT);
    const late: LedgerReport[] = [lineReport(id, 2, ENDED), { part: "hangup", id }];
    await volume.report(late);
    expect(await idsOf(volume)).toEqual([]);
    expect(await counts(volume)).toMatchObject({ calls: 1, ended_answered: 1 });
  });

  it("cause no alarms once they are deleted, and an empty volume stays empty", async () => {
    const [volume, empty] = [newVolume(), newVolume()];
    await volume.report([lineReport(newId(BEFORE - 1), 1, ENDED)]);
    await volume.deleteCallsBefore(BEFORE);
    const due = () => rowsOf(volume, "SELECT due FROM call_retention");
    await vi.waitFor(async () => expect(await due()).toEqual([{ due: 0 }]), WAIT);
    await empty.deleteCallsBefore(BEFORE);
    const tables = await runInDurableObject(empty, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'calls'").toArray(),
    );
    expect(tables).toEqual([]);
  });
});
