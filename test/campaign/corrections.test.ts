import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { ContactsCsv } from "../../src/lists/contacts-csv.ts";
import type { Corrections } from "../../src/lists/corrections.ts";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { field, file, formBytes, type Part } from "./multipart.ts";
import type { Added, Campaign, Contact } from "./support.ts";

const json = (name: string, value: unknown) => field(name, JSON.stringify(value));
const columns = (value: unknown) => json("columns", value);
const rows = (value: unknown) => json("rows", value);
const SKIP = field("on_invalid", "skip");

/** Returns the response to a form with these parts, as problem+json if it is refused. */
function send<T = Campaign>(client: Client, parts: Part[], path = "/api/v1/campaigns"): Promise<Answer<T>> {
  return client.send<T>("POST", path, formBytes(parts, "b"), {
    "content-type": "multipart/form-data; boundary=b",
    accept: "application/problem+json",
  });
}

async function created(client: Client, ...parts: Part[]): Promise<Campaign & { path: string }> {
  const { status, body } = await send(client, parts);
  expect([status, body]).toEqual([201, expect.anything()]);
  return Object.assign(body, { path: `/api/v1/campaigns/${body.id}` });
}

async function contactsOf(client: Client, path: string) {
  const { contacts } = (await client.get<{ contacts: Contact[] }>(`${path}/contacts?limit=1000`)).body;
  return contacts.map(({ phone_number, variables }) => [phone_number, variables]);
}

const table = async (client: Client, path: string) =>
  Papa.parse<string[]>((await client.get<string>(path)).body, { newline: "\r\n", skipEmptyLines: true }).data;

const LIST =
  "Mobile;Vorname;Notes\n" +
  "+1 202 555 0101;Ada;secret 1\n" +
  "12;Grace;secret 2\n" +
  "+12025550103;Test;secret 3\n" +
  "13;Alan;secret 4\n" +
  "+12025550101;Ada again;secret 5\n";
const MAPPED = { phone_number: "Mobile", first_name: "Vorname", Notes: null };

describe("an upload with columns and rows", () => {
  it("names columns, leaves some out, changes cells, leaves rows out, and reports the lines of the file", async () => {
    const { server } = await tenant();
    const changed = rows({ 3: { Mobile: "(202) 555-0102", Vorname: "Grace H" }, 4: null });
    const { path, import: report } = await created(
      server,
      columns(MAPPED),
      changed,
      SKIP,
      field("default_country", "US"),
      file(LIST),
    );
    expect(report).toMatchObject({ accepted: 2, rejected: 1, duplicates: 1 });
    expect(await contactsOf(server, path)).toEqual([
      ["+12025550101", { first_name: "Ada" }],
      ["+12025550102", { first_name: "Grace H" }],
    ]);
    expect(await table(server, `${path}/rejects`)).toEqual([
      ["phone_number", "first_name", "_line", "_reason"],
      ["13", "Alan", "5", 'phone_number "13" is not a phone number'],
    ]);
    expect(await table(server, `${path}/duplicates`)).toEqual([
      ["phone_number", "first_name", "_line", "_first_line"],
      ["+12025550101", "Ada again", "6", "2"],
    ]);
  });

  it("works when adding contacts, and its corrected rejects can be uploaded as they are", async () => {
    const { server } = await tenant();
    const { path } = await created(server, file("phone_number,first_name\n+12025550100,Eve\n"));
    const { status, body } = await send<Added>(
      server,
      [columns(MAPPED), rows({ 4: null }), SKIP, file(LIST)],
      `${path}/contacts`,
    );
    expect([status, body]).toEqual([200, { accepted: 1, rejected: 2, duplicates: 1 }]);
    const rejects = (await server.get<string>(`${path}/rejects`)).body;
    const corrected = rejects.replace("12,Grace", "+12025550102,Grace").replace("13,Alan", "+12025550113,Alan");
    const again = await send<Added>(server, [file(corrected)], `${path}/contacts`);
    expect([again.status, again.body]).toEqual([200, { accepted: 2, rejected: 0, duplicates: 0 }]);
    expect(await contactsOf(server, path)).toEqual([
      ["+12025550100", { first_name: "Eve" }],
      ["+12025550101", { first_name: "Ada" }],
      ["+12025550102", { first_name: "Grace" }],
      ["+12025550113", { first_name: "Alan" }],
    ]);
  });

  it.each<[string, string, unknown, string[]]>([
    [
      "headers spelled differently, with a BOM and spaces",
      "\ufeff MOBILE ,First-Name\nN,x\n",
      { name: "first name" },
      ["name"],
    ],
    ["a header without a known name", "Rufnummer,Vorname\nN,x\n", { phone_number: "Rufnummer" }, ["Vorname"]],
    ["two names that change places", "Mobile,a\nx,N\n", { a: "Mobile", phone_number: "a" }, ["a"]],
    ["columns that are called the same", "Mobile,b,b\nN,x,y\n", { second: "column_3" }, ["b", "second"]],
    ["a column that differs in its letters alone", "Mobile,B,b\nN,x,y\n", { other: "b" }, ["B", "other"]],
    ["a column without a name", "Mobile,,b\nN,x,y\n", { note: "column_2" }, ["note", "b"]],
    [
      "a phone_number column that is not to be called",
      "Mobile,phone_number\nN,x\n",
      { phone_number: "Mobile", old: "phone_number" },
      ["old"],
    ],
    [
      "the same, left out by its position",
      "Mobile,phone_number\nN,x\n",
      { phone_number: "Mobile", column_2: null },
      [],
    ],
    ["one of two columns that could hold the numbers", "Phone,Mobile\nx,N\n", { phone_number: "Mobile" }, ["Phone"]],
    ["a header with the sign of another delimiter", '"Tel; m","a;b;c"\nN,x\n', { phone_number: "Tel; m" }, ["a;b;c"]],
    ["a file that names its delimiter", "sep=|\nMobile|b\nN|x\n", { first: "b" }, ["first"]],
    ["a column of a list of skipped rows", "Mobile,_line,_reason\nN,2,why\n", { line: "_line" }, ["line"]],
    [
      "200 columns among more",
      `Mobile,${Array.from({ length: 200 }, (_, i) => `c${i}`)}\nN${",x".repeat(200)}\n`,
      { c0: null },
      Array.from({ length: 199 }, (_, i) => `c${i + 1}`),
    ],
  ])("an upload with corrections finds %s", async (_, list, named, names) => {
    const { server } = await tenant();
    const { path } = await created(server, columns(named), file(list.replace(/\bN\b/, "+12025550101")));
    const [[phone, variables] = []] = await contactsOf(server, path);
    expect([phone, Object.keys(variables ?? {})]).toEqual(["+12025550101", names]);
  });

  it("counts lines past line breaks in cells and a line that names the delimiter", async () => {
    const { server } = await tenant();
    const list = 'sep=;\nMobile;note\n+12025550101;"one\ntwo"\n12;"three"\n\n13;x\n';
    const changed = rows({ 5: { mobile: "+12025550102" }, 7: { mobile: "+12025550103", note: 'a "b"\n;c' } });
    const { path } = await created(server, changed, file(list));
    expect(await contactsOf(server, path)).toEqual([
      ["+12025550101", { note: "one\ntwo" }],
      ["+12025550102", { note: "three" }],
      ["+12025550103", { note: 'a "b"\n;c' }],
    ]);
  });

  it("drops surplus cells, fills a short row, and leaves out a row with malformed quotes", async () => {
    const { server } = await tenant();
    const list = 'Mobile,a,b\n+12025550101,x,y,too,many\n+12025550102\n+12025550103,"z"z,\n';
    const changed = rows({ 2: { _extra_1: "", _extra_2: "" }, 3: { b: "late" }, 4: null });
    const { path } = await created(server, changed, file(list));
    expect(await contactsOf(server, path)).toEqual([
      ["+12025550101", { a: "x", b: "y" }],
      ["+12025550102", { a: "", b: "late" }],
    ]);
  });

  it("reads changed rows with a default_country sent after the file", async () => {
    const { server } = await tenant();
    const list = "Mobile,a\n(202) 555-0101,x\n12,y\n";
    const parts = [rows({ 3: { Mobile: "(202) 555-0102" } }), file(list), field("default_country", "US")];
    const { path } = await created(server, ...parts);
    expect(await contactsOf(server, path)).toEqual([
      ["+12025550101", { a: "x" }],
      ["+12025550102", { a: "y" }],
    ]);
  });

  it("accepts both as JSON parts with a file name, as browsers and generated clients send them", async () => {
    const { server } = await tenant();
    const part = (name: string, value: unknown): Part => ({
      headers: [`Content-Disposition: form-data; name="${name}"; filename="blob"`, "Content-Type: application/json"],
      content: JSON.stringify(value),
    });
    const changed = part("rows", { 3: { Mobile: "+12025550102" }, 5: null });
    const { import: report } = await created(server, part("columns", MAPPED), changed, file(LIST));
    expect(report).toMatchObject({ accepted: 3, rejected: 0, duplicates: 1 });
  });

  it("accepts as many changed rows as fit into 1 MB", async () => {
    const { server } = await tenant();
    const count = 75_000;
    const list = Array.from({ length: count }, (_, i) => `${i},${i}`).join("\n");
    // Rows that aren't left out would be refused.
    const left = Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [i + 3, null]));
    const changed = rows(Object.assign(left, { 2: { Mobile: "+12025550101" } }));
    const { import: report } = await created(server, changed, file(`Mobile,n\n${list}\n`));
    expect(report).toMatchObject({ accepted: 1, rejected: 0, duplicates: 0 });
  });
});

describe("an upload with invalid columns and rows", () => {
  const NAMES = "its columns are Mobile, Vorname, Notes";

  it.each<[string, Part[], [field: string, code: string, message: string][]]>([
    [
      "headers that the file lacks",
      [columns({ phone_number: "Handy", Notes: null, City: null })],
      [
        ["columns.phone_number", "unknown", `the file has no column Handy; ${NAMES}`],
        ["columns.City", "unknown", `the file has no column City; ${NAMES}`],
      ],
    ],
    [
      "two fields of one column",
      [columns({ a: "Vorname", b: "vorname" })],
      [["columns.b", "duplicate", "the column vorname is already used for a"]],
    ],
    [
      "a column that is used and left out",
      [columns({ a: "Vorname", Vorname: null })],
      [["columns.Vorname", "duplicate", "the column Vorname is already used for a"]],
    ],
    [
      "a name that another column has",
      [columns({ notes: "Vorname" })],
      [
        [
          "columns.notes",
          "duplicate",
          'another column is also called notes; rename it, or leave it out: "column_3": null',
        ],
      ],
    ],
    [
      "a name that the service uses itself",
      [columns({ _line: "Notes" })],
      [["columns._line", "invalid_name", "this name is reserved"]],
    ],
    [
      "no JSON",
      [field("columns", "{"), field("rows", "[")],
      [
        ["columns", "invalid", "must be JSON"],
        ["rows", "invalid", "must be JSON"],
      ],
    ],
    [
      "JSON that is not an object",
      [columns(["Mobile"]), rows(null)],
      [
        ["columns", "invalid", "must be a JSON object"],
        ["rows", "invalid", "must be a JSON object"],
      ],
    ],
    [
      "values of other kinds, beside another field that is wrong",
      [
        columns({ a: 1, b: " " }),
        rows({ 2: "x", 3: { Mobile: 12 }, x: null, 0: null }),
        field("name", "x".repeat(201)),
      ],
      [
        ["name", "too_long", "must have at most 200 characters"],
        ["columns.a", "invalid", "must be text, not a number"],
        ["columns.b", "invalid", "must not be empty"],
        ["rows.0", "invalid", "must be the number of a line"],
        ["rows.2", "invalid", "must be a JSON object"],
        ["rows.3.Mobile", "invalid", "must be text, not a number"],
        ["rows.x", "invalid", "must be the number of a line"],
      ],
    ],
    [
      "a cell with a NUL character",
      [rows({ 3: { Mobile: "\0" } })],
      [["rows.3.Mobile", "invalid", "must not contain NUL characters or unpaired surrogates"]],
    ],
    [
      "cells of columns that the file lacks",
      [rows({ 3: { Mobil: "x", first_name: "y" } })],
      [
        ["rows.3.Mobil", "unknown", `the file has no column Mobil; ${NAMES}`],
        ["rows.3.first_name", "unknown", `the file has no column first_name; ${NAMES}`],
      ],
    ],
    [
      "cells too many that the row does not have",
      [rows({ 3: { _extra_1: "" } })],
      [["rows.3._extra_1", "unknown", "the row has no such cell"]],
    ],
    [
      "lines that the file lacks, its header's among them",
      [rows({ 1: null, 3: { Mobile: "+12025550102" }, 5: null, 7: null, 99: { Mobile: "x" } })],
      [1, 7, 99].map((line) => [`rows.${line}`, "unknown", `the file has no row that begins on line ${line}`]),
    ],
    [
      "rows of over 1 MB",
      [rows({ 3: { Mobile: "x".repeat(1_000_000) } })],
      [["rows", "invalid_csv", "must not be larger than 1,000,000 bytes"]],
    ],
    [
      "rows that are not UTF-8",
      [{ headers: ['Content-Disposition: form-data; name="rows"'], content: new Uint8Array([0x7b, 0xff, 0x7d]) }],
      [["rows", "invalid_csv", "must be UTF-8 text"]],
    ],
  ])("an upload is refused with %s and stores nothing", async (_, parts, errors) => {
    const { server } = await tenant();
    const named = errors.map(([field, code, message]) => ({ field, code, message }));
    const first = await send<{ errors: unknown }>(server, [...parts, file(LIST)]);
    expect([first.status, first.code, first.body.errors]).toEqual([400, "invalid_csv", named]);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
    const { path } = await created(server, file("phone_number\n+12025550100\n"));
    const added = await send<{ errors: { field: string }[] }>(server, [...parts, file(LIST)], `${path}/contacts`);
    expect([added.status, added.body.errors]).toEqual([400, named.filter(({ field }) => field !== "name")]);
    expect(await contactsOf(server, path)).toHaveLength(1);
  });

  it.each(["columns", "rows"])("an upload is refused when %s comes after the file", async (name) => {
    const { server } = await tenant();
    const { status, body } = await send<{ title: string }>(server, [file(LIST), json(name, {})]);
    expect([status, body.title]).toEqual([400, `${name}: must come before the file`]);
  });

  it("a correction is refused when its line is inside a row or blank", async () => {
    const { server } = await tenant();
    const list = 'Mobile,note\n+12025550101,"one\ntwo"\n\n+12025550102,x\n';
    const { status, body } = await send<{ title: string }>(server, [rows({ 3: null, 4: null, 5: null }), file(list)]);
    expect([status, body.title]).toEqual([
      400,
      "rows.3: the file has no row that begins on line 3; rows.4: the file has no row that begins on line 4",
    ]);
  });

  it("a correction may fill a row that consists of delimiters alone", async () => {
    const { server } = await tenant();
    const list = "Mobile,note\n+12025550101,x\n,\n,\n";
    const filled = rows({ 3: { Mobile: "+12025550102" } });
    const { status, body } = await send<Campaign>(server, [filled, file(list)]);
    expect([status, body.import]).toMatchObject([201, { accepted: 2, rejected: 0, duplicates: 0 }]);
  });

  it("a correction is refused when a header names several columns", async () => {
    const { server } = await tenant();
    const list = file("Mobile,name,name\n+12025550101,a,b\n");
    const { status, body } = await send<{ errors: unknown }>(server, [columns({ a: "name" }), list]);
    const message = "2 columns are called name; name one by its position, such as column_2";
    expect([status, body.errors]).toEqual([400, [{ field: "columns.a", code: "duplicate", message }]]);
  });

  it("an upload is refused when all rows are left out", async () => {
    const { server } = await tenant();
    const { status, body } = await send<{ title: string }>(server, [rows({ 2: null }), file("Mobile\n+12025550101\n")]);
    expect([status, body.title]).toEqual([400, "the file has a header but no contacts"]);
  });

  it("still rejects a row with malformed quotes when its cells are changed", async () => {
    const { server } = await tenant();
    const list = 'Mobile,a\n+12025550101,"x"x\n+12025550102,y\n';
    const { status, body } = await send<{ title: string }>(server, [rows({ 2: { a: "x" } }), file(list)]);
    expect([status, body.title]).toEqual([400, expect.stringContaining("line 2: a quoted field is malformed")]);
  });
});

describe("an upload with hostile columns and rows", () => {
  it("accepts names of properties of JavaScript objects", async () => {
    const { server } = await tenant();
    const list = "Mobile,a,__proto__,constructor\n12,x,y,z\n";
    const parts = [
      field("columns", '{"__proto__": "a", "toString": "__proto__", "constructor": null}'),
      field("rows", '{"2": {"Mobile": "+12025550101", "__proto__": "changed"}}'),
    ];
    const { path } = await created(server, ...parts, file(list));
    const [[phone, variables] = []] = await contactsOf(server, path);
    expect([phone, Object.entries(variables ?? {})]).toEqual([
      "+12025550101",
      [
        ["__proto__", "x"],
        ["toString", "changed"],
      ],
    ]);
  });

  it("exports nothing of a column that was left out", async () => {
    const { server } = await tenant();
    const { path } = await created(server, columns(MAPPED), SKIP, file(LIST));
    for (const name of ["contacts", "export", "rejects", "duplicates", "history"])
      expect(JSON.stringify((await server.get(`${path}/${name}`)).body), name).not.toContain("secret");
  });

  it("quotes a changed cell with a formula in exports", async () => {
    const { server } = await tenant();
    const changed = rows({ 2: { a: "=1+1" } });
    const { path } = await created(server, changed, file("Mobile,a\n+12025550101,x\n"));
    expect((await table(server, `${path}/export`))[1]?.at(-1)).toBe("'=1+1");
  });

  it("shortens long names in errors", async () => {
    const { server } = await tenant();
    const long = "x".repeat(20_000);
    const { body } = await send(server, [columns({ [long]: long }), rows({ 2: { [long]: "" } }), file(LIST)]);
    expect(JSON.stringify(body).length).toBeLessThan(2_000);
  });

  it("names the first of very many problems, and says how many there are at least", async () => {
    const { server } = await tenant();
    const unknown = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`c${i}`, ""]));
    const { status, body } = await send<{ title: string; errors: unknown[] }>(server, [
      rows({ 2: unknown }),
      file(LIST),
    ]);
    expect([status, body.errors.length]).toEqual([400, 20]);
    expect(body.title).toMatch(/; and 180 more$/);
  });

  it("uses the last of many rows parts", async () => {
    const { server } = await tenant();
    const large = rows({ 2: { Mobile: "x".repeat(900_000) } });
    const parts = [...Array.from({ length: 20 }, () => large), rows({ 3: null, 5: null })];
    const { import: report } = await created(server, ...parts, file(LIST));
    expect(report).toMatchObject({ accepted: 2, duplicates: 1 });
  });
});

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
