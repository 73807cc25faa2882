import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { proposals, withProposal } from "../../src/browser/console/screens/campaigns/file/fitting-columns.ts";
import { Judge } from "../../src/browser/console/screens/campaigns/file/judge.ts";
import {
  guessMapping,
  type Mapping,
  mappingFaults,
  type Use,
  usedColumns,
  withName,
  withoutColumn,
  withUse,
} from "../../src/browser/console/screens/campaigns/file/mapping.ts";
import { nextToMend } from "../../src/browser/console/screens/campaigns/file/next-to-mend.ts";
import { reasonInWords } from "../../src/browser/console/screens/campaigns/file/reasons.ts";
import {
  linesAdded,
  Rewriter,
  type Rewriting,
  withMended,
} from "../../src/browser/console/screens/campaigns/file/rewrite.ts";
import { check } from "../../src/browser/console/screens/campaigns/file/scan.ts";
import { type Shape, shapeOf } from "../../src/browser/console/screens/campaigns/file/shape.ts";
import { quotedText, unquotedText } from "../../src/kernel/rendering/spreadsheet-text.ts";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";
import type { ImportBatch } from "../../src/lists/rows.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function shapeOfText(text: string | Uint8Array): Shape {
  const shape = shapeOf(typeof text === "string" ? bytesOf(text) : text, true);
  if (typeof shape === "string") throw new Error(shape);
  return shape;
}

const asIs = (text: string): Rewriting => {
  const shape = shapeOfText(text);
  return { shape, mapping: guessMapping(shape), mended: new Map() };
};

/** The text as it is sent, its pieces cut at these places. */
function rewritten(text: string, rewriting: Rewriting, cuts: number[] = []): string {
  const rewriter = new Rewriter(rewriting);
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((to, i) => rewriter.push(text.slice(places[i], to)));
  return pieces.join("") + rewriter.end();
}

/** What the service's own reader makes of a text. */
function asService(text: string): ImportBatch {
  const reader = new ContactsCsv("US");
  const first = reader.push(bytesOf(text));
  const last = reader.end();
  return {
    contacts: [...(first?.contacts ?? []), ...last.contacts],
    rejects: [...(first?.rejects ?? []), ...last.rejects],
  };
}

function judged(text: string, rewriting: Rewriting) {
  const skipped = { rejects: "", duplicates: "" };
  const judge = new Judge("US", linesAdded(rewriting), {
    rejects: (csv) => {
      skipped.rejects += csv;
    },
    duplicates: (csv) => {
      skipped.duplicates += csv;
    },
  });
  judge.push(bytesOf(rewritten(text, rewriting)));
  return Object.assign(judge.end(), { csv: skipped });
}

describe("how a file is written", () => {
  it.each([
    ["name,phone\nAda,+12025550111\n", ",", true, ["name", "phone"]],
    ["name;phone\r\nAda, Byron;+12025550111\r\n", ";", true, ["name", "phone"]],
    ["name\tphone\nAda\t+12025550111", "\t", true, ["name", "phone"]],
    ["+12025550111,Ada\n+12025550112,Grace\n", ",", false, ["column_1", "column_2"]],
    ["phone_number\n+12025550111\n", ",", true, ["phone_number"]],
  ])("is told from %j", (text, delimiter, hasHeader, names) => {
    expect(shapeOfText(text)).toMatchObject({ delimiter, hasHeader, names, encoding: "utf-8" });
  });

  it("knows what spreadsheets save, and what is no list", () => {
    const latin = new Uint8Array([...bytesOf("name,phone\nJos"), 0xe9, ...bytesOf(",+12025550111\n")]);
    expect(shapeOfText(latin)).toMatchObject({ encoding: "windows-1252", sample: [["José", "+12025550111"]] });
    const wide = [..."name\tphone\n"].flatMap((char) => [char.charCodeAt(0), 0]);
    expect(shapeOfText(new Uint8Array([0xff, 0xfe, ...wide]))).toMatchObject({ encoding: "utf-16le", delimiter: "\t" });
    expect(shapeOf(new Uint8Array([0x50, 0x4b, 3, 4, 20]), false)).toBe("workbook");
    expect(shapeOf(bytesOf("a\0b"), true)).toBe("not_text");
    expect(shapeOf(bytesOf(" \n"), true)).toBe("empty");
  });
});

describe("the column that fits a variable", () => {
  const mappingOf = (...names: string[]) => guessMapping({ names: ["Mobile", ...names], sample: [["+12025550111"]] });

  it.each([
    ["first_name", ["Stadt", "Vorname"], "Vorname"],
    ["first_name", ["FirstName", "Prénom"], "FirstName"],
    ["last_name", ["Vorname", "Nachname"], "Nachname"],
    ["name", ["Company name", "Full Name"], "Full Name"],
    ["name", ["Company name", "First name"], "First name"],
    ["street", ["Straße"], "Straße"],
    ["company", ["E-Mail", "Company Name (billing)"], "Company Name (billing)"],
    ["appointment_date", ["Date of appointment"], "Date of appointment"],
    ["first_name", ["Nachname", "Firma"], undefined],
    ["order", ["Stadt"], undefined],
  ])("%s is found among %j", (variable, names, column) => {
    const mapping = mappingOf(...names);
    const [found] = proposals([variable], mapping);
    expect(found && mapping[found.column]?.from).toBe(column);
  });

  it("is proposed once, is not one that is in use, and brings the variable when it is taken", () => {
    const word = fc.constantFrom(
      "first_name",
      "name",
      "Vorname",
      "company",
      "Firma",
      "city",
      "Ort",
      "order number",
      "x",
    );
    const names = fc.uniqueArray(fc.constantFrom("first_name", "name", "company", "city", "order_number"));
    fc.assert(
      fc.property(fc.uniqueArray(word), names, (columns, wanted) => {
        let mapping = mappingOf(...columns);
        const proposed = proposals(wanted, mapping);
        const missing = withoutColumn(wanted, mapping);
        expect(new Set(proposed.map(({ column }) => column)).size).toBe(proposed.length);
        for (const proposal of proposed) {
          expect(missing).toContain(proposal.variable);
          mapping = withProposal(mapping, proposal);
          expect(mappingFaults(mapping)).toEqual([]);
        }
        const left = missing.filter((name) => !proposed.some(({ variable }) => variable === name));
        expect(withoutColumn(wanted, mapping)).toEqual(left);
      }),
    );
  });
});

describe("the next row to mend", () => {
  const empty = "phone_number is empty";

  it("is the one below, else the first, never one whose quotes are wrong", () => {
    const rejects = [
      { line: 3, reason: empty },
      { line: 5, reason: "a quoted field is malformed" },
      { line: 9, reason: empty },
    ];
    expect([1, 3, 5, 9, 12].map((line) => nextToMend(rejects, line))).toEqual([3, 9, 9, 3, 3]);
    expect(nextToMend(rejects.slice(1, 2), 1)).toBeUndefined();
  });
});

describe("the mapping of columns", () => {
  const phoneOf = (mapping: Mapping) => mapping.find(({ use }) => use === "phone")?.from;

  it.each([
    [["Name", "Mobile", "Fax"], [["Ada", "+1 202 555 0111", "+1 202 555 0112"]], "Mobile"],
    [["Kunde", "Rufnummer"], [["Ada", "030 1234567"]], "Rufnummer"],
    [["Order id", "Who", "Contact"], [["20251101", "Ada", "(202) 555-0111"]], "Contact"],
    [["phone", "phone_number"], [["+12025550111", ""]], "phone_number"],
    [["Name", "City"], [["Ada", "London"]], undefined],
  ])("finds the numbers among %j", (names, sample, phone) => {
    expect(phoneOf(guessMapping({ names, sample }))).toBe(phone);
  });

  it("leaves one column of numbers, and every variable a name of its own", () => {
    const guessed = guessMapping({ names: ["Mobile", "Name", "name", "_line"], sample: [["+12025550111"]] });
    expect(guessed.map(({ use, name }) => [use, name])).toEqual([
      ["phone", "Mobile"],
      ["variable", "Name"],
      ["variable", "name_2"],
      ["left_out", "_line"],
    ]);
    const other = withUse(guessed, 1, "phone");
    expect(other.map(({ use }) => use)).toEqual(["variable", "phone", "variable", "left_out"]);
    expect(mappingFaults(other)).toEqual([]);
    expect(mappingFaults(withName(guessed, 2, "NAME"))).toEqual([{ kind: "repeated", column: 2, name: "NAME" }]);
    expect(mappingFaults(withName(guessed, 2, " "))).toEqual([{ kind: "no_name", column: 2 }]);
    expect(mappingFaults(withUse(guessed, 0, "left_out"))).toEqual([{ kind: "no_phone" }]);
  });

  it("says what an agent's texts name and no column has", () => {
    const mapping = guessMapping({ names: ["phone", "First Name"], sample: [] });
    expect(withoutColumn(["first_name", "company"], mapping)).toEqual(["company"]);
  });
});

describe("what is sent of a file", () => {
  const cell = fc.oneof(
    fc.constantFrom("", " ", "Ada", "o'clock", 'says "no"', "two\nlines", "two\r\nlines", "a;b", "a,b", "=1+1"),
    fc.string({ maxLength: 6 }).filter((text) => !/[\0\v]/.test(text)),
  );
  const number = fc.oneof(
    fc.integer({ min: 0, max: 9_999 }).map((n) => `+1202555${String(n).padStart(4, "0")}`),
    fc.constantFrom("", "nobody", "(202) 555-0111"),
  );
  const tables = fc.record({
    rows: fc.array(fc.tuple(number, cell, cell, cell), { minLength: 1, maxLength: 20 }),
    extra: fc.array(fc.nat(19), { maxLength: 3 }),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    newline: fc.constantFrom("\n", "\r\n"),
    leftOut: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
    blank: fc.nat(19),
    cuts: fc.array(fc.nat(), { maxLength: 5 }),
  });

  it("gives the service the same rows on the same lines, whatever is left out", () => {
    fc.assert(
      fc.property(tables, ({ rows, extra, delimiter, newline, leftOut, blank, cuts }) => {
        const longer = rows.map((row, i) => (extra.includes(i) ? [...row, "too much"] : row));
        const lines = longer.map((row) => Papa.unparse([row], { delimiter, newline }));
        lines.splice(blank % lines.length, 0, "");
        const text = ["phone_number", "a", "b", "c"].join(delimiter) + newline + lines.join(newline) + newline;
        const before = asService(text);
        const rewriting = asIs(text);
        rewriting.mapping = leftOut.reduce(
          (mapping, column) => withUse(mapping, column, "left_out"),
          rewriting.mapping,
        );
        const after = asService(rewritten(text, rewriting, cuts));
        const kept = [0, 1, 2].filter((i) => !leftOut.includes(i + 1));
        const cellsOf = (variables: string[]) => kept.map((i) => variables[i] ?? "");
        expect(after.contacts).toEqual(
          before.contacts.map((contact) => Object.assign({}, contact, { variables: cellsOf(contact.variables) })),
        );
        expect(after.rejects.map(({ line }) => line)).toEqual(before.rejects.map(({ line }) => line));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps lines where the header takes several, and counts from the file where it has none", () => {
    const tall = 'phone,"First\nname"\n+12025550111,Ada\nnobody,Grace\n';
    expect(judged(tall, asIs(tall))).toMatchObject({
      accepted: 1,
      columns: ["First name"],
      rejects: [{ line: 4 }],
    });
    const bare = "+12025550111,Ada\nnobody,Grace\n+12025550111,Again\n";
    const verdict = judged(bare, asIs(bare));
    expect(verdict).toMatchObject({ accepted: 1, rejected: 1, duplicates: 1, rejects: [{ line: 2 }] });
    expect(verdict.csv.duplicates).toBe("phone_number,column_2,_line,_first_line\r\n+12025550111,Again,3,1\r\n");
  });

  it("keeps mended cells with their row and column, however the columns are mapped before and afterwards", () => {
    const text = "name,phone,city\nAda,12,Paris\nBob,+12025550112,Rome\n";
    const names = ["name", "phone", "city"];
    const change = fc.oneof(
      fc.record({ column: fc.nat(2), use: fc.constantFrom("variable" as const, "left_out" as const) }),
      fc.record({ column: fc.nat(2), name: fc.constantFrom("first", "Ort", "x y") }),
    );
    const apply = (mapping: Mapping, { column, ...to }: { column: number; use?: Use; name?: string }) => {
      if (column === 1) return mapping;
      return to.use ? withUse(mapping, column, to.use) : withName(mapping, column, `${to.name} ${column}`);
    };
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (before, after) => {
        const rewriting = asIs(text);
        rewriting.mapping = before.reduce(apply, rewriting.mapping);
        const sent = usedColumns(rewriting.mapping).map((place) =>
          place === 1 ? "+12025550111" : `new ${names[place]}`,
        );
        const mendedPlaces = usedColumns(rewriting.mapping);
        rewriting.mended = withMended(rewriting.mended, rewriting.mapping, 2, sent);
        rewriting.mapping = after.reduce(apply, rewriting.mapping);
        const [ada] = asService(rewritten(text, rewriting)).contacts;
        expect(ada?.phone_number).toBe("+12025550111");
        const places = usedColumns(rewriting.mapping).filter((place) => place !== 1);
        const cells = ["Ada", "12", "Paris"];
        expect(ada?.variables).toEqual(
          places.map((place) => (mendedPlaces.includes(place) ? `new ${names[place]}` : cells[place])),
        );
      }),
    );
  });

  it.each([
    ["sep=;\nname;phone\nAda, Byron;+12025550111\nBob;12\n", ";", ["name", "phone"]],
    ["sep=^\r\nname^phone\r\nAda^+12025550111\r\nBob^12\r\n", "^", ["name", "phone"]],
    ["SEP=,\rname,phone\rAda,+12025550111\rBob,12\r", ",", ["name", "phone"]],
    ["sep=|\n+12025550111|Ada\n12|Bob\n", "|", ["column_1", "column_2"]],
  ])("takes the delimiter from the first line of %j, and counts that line", (text, delimiter, names) => {
    const rewriting = asIs(text);
    expect(rewriting.shape).toMatchObject({ delimiter, names });
    const verdict = judged(text, rewriting);
    const first = names[0] === "column_1" ? 2 : 3;
    expect(verdict.first).toMatchObject([{ line: first, phone_number: "+12025550111" }]);
    expect(verdict.rejects).toMatchObject([{ line: first + 1 }]);
    // What is sent with a column left out, or a row mended, is the same list.
    const mended = withMended(
      new Map(),
      rewriting.mapping,
      first + 1,
      names.map(() => "+12025550112"),
    );
    expect(judged(text, Object.assign({}, rewriting, { mended }))).toMatchObject({ accepted: 2, rejected: 0 });
  });

  it("puts mended rows in their place", () => {
    const text = "name,phone\nAda,nobody\nGrace,+12025550112\n";
    const rewriting = asIs(text);
    rewriting.mended = withMended(new Map(), rewriting.mapping, 2, ["Ada", "+12025550111"]);
    expect(judged(text, rewriting)).toMatchObject({
      accepted: 2,
      rejected: 0,
      first: [{ line: 2, phone_number: "+12025550111" }, { line: 3 }],
    });
  });

  it("keeps rows whose quotes are wrong rejected, and the lines after them", () => {
    const text = 'phone,name,left\n"+1202"5550111,Ada,x\n+12025550112,Grace,y\n';
    const rewriting = asIs(text);
    rewriting.mapping = withUse(rewriting.mapping, 2, "left_out");
    const verdict = judged(text, rewriting);
    expect(verdict).toMatchObject({ rejected: asService(text).rejects.length, rejects: [{ line: 2 }] });
  });

  it("rejects a row without a number where the numbers are all that is sent", () => {
    const text = "phone,name\n,Ada\n+12025550112,Grace\n";
    const rewriting = asIs(text);
    rewriting.mapping = withUse(rewriting.mapping, 1, "left_out");
    expect(judged(text, rewriting)).toMatchObject({ accepted: 1, rejected: 1, first: [{ line: 3 }] });
  });
});

describe("a whole file", () => {
  it("is judged in pieces, in whichever encoding it turns out to be", async () => {
    const head = `phone,name\n${Array.from({ length: 60_000 }, (_, i) => `+1303${5_550_000 + i},Person ${i}`).join("\n")}\n`;
    const file = new Blob([head, new Uint8Array([...bytesOf("+12025550111,Jos"), 0xe9, 10])]);
    const shares: number[] = [];
    const found = await check(file, asIs(head), null, (share) => shares.push(share));
    expect(found).toMatchObject({ accepted: 60_001, rejected: 0, duplicates: 0, encoding: "windows-1252" });
    expect(found.bytes).toBe(bytesOf(`${head.replace("phone,", "phone_number,")}+12025550111,José\n`).length);
    expect(shares.at(-1)).toBe(1);
  });
});

describe("why a row is rejected", () => {
  it.each([
    ["has no number", ",Ada,", "No phone number"],
    ["has one without its country", "202 555 0111,Ada,", "202 555 0111 has no country code"],
    ["has one that is none", "+12,Ada,", "+12 isn't a phone number"],
    ["names no time zone", "+12025550111,Ada,Moon/Base", "Unknown time zone Moon/Base"],
    ["is too long", "+12025550111,Ada,,again", "4 cells, but the header has 3"],
    ["opens a quote", '"+12025550111,Ada,', "Unclosed quote, or text after a closing quote"],
  ])("is said in the reader's words where it %s", (_, row, words) => {
    const reader = new ContactsCsv(null);
    const { rejects = [] } = reader.push(bytesOf(`phone_number,name,timezone\n${row}\n`)) ?? {};
    rejects.push(...reader.end().rejects);
    expect(rejects.map(({ reason }) => reasonInWords(reason))).toEqual([words]);
  });
});

describe("a file of skipped rows that was written for a spreadsheet", () => {
  it("has the cells back as they were, also where columns are left out, and lists what is skipped again likewise", () => {
    const unit = fc.constantFrom(..."ab=+'\" ;\n");
    const notes = fc.array(fc.string({ unit, maxLength: 6 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(notes, (cells) => {
        const rows = cells.map((note, i) => [`+1202555${1_000 + i}`, note, `${i + 2}`, "why"]);
        const quoted = [["phone_number", "=note", "_line", "_reason"], ...rows].map((row) => row.map(quotedText));
        const text = `${Papa.unparse(quoted, { newline: "\n" })}\n`;
        const rewriting = asIs(text);
        expect(rewriting.mapping.map(({ name, use }) => [name, use])).toEqual([
          ["phone_number", "phone"],
          ["=note", "variable"],
          ["_line", "left_out"],
          ["_reason", "left_out"],
        ]);
        const { contacts } = asService(rewritten(text, rewriting));
        expect(contacts.map(({ variables }) => variables)).toEqual(cells.map((note) => [note]));
        // The first number is no number any more: its row is skipped, and written as it can be had back.
        const broken = text.replace("+12025551000", "nobody");
        const { csv } = judged(broken, asIs(broken));
        const [, row = []] = Papa.parse<string[]>(csv.rejects, { newline: "\r\n" }).data;
        expect(unquotedText(row[1] ?? "")).toBe(cells[0]);
      }),
    );
  });
});
