import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { columns, contactsOf, created, json, LIST, MAPPED, rows, SKIP, send, table } from "./corrections-support.ts";
import { field, file, type Part } from "./multipart.ts";
import type { Campaign } from "./support.ts";

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
