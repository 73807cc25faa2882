import { zlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Client } from "../../support/client.ts";
import { tenant } from "../../support/client.ts";
import printed from "./readers/files/chromium.pdf.txt?raw";
import cjk from "./readers/files/cjk.pdf.txt?raw";
import locked from "./readers/files/locked.pdf.txt?raw";
import picture from "./readers/files/picture.pdf.txt?raw";
import word from "./readers/files/python-docx.docx.txt?raw";
import typeset from "./readers/files/reportlab.pdf.txt?raw";
import { type DocumentBody, search, settled, upload } from "./support.ts";

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Uploads a file and waits until it was processed. */
async function readFile(server: Client, name: string, bytes: Uint8Array): Promise<DocumentBody> {
  const { status, body } = await upload(server, name, new Uint8Array(bytes));
  expect([status, body]).toMatchObject([202, {}]);
  return settled(server, body.id);
}

function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(2 + text.length * 2));
  for (const [at, code] of [0xfeff, ...Array.from(text, (_, n) => text.charCodeAt(n))].entries())
    bytes.setUint16(at * 2, code, isLittle);
  return new Uint8Array(bytes.buffer);
}

/** Returns an archive with this many empty entries. Only its directory tells how many there are. */
function archiveOf(entries: number): Uint8Array<ArrayBuffer> {
  const [local, central] = [32, 48];
  const bytes = new Uint8Array(entries * (local + central) + 22);
  const view = new DataView(bytes.buffer);
  for (let n = 0; n < entries; n++) {
    view.setUint32(n * local, 0x04034b50, true);
    view.setUint16(n * local + 26, 2, true);
    const at = entries * local + n * central;
    view.setUint32(at, 0x02014b50, true);
    view.setUint16(at + 28, 2, true);
    view.setUint32(at + 42, n * local, true);
    for (const name of [n * local + 30, at + 46]) view.setUint16(name, 0x6161, true);
  }
  const end = entries * (local + central);
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 8, entries & 0xffff, true);
  view.setUint16(end + 10, entries & 0xffff, true);
  view.setUint32(end + 12, entries * central, true);
  view.setUint32(end + 16, entries * local, true);
  return bytes;
}

/** Returns a PDF with one page, whose content inflates to this many bytes. */
function bombOf(size: number): Uint8Array<ArrayBuffer> {
  const content = zlibSync(new Uint8Array(size).fill(32), { level: 9 });
  const head = utf8(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R>> endobj
4 0 obj <</Length ${content.length} /Filter /FlateDecode>> stream
`);
  const tail = utf8("\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF");
  const bytes = new Uint8Array(head.length + content.length + tail.length);
  for (const [part, at] of [
    [head, 0],
    [content, head.length],
    [tail, head.length + content.length],
  ] as const)
    bytes.set(part, at);
  return bytes;
}

describe("an uploaded file", () => {
  it.each([
    ["a PDF printed by a browser", "terms.pdf", fromBase64(printed), "courier deliver"],
    ["a typeset PDF", "refunds.pdf", fromBase64(typeset), "refunds"],
    ["a Word document", "rules.docx", fromBase64(word), "Sunday closed"],
    ["UTF-16, little-endian", "a.txt", utf16("Größe der Räume", true), "räume"],
    ["UTF-16, big-endian", "a.txt", utf16("Größe der Räume", false), "räume"],
    ["windows-1252", "a.txt", Uint8Array.from([0x50, 0x72, 0x65, 0x69, 0x73, 0x3a, 0x20, 0x35, 0x20, 0x80]), "Preis €"],
    ["Arabic, from right to left", "a.txt", utf8("نفتح أبوابنا يوم السبت من التاسعة"), "السبت"],
    ["Hebrew, from right to left", "a.txt", utf8("אנחנו פותחים ביום ראשון בתשע"), "ראשון"],
    ["Chinese", "a.txt", utf8("我们星期六上午九点开门，下午五点关门。"), "星期六"],
    ["Japanese", "a.txt", utf8("返金は三日以内に行われます。"), "返金"],
    ["Thai", "a.txt", utf8("เราเปิดร้านวันเสาร์เก้าโมงเช้า"), "วันเสาร์"],
  ])("an uploaded file that is %s is found by its words", async (_, name, bytes, query) => {
    const { server } = await tenant();
    const { id, status, reason } = await readFile(server, name, bytes);
    expect([status, reason]).toEqual(["ready", null]);
    expect((await search(server, query))[0]?.document_id).toBe(id);
  });

  it.each([
    ["no_text", "a PDF of a scanner", "scan.pdf", fromBase64(picture)],
    ["no_text", "a PDF whose font has another program's characters", "cjk.pdf", fromBase64(cjk)],
    ["encrypted", "a PDF with a password", "locked.pdf", fromBase64(locked)],
    ["inflates_too_much", "a PDF that inflates to 80 MB", "bomb.pdf", bombOf(80_000_000)],
    ["inflates_too_much", "a Word document of 200,000 entries", "many.docx", archiveOf(200_000)],
    ["text_too_large", "a text of one line with 20,000,000 letters", "line.txt", new Uint8Array(20_000_000).fill(97)],
  ])("an uploaded file fails with %s if it is %s", async (reason, _, name, bytes) => {
    const { server } = await tenant();
    expect(await readFile(server, name, bytes)).toMatchObject({ status: "failed", reason, chunks: 0 });
  });

  it("an uploaded file of one long line is cut into passages of at most 2,000 characters", async () => {
    const { server } = await tenant();
    const { id, status, chunks } = await readFile(server, "line.txt", utf8("a word after another ".repeat(5_000)));
    expect([status, chunks > 50]).toEqual(["ready", true]);
    const { body } = await server.get<{ chunks: { text: string }[] }>(`/api/v1/knowledge/${id}/chunks?limit=100`);
    expect(body.chunks.filter(({ text }) => text.length > 2_000)).toEqual([]);
  });
});
