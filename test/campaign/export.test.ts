import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { contactOf, contactsCsv, upload } from "./support.ts";

/** Cells that the list escapes, and how they are exported. */
const NOTE = 'one\r\ntwo\nthree\rfour, "five"';
const CELLS: [sent: string, written: string][] = [
  [NOTE, NOTE],
  ["=1+1\r\nmore", "'=1+1\r\nmore"],
  ["note\r\n=1+1", "'note\r\n'=1+1"],
  [" \u00a0\ufeff=1+1", "' \u00a0\ufeff=1+1"],
  ["＝1+1", "'＝1+1"],
  ["-5+cmd|'/C calc'!A0", "'-5+cmd|'/C calc'!A0"],
  ["x;@SUM(1)", "'x;'@SUM(1)"],
  ["+49 30 901820", "+49 30 901820"],
  ["-5", "-5"],
];

async function parsed(server: Awaited<ReturnType<typeof tenant>>["server"], path: string): Promise<string[][]> {
  const { status, body } = await server.get<string>(path);
  expect(status).toBe(200);
  return Papa.parse<string[]>(body, { newline: "\r\n", skipEmptyLines: true }).data;
}

describe("the CSV files of a campaign", () => {
  it("contain cells as sent, except those a spreadsheet would compute", async () => {
    const { server } = await tenant();
    const headers = CELLS.map((_, i) => (i === 0 ? "two\r\nlines" : i === 1 ? "=1+1\r\nheader" : `column ${i}`));
    const list = [
      ["phone_number", ...headers],
      ["+12025550101", ...CELLS.map(([sent]) => sent)],
    ];
    const { body } = await upload(server, `${Papa.unparse(list, { newline: "\r\n" })}\r\n`);
    const contacts = `/api/v1/campaigns/${body.id}/contacts`;
    const [contact] = (await server.get<{ contacts: { variables: Record<string, string> }[] }>(contacts)).body.contacts;
    expect(Object.values(contact?.variables ?? {})).toEqual(CELLS.map(([sent]) => sent));

    const [first = [], row = []] = await parsed(server, `/api/v1/campaigns/${body.id}/export`);
    expect(first.slice(-headers.length)).toEqual(["two\r\nlines", "'=1+1\r\nheader", ...headers.slice(2)]);
    expect(row.slice(-CELLS.length)).toEqual(CELLS.map(([, written]) => written));
    expect(row[0]).toBe("+12025550101");
  });

  it("contain skipped rows exactly as sent, ready to be uploaded again", async () => {
    const { server } = await tenant();
    const sent = ["nonsense", "＝1+1\r\n=2", ' a "b"\rc', "x;y|z\t"];
    const list = [
      ["phone_number", "=note", "b", "c;d"],
      ["+12025550101", "x", "y", "z"],
      sent,
      ["+1 (202) 555-0101", ...sent.slice(1)],
    ];
    const { body } = await upload(server, Papa.unparse(list, { newline: "\r\n" }), { on_invalid: "skip" });
    const path = `/api/v1/campaigns/${body.id}`;
    expect(await parsed(server, `${path}/rejects`)).toEqual([
      ["phone_number", "=note", "b", "c;d", "_line", "_reason"],
      [...sent, "3", 'phone_number "nonsense" is not a phone number'],
    ]);
    expect(await parsed(server, `${path}/duplicates`)).toEqual([
      ["phone_number", "=note", "b", "c;d", "_line", "_first_line"],
      ["+1 (202) 555-0101", ...sent.slice(1), "6", "2"],
    ]);
  });
});

describe("the contacts' CSV", () => {
  it.each<[query: string, names: string[]]>([
    ["", ["Ada", "Bob", "Cyd"]],
    ["?status=cancelled", ["Bob"]],
    ["?search=cy", ["Cyd"]],
    ["?phone_number=%2B12025550101&status=pending", ["Ada"]],
    ["?outcome=busy", []],
  ])("the contacts' CSV contains the contacts that %j selects", async (query, names) => {
    const { server } = await tenant();
    const { body } = await upload(server, "phone_number,name\n+12025550101,Ada\n+12025550102,Bob\n+12025550103,Cyd\n");
    const path = `/api/v1/campaigns/${body.id}`;
    await server.post(`${path}/contacts/${(await contactOf(server, path, 1)).id}/cancel`);
    const [, ...rows] = await parsed(server, `${path}/export${query}`);
    expect(rows.map((row) => row.at(-1))).toEqual(names);
  });

  it("the contacts' CSV is complete for any number of contacts", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(2_500));
    for (const query of ["", "?search=person", "?status=pending"]) {
      const [, ...rows] = await parsed(server, `/api/v1/campaigns/${body.id}/export${query}`);
      expect(
        rows.map((row) => row.at(-1)),
        query,
      ).toEqual(Array.from({ length: 2_500 }, (_, i) => `Person ${i}`));
    }
  });

  it("refuses unknown filters", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    expect((await server.get(`/api/v1/campaigns/${body.id}/export?status=nonsense`)).status).toBe(400);
    expect((await server.get(`/api/v1/campaigns/${body.id}/export?limit=3`)).status).toBe(400);
  });
});
