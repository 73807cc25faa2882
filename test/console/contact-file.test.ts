import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { proposals, withProposal } from "../../src/browser/console/screens/campaigns/file/fitting-columns.ts";
import {
  columnsJson,
  correctionsOf,
  type Fixes,
  rowsJson,
  withFix,
  withNumbers,
} from "../../src/browser/console/screens/campaigns/file/fixes.ts";
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
import { nextToFix } from "../../src/browser/console/screens/campaigns/file/next-to-fix.ts";
import { reasonInWords } from "../../src/browser/console/screens/campaigns/file/reasons.ts";
import { check } from "../../src/browser/console/screens/campaigns/file/scan.ts";
import { type Shape, shapeOf } from "../../src/browser/console/screens/campaigns/file/shape.ts";
import { correctionFields } from "../../src/campaign/upload-form.ts";
import { quotedText, unquotedText } from "../../src/kernel/rendering/spreadsheet-text.ts";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";
import type { ImportBatch } from "../../src/lists/rows.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function shapeOfText(text: string | Uint8Array): Shape {
  const shape = shapeOf(typeof text === "string" ? bytesOf(text) : text, true);
  if (typeof shape === "string") throw new Error(shape);
  return shape;
}

const NO_FIXES: Fixes = new Map();

/** Returns the console's reading of a file, and what it sends. */
async function checked(text: string | Uint8Array, mapping?: Mapping, fixes = NO_FIXES) {
  const shape = shapeOfText(text);
  const corrections = correctionsOf(mapping ?? guessMapping(shape), fixes);
  const found = await check({ file: new Blob([text]), shape, corrections, country: "US" }, () => {});
  const form = { columns: columnsJson(corrections.columns), rows: rowsJson(corrections.rows) };
  return {
    ...found,
    form,
    rejectsText: await found.rejectsCsv.text(),
    duplicatesText: await found.duplicatesCsv.text(),
  };
}

/** Returns the service's reading of what the console sends. */
async function asService({
  sent,
  form,
}: {
  sent: Blob;
  form: { columns: string; rows: string };
}): Promise<ImportBatch> {
  const { columns = new Map(), rows = new Map() } = correctionFields.parse({
    columns: [form.columns],
    rows: [form.rows],
  });
  const reader = new ContactsCsv("US", { columns, rows });
  const first = reader.push(new Uint8Array(await sent.arrayBuffer()));
  const last = reader.end();
  return {
    contacts: [...(first?.contacts ?? []), ...last.contacts],
    rejects: [...(first?.rejects ?? []), ...last.rejects],
  };
}

describe("the format of a file", () => {
  it.each([
    ["name,phone\nAda,+12025550111\n", ",", true, ["name", "phone"]],
    ["name;phone\r\nAda, Byron;+12025550111\r\n", ";", true, ["name", "phone"]],
    ["name\tphone\nAda\t+12025550111", "\t", true, ["name", "phone"]],
    ["+12025550111,Ada\n+12025550112,Grace\n", ",", false, ["column_1", "column_2"]],
    ["phone_number\n+12025550111\n", ",", true, ["phone_number"]],
  ])("a file's format is detected from %j", (text, delimiter, hasHeader, names) => {
    expect(shapeOfText(text)).toMatchObject({ delimiter, hasHeader, names, encoding: "utf-8" });
  });

  it("recognizes spreadsheet files and files that aren't a list", () => {
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
  ])("the column for the variable %s is found among %j", (variable, names, column) => {
    const mapping = mappingOf(...names);
    const [found] = proposals([variable], mapping);
    expect(found && mapping[found.column]?.from).toBe(column);
  });

  it("a column that fits a variable is suggested once, and renamed when accepted", () => {
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

describe("the next row to fix", () => {
  const empty = "phone_number is empty";

  it("the next row to fix is the next one below, otherwise the first", () => {
    const rejects = [
      { line: 3, reason: empty },
      { line: 5, reason: "a quoted field is malformed" },
      { line: 9, reason: empty },
    ];
    expect([1, 3, 5, 9, 12].map((line) => nextToFix(rejects, line))).toEqual([3, 9, 9, 3, 3]);
    expect(nextToFix(rejects.slice(1, 2), 1)).toBeUndefined();
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
  ])("the mapping includes the column of numbers among %j", (names, sample, phone) => {
    expect(phoneOf(guessMapping({ names, sample }))).toBe(phone);
  });

  it("has one column of numbers, and a unique name for every variable", () => {
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
    expect(mappingFaults(withName(guessed, 1, "_Reason"))).toEqual([{ kind: "reserved", column: 1 }]);
    expect(mappingFaults(withUse(guessed, 0, "left_out"))).toEqual([{ kind: "no_phone" }]);
  });

  it("lists variables of the agent's texts that no column provides", () => {
    const mapping = guessMapping({ names: ["phone", "First Name"], sample: [] });
    expect(withoutColumn(["first_name", "company"], mapping)).toEqual(["company"]);
  });
});

describe("the upload of a file", () => {
  it("a file is uploaded unchanged, and the service accepts the contacts that were shown", async () => {
    const text = "name;phone;city\nAda;nobody;Paris\nGrace;+12025550112;Rome\nBob;12;Oslo;too;many\n;+12025550112;x\n";
    let mapping = guessMapping(shapeOfText(text));
    mapping = withUse(withName(mapping, 0, "first_name"), 2, "left_out");
    let fixes = withFix(NO_FIXES, mapping, 2, ["Ada L", "+12025550111"], 0);
    fixes = withFix(fixes, mapping, 4, ["Bob", "+12025550113"], 2);
    const found = await checked(text, mapping, fixes);
    expect(await found.sent.text()).toBe(text);
    expect(JSON.parse(found.form.columns)).toEqual({ phone_number: "phone", first_name: "name", city: null });
    expect(JSON.parse(found.form.rows)).toEqual({
      2: { name: "Ada L", phone: "+12025550111" },
      4: { name: "Bob", phone: "+12025550113", _extra_1: "", _extra_2: "" },
    });
    expect(found).toMatchObject({ accepted: 3, rejected: 0, duplicates: 1, columns: ["first_name"] });
    const { contacts, rejects } = await asService(found);
    expect(contacts.map(({ line, variables }) => [line, ...variables])).toEqual([
      [2, "Ada L"],
      [3, "Grace"],
      [4, "Bob"],
      [5, ""],
    ]);
    expect(rejects).toEqual([]);
    expect(found.duplicatesText).toBe("first_name,phone_number,_line,_first_line\r\n,+12025550112,5,3\r\n");
  });

  it("keeps fixed cells with their row and column, however the columns are mapped before and afterwards", async () => {
    const text = "name,phone,city\nAda,12,Paris\nBob,+12025550112,Rome\n";
    const names = ["name", "phone", "city"];
    const change = fc.oneof(
      fc.record({ column: fc.nat(2), use: fc.constantFrom("variable" as const, "left_out" as const) }),
      fc.record({ column: fc.nat(2), name: fc.constantFrom("name", "city", "x y") }),
    );
    const apply = (mapping: Mapping, { column, ...to }: { column: number; use?: Use; name?: string }) => {
      if (column === 1) return mapping;
      const changed = to.use ? withUse(mapping, column, to.use) : withName(mapping, column, to.name ?? "");
      return mappingFaults(changed).length === 0 ? changed : mapping;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(change), fc.array(change), async (before, after) => {
        const mapped = before.reduce(apply, guessMapping(shapeOfText(text)));
        const places = usedColumns(mapped);
        const cells = places.map((place) => (place === 1 ? "+12025550111" : `new ${names[place]}`));
        const mapping = after.reduce(apply, mapped);
        const found = await checked(text, mapping, withFix(NO_FIXES, mapped, 2, cells, 0));
        const [ada] = (await asService(found)).contacts;
        expect(ada?.phone_number).toBe("+12025550111");
        const used = usedColumns(mapping).filter((place) => place !== 1);
        const old = ["Ada", "12", "Paris"];
        expect(ada?.variables).toEqual(
          used.map((place) => (places.includes(place) ? `new ${names[place]}` : old[place])),
        );
        expect(found.columns).toEqual(used.map((place) => mapping[place]?.name));
      }),
    );
  });

  it.each([
    [
      "are called the same",
      "Mobile,name,name\n+12025550111,a,b\n",
      ["name", "name_2"],
      { name: "column_2", name_2: "column_3" },
    ],
    ["have no name", "Mobile,,\n+12025550111,a,b\n", ["column_2", "column_3"], {}],
    ["differ in their letters alone", "Mobile,Name,name\n+12025550111,a,b\n", ["Name", "name_2"], { name_2: "name" }],
    ["have names of several lines", 'Mobile,"a\nb",c\n+12025550111,a,b\n', ["a b", "c"], { "a b": "a\nb" }],
  ])("the upload names columns that %s", async (_, text, columns, sent) => {
    const found = await checked(text);
    expect(found.columns).toEqual(columns);
    expect(JSON.parse(found.form.columns)).toEqual(Object.assign({ phone_number: "Mobile" }, sent));
    expect((await asService(found)).contacts).toMatchObject([{ variables: ["a", "b"] }]);
  });

  it("leaves out a column whose name another one has taken", async () => {
    const text = "Mobile,a,b\n+12025550111,x,y\n";
    const mapping = withName(withUse(guessMapping(shapeOfText(text)), 2, "left_out"), 1, "b");
    const found = await checked(text, mapping);
    expect(found).toMatchObject({ columns: ["b"], first: [{ variables: ["x"] }] });
  });

  it.each(["\n", "\r\n"])(
    "the upload of a file gets a header line if it has none, which counts as a line (%j)",
    async (newline) => {
      const bare = ["\ufeff+12025550111,Ada", "nobody,Grace", "+12025550111,Again", ""].join(newline);
      const found = await checked(bare);
      expect(await found.sent.text()).toBe(`"column_1","column_2"\n${bare.slice(1)}`);
      expect(found).toMatchObject({ accepted: 1, rejected: 1, duplicates: 1, rejects: [{ line: 3 }] });
      expect(found.duplicatesText).toBe("phone_number,column_2,_line,_first_line\r\n+12025550111,Again,4,2\r\n");
    },
  );

  it.each([
    ["sep=;\nname;phone\nAda, Byron;+12025550111\nBob;12\n", ";", ["name", "phone"], 3],
    ["sep=^\r\nname^phone\r\nAda^+12025550111\r\nBob^12\r\n", "^", ["name", "phone"], 3],
    ["SEP=,\rname,phone\rAda,+12025550111\rBob,12\r", ",", ["name", "phone"], 3],
    ["\ufeffsep=|\n+12025550111|Ada\n12|Bob\n", "|", ["column_1", "column_2"], 3],
    ["sep=§\r+12025550111§Ada\r12§Bob\r", "§", ["column_1", "column_2"], 3],
  ])(
    "the upload of a file takes the delimiter from the first line of %j, and counts that line",
    async (text, delimiter, names, line) => {
      const shape = shapeOfText(text);
      expect(shape).toMatchObject({ delimiter, names });
      const found = await checked(text);
      expect(found.first).toMatchObject([{ line, phone_number: "+12025550111" }]);
      expect(found.rejects).toMatchObject([{ line: line + 1 }]);
      const fixes = withNumbers(NO_FIXES, guessMapping(shape), [{ line: line + 1, number: "+12025550112" }]);
      expect(await checked(text, undefined, fixes)).toMatchObject({ accepted: 2, rejected: 0 });
    },
  );

  it("keeps rows with malformed quotes rejected, and the lines after them", async () => {
    const text = 'phone,name,left\n"+1202"5550111,Ada,x\n+12025550112,Grace,y\n';
    const mapping = withUse(guessMapping(shapeOfText(text)), 2, "left_out");
    const before = await checked(text);
    expect(await checked(text, mapping)).toMatchObject({ rejected: before.rejected, rejects: [{ line: 2 }] });
  });

  it("rejects a row without a number if only the numbers are used", async () => {
    const text = "phone,name\n,Ada\n+12025550112,Grace\n";
    const mapping = withUse(guessMapping(shapeOfText(text)), 1, "left_out");
    expect(await checked(text, mapping)).toMatchObject({ accepted: 1, rejected: 1, first: [{ line: 3 }] });
  });
});

describe("a whole file", () => {
  const head = `phone,name\n${Array.from({ length: 60_000 }, (_, i) => `+1303${5_550_000 + i},Person ${i}`).join("\n")}\n`;

  it("a whole file is checked in pieces, and uploaded in UTF-8 whatever its encoding", async () => {
    const file = new Blob([head, new Uint8Array([...bytesOf("+12025550111,Jos"), 0xe9, 10])]);
    const shares: number[] = [];
    const shape = shapeOfText(head);
    const corrections = correctionsOf(guessMapping(shape), NO_FIXES);
    const found = await check({ file, shape, corrections, country: null }, (share) => shares.push(share));
    expect(found).toMatchObject({ accepted: 60_001, rejected: 0, duplicates: 0, encoding: "windows-1252" });
    expect(await found.sent.text()).toBe(`${head}+12025550111,José\n`);
    expect(shares.at(-1)).toBe(1);
  });

  it("a UTF-16 file is uploaded in UTF-8", async () => {
    const wide = [..."\ufeffphone\tname\n+12025550111\tJosé\n"].flatMap((char) => [
      char.charCodeAt(0) & 255,
      char.charCodeAt(0) >> 8,
    ]);
    const found = await checked(new Uint8Array(wide));
    expect(await found.sent.text()).toBe("phone\tname\n+12025550111\tJosé\n");
    expect(found).toMatchObject({ accepted: 1, encoding: "utf-16le" });
  });
});

describe("the reason why a row is rejected", () => {
  it.each([
    ["has no number", ",Ada,", "No phone number"],
    [
      "has one without its country",
      "202 555 0111,Ada,",
      "202 555 0111 has no country code. Did you mean +1 202 555 0111?",
    ],
    ["has an invalid one", "+12,Ada,", "+12 isn't a valid phone number"],
    ["names no time zone", "+12025550111,Ada,Moon/Base", "Unknown time zone Moon/Base"],
    ["is too long", "+12025550111,Ada,,again", "4 cells, but the header has 3"],
    ["opens a quote", '"+12025550111,Ada,', "Unclosed quote, or text after a closing quote"],
  ])("the reason for a rejected row is explained in the console's words if it %s", (_, row, words) => {
    const reader = new ContactsCsv(null);
    const { rejects = [] } = reader.push(bytesOf(`phone_number,name,timezone\n${row}\n`)) ?? {};
    rejects.push(...reader.end().rejects);
    expect(rejects.map(({ reason }) => reasonInWords(reason))).toEqual([words]);
  });
});

describe("a file of skipped rows exported for a spreadsheet", () => {
  it("a file of skipped rows is read with its original cells", async () => {
    const unit = fc.constantFrom(..."ab=+'\" ;\n");
    const notes = fc.array(fc.string({ unit, maxLength: 6 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(notes, async (cells) => {
        const rows = cells.map((note, i) => [`+1202555${1_000 + i}`, note, `${i + 2}`, "why"]);
        const quoted = [["phone_number", "=note", "_line", "_reason"], ...rows].map((row) => row.map(quotedText));
        const text = `${Papa.unparse(quoted, { newline: "\n" })}\n`;
        expect(guessMapping(shapeOfText(text)).map(({ name, use }) => [name, use])).toEqual([
          ["phone_number", "phone"],
          ["=note", "variable"],
          ["_line", "left_out"],
          ["_reason", "left_out"],
        ]);
        const { contacts } = await asService(await checked(text));
        expect(contacts.map(({ variables }) => variables)).toEqual(cells.map((note) => [note]));
        // The first number becomes invalid: its row is skipped, and quoted so that it can be restored.
        const { rejectsText } = await checked(text.replace("+12025551000", "nobody"));
        const [, row = []] = Papa.parse<string[]>(rejectsText, { newline: "\r\n" }).data;
        expect(unquotedText(row[1] ?? "")).toBe(cells[0]);
      }),
    );
  });
});
