import fc from "fast-check";
import { expect, it } from "vitest";
import { fileOf, toPrune } from "../../../src/dev/backup/take-all.ts";

const SEED = { seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: 200 };
const days = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, "0")}`);
const names = fc.uniqueArray(
  fc.tuple(fc.constantFrom("a", "a-b", "c_d"), days).map(([account, day]) => fileOf("", account, day)),
);

it("pruning keeps each existing account's newest file and every recent one, and deletes only backups", () => {
  fc.assert(
    fc.property(names, days, fc.integer({ min: 1, max: 40 }), (all, day, keepDays) => {
      const pruned = toPrune([...all, "notes.txt", "a.backup"], { day, keepDays, accounts: ["a", "a-b"] });
      const from = new Date(Date.parse(day) - keepDays * 86_400_000).toISOString().slice(0, 10);
      for (const name of pruned) expect(all).toContain(name);
      for (const name of all) {
        const [account = "", taken = ""] = name.split(".");
        const isNewest = !all.some((other) => other.startsWith(`${account}.`) && other > name);
        expect(pruned.includes(name)).toBe(taken < from && !(isNewest && account !== "c_d"));
      }
    }),
    SEED,
  );
});
