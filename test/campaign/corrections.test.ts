import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { columns, contactsOf, created, LIST, MAPPED, rows, SKIP, send, table } from "./corrections-support.ts";
import { field, file, type Part } from "./multipart.ts";
import type { Added } from "./support.ts";

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
