import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { upload } from "./support.ts";

/** What is hidden in the list, and how it comes out. */
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
  it("hold cells as they were sent, but for what a spreadsheet would compute", async () => {
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

  it("hold skipped rows exactly as they were sent, to be sent again", async () => {
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
