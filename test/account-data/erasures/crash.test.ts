import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { JobStore } from "../../../src/account-data/erasures/job-store.ts";
import { STEPS } from "../../../src/account-data/erasures/steps/index.ts";
import { erasureObject } from "../../../src/kernel/durable/objects.ts";
import { tenant } from "../../support/client.ts";
import { restarted } from "../crashed.ts";
import { planted } from "./planted.ts";
import { begun, completed, digitsOf, erased, hurry, newNumber, standsIn } from "./support.ts";

/** Counts that a crash before the note can lose, because deleted or masked rows are not found again. */
const MASKED = ["tool_runs", "opt_outs", "mentions", "events", "audit_entries", "other_records"];

afterEach(() => vi.restoreAllMocks());

type Point = [step: string, note: number, round: number];

/** Makes these notes fail, as if the process had died between the work and its note; returns how many are left. */
function dieAt(points: Point[]): () => number {
  const { note } = JobStore.prototype;
  const left = new Set(points.map(String));
  const notes = new Map<string, number>();
  vi.spyOn(JobStore.prototype, "note").mockImplementation(function (this: JobStore, ...args) {
    const [{ step, round }] = args;
    const n = notes.get(`${step} ${round}`) ?? 0;
    notes.set(`${step} ${round}`, n + 1);
    if (left.delete(String([step, n, round]))) throw new Error("the process died");
    note.apply(this, args);
  });
  return () => left.size;
}

const CRASHES: [when: string, points: Point[]][] = [
  ["before the first note of every step", Object.keys(STEPS).map((step): Point => [step, 0, 1])],
  [
    "while it counts what it has erased",
    [
      ["records", 1, 1],
      ["answers", 7, 1],
    ],
  ],
  ["before it notes that no records remain", [["records", 2, 1]]],
  [
    "in the second round",
    [
      ["records", 0, 2],
      ["events", 0, 2],
    ],
  ],
];

describe("an erasure whose process crashes", () => {
  /** The counts of an erasure of the same content without a crash. */
  let counted: Record<string, number>;
  beforeAll(async () => {
    const whole = await tenant();
    const number = newNumber();
    await planted(whole, number);
    counted = (await erased(whole, { phone_number: number })).counts;
  });

  it.each(CRASHES)("an erasure that crashes %s leaves nothing and counts nothing twice", async (_, points) => {
    const who = await tenant();
    const number = newNumber();
    await planted(who, number);
    const left = dieAt(points);
    const id = await begun(who, { phone_number: number });
    for (let after = points.length - 1; after >= 0; after--) {
      await vi.waitFor(async () => {
        await hurry(who, id);
        expect(left()).toBe(after);
      });
      await restarted(erasureObject(env, who.account, id) as DurableObjectStub);
    }
    const { counts } = await completed(who, id);
    expect(await standsIn(digitsOf(number), [], [who.account])).toEqual([]);
    for (const [kind, count] of Object.entries(counts))
      if (MASKED.includes(kind)) expect(count, kind).toBeLessThanOrEqual(counted[kind] ?? 0);
      else expect([kind, count]).toEqual([kind, counted[kind]]);
  });
});
