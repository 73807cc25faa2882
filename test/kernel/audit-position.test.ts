import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AuditPart,
  type AuditPosition,
  dividingId,
  mergedPage,
  newestFirst,
} from "../../src/kernel/audit-position.ts";
import { firstIdAt } from "../../src/kernel/instant-ids.ts";

const BEGAN = Date.parse("2026-03-04T10:00:00Z");

/** Positions of entries. Their ids have the entry's time, or differ by a few ms, as for changes of configuration. */
const positions = fc
  .tuple(fc.nat(20), fc.integer({ min: -2, max: 2 }), fc.nat(0xffff))
  .map(([ms, beside, n]) => positionAt(BEGAN + ms, beside, n));

function positionAt(at: number, beside: number, n: number): AuditPosition {
  const low = firstIdAt(at + beside);
  return { at: new Date(at).toISOString(), id: low.slice(0, -4) + n.toString(16).padStart(4, "0") };
}

/** Positions with unique ids, distributed over three stores. */
const stores = fc
  .uniqueArray(fc.tuple(positions, fc.nat(2)), { selector: ([{ id }]) => id, maxLength: 60 })
  .map((all) => [0, 1, 2].map((store) => all.filter(([, own]) => own === store).map(([position]) => position)));

/** Reads what a store has after a position. The filter excludes every third row. */
function read(
  store: AuditPosition[],
  after: AuditPosition | null,
  limit: number,
  reads: number,
): AuditPart<AuditPosition> {
  const behind = store.filter((one) => after === null || newestFirst(after, one) < 0).sort(newestFirst);
  const seen = behind.slice(0, reads);
  const rows = seen.filter(isWanted).slice(0, limit);
  if (rows.length === limit) return { rows, readTo: rows.at(-1) ?? null };
  return { rows, readTo: seen.length < behind.length ? (seen.at(-1) ?? null) : null };
}

const isWanted = ({ id }: AuditPosition) => Number.parseInt(id.slice(-4), 16) % 3 > 0;

describe("pages of the audit log", () => {
  it("show every entry once and in order, while new ones arrive and stores are read in parts", () => {
    fc.assert(
      fc.property(stores, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 }), (given, limit, reads) => {
        const all = given.map((store) => [...store]);
        const shown: AuditPosition[] = [];
        let after: AuditPosition | null = null;
        for (let page = 0; page === 0 || after !== null; page++) {
          const parts = all.map((store) => read(store, after, limit + 1, reads));
          const { rows, next } = mergedPage(parts, limit);
          expect(rows.length).toBeLessThanOrEqual(limit);
          shown.push(...rows);
          after = next;
          all[page % 3]?.push(positionAt(BEGAN + 1_000 + page, 0, 1));
        }
        expect(shown).toEqual(given.flat().filter(isWanted).sort(newestFirst));
      }),
    );
  });

  it("end at an id that divides acts as the order of the log does", () => {
    fc.assert(
      fc.property(positions, fc.tuple(fc.nat(20), fc.nat(0xffff)), (position, [ms, n]) => {
        const act = positionAt(BEGAN + ms, 0, n);
        fc.pre(act.id !== position.id);
        expect(act.id < dividingId(position)).toBe(newestFirst(position, act) < 0);
      }),
    );
  });
});
