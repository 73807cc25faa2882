import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { JobStore } from "../../../src/account-data/erasures/job-store.ts";
import { STEPS } from "../../../src/account-data/erasures/steps/index.ts";
import { erasureObject } from "../../../src/kernel/durable/objects.ts";
import { tenant } from "../../support/client.ts";
import { planted } from "./planted.ts";
import { begun, completed, digitsOf, erased, hurry, newNumber, standsIn } from "./support.ts";

/** Counts that a crash before the note can lose, because deleted or masked rows are not found again. */
const MASKED = ["tool_runs", "opt_outs", "mentions", "events", "audit_entries", "other_records"];

afterEach(() => vi.restoreAllMocks());

/** Makes the n-th note of a step in this round fail, as if the process had died between the work and its note. */
function dieAt(step: string, n: number, round: number): { died: () => boolean } {
  const { note } = JobStore.prototype;
  let [notes, died] = [0, false];
  vi.spyOn(JobStore.prototype, "note").mockImplementation(function (this: JobStore, ...args) {
    const [before] = args;
    if (before.step === step && before.round === round && notes++ === n) {
      died = true;
      throw new Error("the process died");
    }
    note.apply(this, args);
  });
  return { died: () => died };
}

const FIRST_ROUND = Object.keys(STEPS).map((step): [string, number, number] => [step, 0, 1]);
const POINTS: [step: string, note: number, round: number][] = [
  ...FIRST_ROUND,
  // The notes of this step record what was found, what was erased, and that nothing remains.
  ["records", 1, 1],
  ["records", 2, 1],
  ["answers", 7, 1],
  ["records", 0, 2],
  ["events", 0, 2],
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

  it.each(POINTS)(
    "an erasure that crashes in the step %s, before note %i of round %i, leaves nothing and counts nothing twice",
    async (...point) => {
      const who = await tenant();
      const number = newNumber();
      await planted(who, number);
      const death = dieAt(...point);
      const id = await begun(who, { phone_number: number });
      await vi.waitFor(async () => {
        await hurry(who, id);
        expect(death.died()).toBe(true);
      });
      await evictDurableObject(erasureObject(env, who.account, id) as DurableObjectStub);
      const { counts } = await completed(who, id);
      expect(await standsIn(digitsOf(number), [], [who.account])).toEqual([]);
      for (const [kind, count] of Object.entries(counts))
        if (MASKED.includes(kind)) expect(count, kind).toBeLessThanOrEqual(counted[kind] ?? 0);
        else expect([kind, count]).toEqual([kind, counted[kind]]);
    },
  );
});
