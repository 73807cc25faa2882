import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AuditPart, type AuditPlace, dividingId, mergedPage, newestFirst } from "../../src/kernel/audit-place.ts";
import { firstIdAt } from "../../src/kernel/instant-ids.ts";

const BEGAN = Date.parse("2026-03-04T10:00:00Z");

/** The place of an entry whose id has its time, or a time a few ms away, as changes of configuration have. */
const places = fc
  .tuple(fc.nat(20), fc.integer({ min: -2, max: 2 }), fc.nat(0xffff))
  .map(([ms, beside, n]) => placeAt(BEGAN + ms, beside, n));

function placeAt(at: number, beside: number, n: number): AuditPlace {
  const low = firstIdAt(at + beside);
  return { at: new Date(at).toISOString(), id: low.slice(0, -4) + n.toString(16).padStart(4, "0") };
}

/** Places without repeated ids, split over three stores. */
const stores = fc
  .uniqueArray(fc.tuple(places, fc.nat(2)), { selector: ([{ id }]) => id, maxLength: 60 })
  .map((all) => [0, 1, 2].map((store) => all.filter(([, own]) => own === store).map(([place]) => place)));

/** Reads what a store has after a place. Of the rows read, every third is not selected by the filter. */
function read(store: AuditPlace[], after: AuditPlace | null, limit: number, reads: number): AuditPart<AuditPlace> {
  const behind = store.filter((one) => after === null || newestFirst(after, one) < 0).sort(newestFirst);
  const seen = behind.slice(0, reads);
  const rows = seen.filter(isWanted).slice(0, limit);
  if (rows.length === limit) return { rows, readTo: rows.at(-1) ?? null };
  return { rows, readTo: seen.length < behind.length ? (seen.at(-1) ?? null) : null };
}

const isWanted = ({ id }: AuditPlace) => Number.parseInt(id.slice(-4), 16) % 3 > 0;

describe("pages of the audit log", () => {
  it("show every entry once and in order, while new ones arrive and stores are read in parts", () => {
    fc.assert(
      fc.property(stores, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 }), (given, limit, reads) => {
        const all = given.map((store) => [...store]);
        const shown: AuditPlace[] = [];
        let after: AuditPlace | null = null;
        for (let page = 0; page === 0 || after !== null; page++) {
          const parts = all.map((store) => read(store, after, limit + 1, reads));
          const { rows, next } = mergedPage(parts, limit);
          expect(rows.length).toBeLessThanOrEqual(limit);
          shown.push(...rows);
          after = next;
          all[page % 3]?.push(placeAt(BEGAN + 1_000 + page, 0, 1));
        }
        expect(shown).toEqual(given.flat().filter(isWanted).sort(newestFirst));
      }),
    );
  });

  it("divide entries with their time in the id where the order of the log does", () => {
    fc.assert(
      fc.property(places, fc.tuple(fc.nat(20), fc.nat(0xffff)), (place, [ms, n]) => {
        const act = placeAt(BEGAN + ms, 0, n);
        fc.pre(act.id !== place.id);
        expect(act.id < dividingId(place)).toBe(newestFirst(place, act) < 0);
      }),
    );
  });
});
