import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";
import { InvalidCsv } from "../../src/lists/invalid-csv.ts";
import type { ImportBatch } from "../../src/lists/rows.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Reads a file given in pieces of these sizes. */
function read(
  bytes: Uint8Array,
  sizes: number[] = [bytes.length],
  country: string | null = null,
): ImportBatch & { columns: string[] } {
  const csv = new ContactsCsv(country);
  const all: ImportBatch = { contacts: [], rejects: [] };
  const take = (batch: ImportBatch | null) => {
    all.contacts.push(...(batch?.contacts ?? []));
    all.rejects.push(...(batch?.rejects ?? []));
  };
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    take(csv.push(bytes.slice(at, at + size)));
    at += size;
  }
  take(csv.end());
  return { ...all, columns: csv.columns };
}

describe("a contacts CSV", () => {
  it.each([
    ["fields separated by commas", "phone_number,name\n+12025550101,Ada\n"],
    ["fields separated by semicolons", "phone_number;name\n+12025550101;Ada\n"],
    ["fields separated by tabs", "phone_number\tname\n+12025550101\tAda\n"],
    ["fields separated by pipes", "phone_number|name\n+12025550101|Ada\n"],
    ["CRLF line breaks", "phone_number,name\r\n+12025550101,Ada\r\n"],
    ["the line breaks of old Macs", "phone_number,name\r+12025550101,Ada\r"],
    ["no line break at the end", "phone_number,name\n+12025550101,Ada"],
    ["a BOM, capitals and spaces in the header", "\ufeff Phone_Number , name\n+12025550101,Ada\n"],
    ["a quoted header", '"phone_number","name"\n"+12025550101","Ada"\n'],
    ["blank lines", "phone_number,name\n\n+12025550101,Ada\n\n"],
    [
      "rows of only delimiters, as spreadsheets save emptied rows",
      'phone_number,name\n,\n+12025550101,Ada\n , \n"",""\n,,\n',
    ],
    ["another column before the numbers", "name,phone_number\nAda,+12025550101\n"],
    ["a number with punctuation", "phone_number,name\n+1 (202) 555-0101,Ada\n"],
    ["a number with the prefix 00", "phone_number,name\n0012025550101,Ada\n"],
    ["a number that a spreadsheet quoted as text", "phone_number,name\n'+12025550101,Ada\n"],
  ])("a contacts CSV is read with %s", (_, file) => {
    const { contacts, rejects, columns } = read(encode(file));
    expect(rejects).toEqual([]);
    expect(columns).toEqual(["name"]);
    expect(contacts).toMatchObject([{ phone_number: "+12025550101", variables: ["Ada"] }]);
  });

  it("reads a list of one column", () => {
    expect(read(encode("phone_number\n+12025550101\n")).contacts).toHaveLength(1);
  });

  it("normalizes national numbers of the default country", () => {
    expect(read(encode("phone_number\n030 901820\n"), undefined, "DE").contacts[0]?.phone_number).toBe("+4930901820");
  });

  it("counts the file's lines, also past line breaks in quotes", () => {
    const { contacts, rejects } = read(
      encode('phone_number,note\n+12025550101,"one\ntwo\nthree"\nbad,x\n+12025550102,y\n'),
    );
    expect(contacts.map(({ line }) => line)).toEqual([2, 6]);
    expect(rejects).toMatchObject([{ line: 5 }]);
  });

  it("keeps cells as sent, line breaks included, however the file is chunked", () => {
    const unit = fc.constantFrom(..."ab ,;'\"\r\n\v\t\u2028", "\r\n", "\r\v\n");
    const cell = fc.string({ unit, maxLength: 12 });
    const row = fc.tuple(fc.integer({ min: 2_000_000, max: 9_999_999 }), cell, cell);
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.constantFrom("\r\n", "\n", "\r"),
        (rows, sizes, newline) => {
          const cells = [["phone_number", "a", "b"], ...rows.map(([n, a, b]) => [`+1202${n}`, a, b])];
          const text = Papa.unparse(cells, { newline });
          const { contacts, rejects } = read(encode(text), sizes);
          expect(rejects).toEqual([]);
          expect(contacts.map((c) => [c.phone_number, ...c.variables])).toEqual(
            rows.map(([n, a, b]) => [`+1202${n}`, a, b]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(["\r\n", "\r", "\n"])(
    "a contacts CSV keeps line breaks in quotes in a file whose lines end in %j",
    (newline) => {
      const lines = ['phone_number,"a\r\nnote",b', '+12025550101,"one\r\ntwo\rthree\nfour\r","x\r\n"', "bad,y,z", ""];
      const { contacts, rejects, columns } = read(encode(lines.join(newline)));
      expect(columns).toEqual(["a\r\nnote", "b"]);
      expect(contacts).toMatchObject([{ line: 3, variables: ["one\r\ntwo\rthree\nfour\r", "x\r\n"] }]);
      expect(rejects).toMatchObject([{ line: 9, row: ["bad", "y", "z"] }]);
    },
  );

  it("reads a list longer than a chunk in steps", () => {
    const csv = new ContactsCsv(null);
    csv.push(encode("phone_number,name\n"));
    let seen = 0;
    for (let i = 0; i < 20_000; i++) {
      seen += csv.push(encode(`+1202${String(5_000_000 + i)},"Person ${i}"\n`))?.contacts.length ?? 0;
    }
    expect(seen).toBeGreaterThan(10_000);
    expect(seen + csv.end().contacts.length).toBe(20_000);
  });
});

describe("an invalid contacts CSV", () => {
  it.each([
    ["an empty file", "", /empty/],
    ["blank lines only", "\n\n", /phone_number|empty/],
    ["no phone_number column", "name\nAda\n", /phone_number/],
    ["a repeated header", "phone_number,a,A\n", /twice/],
    ["a column without a name that another is called by", "phone_number,,Column 2\n", /twice/],
    ["an endless header", `phone_number,${"x".repeat(70_000)}\n+12025550101,Ada\n`, /line 1.*longer/],
    ["phone_number twice", "phone_number,Phone Number\n", /twice/],
    ["too many columns", `phone_number,${Array.from({ length: 500 }, (_, i) => `c${i}`).join(",")}\n`, /columns/],
    ["NUL bytes", "phone_number\n+1202\u0000\n", /NUL/],
  ])("a contacts CSV is refused if it is %s", (_, file, message) => {
    expect(() => read(encode(file))).toThrow(message);
    expect(() => read(encode(file))).toThrow(InvalidCsv);
  });

  it("a contacts CSV that is not UTF-8 is refused", () => {
    expect(() => read(new Uint8Array([...encode("phone_number\n"), 0xff, 0xfe, 0xc3]))).toThrow(/UTF-8/);
  });

  it("an endless line of a contacts CSV is refused without buffering all of it", () => {
    const csv = new ContactsCsv(null);
    const piece = encode("x".repeat(100_000));
    expect(() => {
      for (let i = 0; i < 20; i++) csv.push(piece);
    }).toThrow(InvalidCsv);
  });

  it.each([
    ["no number", "x", /not a phone number/],
    ["an empty number", '"",Ada', /empty/],
    ["a national number without a country", "2025550101", /country code/],
    ["too short a number", "+123", /not a phone number/],
    ["too many fields", "+12025550101,a,b,c", /4 fields/],
    ["an unknown time zone", "+12025550101,a,Mars/Base", /timezone/],
    ["more text than a contact has", `+12025550101,${"x".repeat(70_000)},`, /longer/],
  ])("a row of a contacts CSV is rejected for %s", (_, row, reason) => {
    const { contacts, rejects } = read(encode(`phone_number,name,timezone\n${row}\n`));
    expect(contacts).toEqual([]);
    expect(rejects).toMatchObject([{ line: 2, reason: expect.stringMatching(reason) }]);
  });

  it("rejects a row with an unclosed quote", () => {
    const { rejects } = read(encode('phone_number,name\n+12025550101,"Ada\n'));
    expect(rejects).toHaveLength(1);
  });

  it("never causes any other error, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
        try {
          read(bytes, [size]);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidCsv);
        }
      }),
    );
  });
});

describe("a file that names its delimiter", () => {
  it.each([
    ["sep=;\nphone_number;name\n+12025550110;a,b\n12;x\n", "a,b"],
    ["\ufeffsep=,\r\nphone_number,name\r\n+12025550110,a;b\r\n12,x\r\n", "a;b"],
    ["sep=\t\rphone_number\tname\r+12025550110\ta\r12\tx\r", "a"],
    ['"sep=;"\nphone_number;name\n+12025550110;"a\nb"\n12;x\n', "a\nb"],
    ["Sep=~\nphone_number~name\n+12025550110~a,b;c\n12~x\n", "a,b;c"],
  ])("a file that names its delimiter is parsed with the delimiter, and that line is line 1: %j", (text, name) => {
    const reader = new ContactsCsv(null);
    const pushed = reader.push(new TextEncoder().encode(text));
    const { contacts, rejects } = reader.end();
    expect(pushed).toBeNull();
    expect(contacts).toMatchObject([{ line: 3, phone_number: "+12025550110", variables: [name] }]);
    expect(rejects).toMatchObject([{ line: 4 + name.split("\n").length - 1 }]);
    expect(reader.layout?.header).toEqual(["phone_number", "name"]);
  });
});
