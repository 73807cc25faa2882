import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";
import type { Corrections } from "../../src/lists/corrections.ts";

describe("an upload's columns and rows", () => {
  const HEADERS = ["Phone", "a", "b c", "d"];
  const cell = fc.string({ unit: fc.constantFrom(..."ab ,;'\"\r\n|\t="), maxLength: 6 });
  const plain = fc.string({ unit: fc.constantFrom(..."ab ,;'\"|\t="), maxLength: 6 });
  const number = fc.oneof(
    fc.integer({ min: 0, max: 99 }).map((n) => `+1202555${String(n).padStart(4, "0")}`),
    fc.constantFrom("nobody", "(202) 555-0111"),
  );
  const row = fc.tuple(number, fc.array(cell, { minLength: 1, maxLength: 5 })).map(([first, rest]) => [first, ...rest]);
  const name = fc.constantFrom(...HEADERS.slice(1));
  const change = fc.option(
    fc.record({ phone: fc.option(number), cells: fc.array(fc.tuple(name, plain), { maxLength: 3 }) }),
  );
  const lists = fc.record({
    list: fc.array(row, { minLength: 1, maxLength: 12 }),
    changes: fc.array(fc.tuple(fc.nat(11), change), { maxLength: 5 }),
    used: fc.dictionary(name, fc.option(fc.constantFrom("first", "x y", "timezone2")), { maxKeys: 3 }),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    isSeparated: fc.boolean(),
    cuts: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
  });

  function read(text: string, corrections?: Corrections, cuts: number[] = [text.length + 10]) {
    const csv = new ContactsCsv("US", corrections);
    const [contacts, rejects]: [unknown[], unknown[]] = [[], []];
    const bytes = new TextEncoder().encode(text);
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const size = cuts[i % cuts.length] ?? 1;
      const batch = csv.push(bytes.slice(at, at + size));
      contacts.push(...(batch?.contacts ?? []));
      rejects.push(...(batch?.rejects ?? []));
      at += size;
    }
    const last = csv.end();
    return {
      columns: csv.columns,
      header: csv.layout?.header,
      contacts: [...contacts, ...last.contacts],
      rejects: [...rejects, ...last.rejects],
    };
  }

  it("give the same result as a rewritten file, on the same lines", () => {
    fc.assert(
      fc.property(lists, ({ list, changes, used, delimiter, isSeparated, cuts }) => {
        const written = (cells: string[]) => Papa.unparse([cells], { delimiter, newline: "\r\n" });
        const top = isSeparated ? `sep=${delimiter}\r\n` : "";
        const text = `${top}${[HEADERS, ...list].map(written).join("\r\n")}\r\n`;
        // Each name occurs once, as in any usable file.
        const named = Object.entries(used).filter(
          ([, to], i, all) => to === null || all.findIndex(([, other]) => other === to) === i,
        );
        const naming = new Map(named.map(([header, to]) => (to === null ? [header, null] : [to, header])));
        const isUsed = HEADERS.map((header) => used[header] !== null || !Object.hasOwn(used, header));
        const headers = HEADERS.map((header) => named.find(([from]) => from === header)?.[1] ?? header);
        const kept = (cells: string[]) => cells.filter((_, i) => isUsed[i] ?? true);

        const byRow = new Map(changes.filter(([i]) => i < list.length));
        const edits = new Map<number, [string, string][] | null>();
        let line = isSeparated ? 3 : 2;
        const rewritten = list.map((cells, i) => {
          const before = written(cells);
          const lines = before.split(/\r\n|\r|\n/).length;
          const edit = byRow.get(i);
          let after: string[] | null = cells;
          if (edit === null) {
            edits.set(line, null);
            after = null;
          } else if (edit) {
            const set: [string, string][] = [...edit.cells];
            if (edit.phone !== null) set.push(["Phone", edit.phone]);
            edits.set(line, set);
            after = [...cells];
            for (const [header, text] of set) {
              const place = HEADERS.indexOf(header);
              while (after.length < place) after.push("");
              after[place] = text;
            }
          }
          line += lines;
          const row = after === null ? "" : written(kept(after));
          return row + "\r\n".repeat(lines - row.split(/\r\n|\r|\n/).length);
        });
        const expected = `${top}${[written(kept(headers)), ...rewritten].join("\r\n")}\r\n`;
        expect(read(text, { columns: naming, rows: edits }, cuts)).toEqual(read(expected));
      }),
      { numRuns: 500 },
    );
  });
});
