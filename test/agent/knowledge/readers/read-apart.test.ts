import { env } from "cloudflare:workers";
import { type Zippable, zipSync, zlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../../src/agent/knowledge/readers/read-document.ts";
import printed from "./files/chromium.pdf.txt?raw";
import cjk from "./files/cjk.pdf.txt?raw";
import locked from "./files/locked.pdf.txt?raw";
import picture from "./files/picture.pdf.txt?raw";
import word from "./files/python-docx.docx.txt?raw";
import typeset from "./files/reportlab.pdf.txt?raw";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const read = (content_type: string, bytes: Uint8Array, from: Parameters<typeof readDocument>[1] = env) =>
  readDocument({ content_type, bytes }, from);

/** Returns a PDF of this many pages with equal content. */
function pdf(pages: number, content: Uint8Array): Uint8Array {
  const numbers = Array.from({ length: pages }, (_, n) => n + 5);
  const page =
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 3 0 R>>>>>>";
  const header = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Count ${pages} /Kids [${numbers.map((n) => `${n} 0 R`).join(" ")}]>> endobj
${numbers.map((n) => `${n} 0 obj ${page} endobj`).join("\n")}
3 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
4 0 obj <</Length ${content.length} /Filter /FlateDecode>> stream
`;
  const parts = [
    new TextEncoder().encode(header),
    content,
    new TextEncoder().encode("\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF"),
  ];
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const written = (text: string) => zlibSync(new TextEncoder().encode(`BT /F 12 Tf 72 700 Td (${text}) Tj ET`));

function docx(body: string, others: Zippable = {}): Uint8Array {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`;
  return zipSync(Object.assign(others, { "word/document.xml": new TextEncoder().encode(xml) }), { level: 9 });
}
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("a PDF", () => {
  it("a PDF printed by a browser is read with its title and language", async () => {
    expect(await read(PDF, fromBase64(printed))).toEqual({
      title: "Delivery terms",
      language: "en",
      blocks: [
        {
          heading: "Page 1",
          text: expect.stringContaining(
            "We deliver within two days to Größenwahn street, and the courier calls you before",
          ),
        },
      ],
    });
  });

  it("a PDF is read page by page, with divided words and sentences joined", async () => {
    expect(await read(PDF, fromBase64(typeset))).toMatchObject({
      title: "Refund policy",
      blocks: [
        {
          heading: "Page 1",
          text: "Refunds are paid within three days, by the way that you paid. Deliveries cost 5 euros.",
        },
        { heading: "Page 2", text: "Café second page." },
      ],
    });
  });

  it.each([
    ["no_text", "only pictures", fromBase64(picture)],
    ["no_text", "a font of another program's characters", fromBase64(cjk)],
    ["encrypted", "a password", fromBase64(locked)],
    ["damaged", "nothing of a PDF", new TextEncoder().encode("We open at 9.")],
    ["too_many_pages", "2,001 pages", pdf(2_001, written("Refunds."))],
    ["inflates_too_much", "a stream of 80 MB", pdf(1, zlibSync(new Uint8Array(80_000_000).fill(32), { level: 9 }))],
  ])("a document fails with %s if it has %s", async (failed, _, bytes) => {
    expect(await read(PDF, bytes)).toEqual({ failed });
  });

  it("a PDF of 2,000 pages is read", async () => {
    const text = await read(PDF, pdf(2_000, written("Refunds.")));
    expect(text).toMatchObject({ blocks: expect.objectContaining({ length: 2_000 }) });
  });
});

describe("a Word document", () => {
  it("a Word document is read under its headings, with the cells of a row on one line", async () => {
    expect(await read(DOCX, fromBase64(word))).toMatchObject({
      title: "House rules",
      blocks: [
        { heading: "Opening hours", text: "We open at 9. Größe 返金." },
        { heading: "Opening hours › Sunday", text: "Closed.\nTea | 3 €\nCoffee | 4 €" },
      ],
    });
  });

  it("a Word document is read without deleted revisions and repeated text boxes", async () => {
    const body = `<w:p><w:r><w:t>Kept.</w:t></w:r><w:del><w:r><w:delText>Gone.</w:delText></w:r></w:del></w:p>
      <mc:AlternateContent xmlns:mc="mc"><mc:Choice>${paragraph("Box.")}</mc:Choice><mc:Fallback>${paragraph("Box.")}</mc:Fallback></mc:AlternateContent>`;
    expect(await read(DOCX, docx(body))).toMatchObject({ blocks: [{ text: "Kept.\nBox." }] });
  });

  it.each([
    ["no_text", "no words", () => docx("<w:p/>")],
    ["damaged", "XML that is not well formed", () => docx("<w:p>")],
    ["damaged", "no document in it", () => zipSync({ "a.txt": new Uint8Array(3) })],
    ["damaged", "nothing of an archive", () => new TextEncoder().encode("We open at 9.")],
    ["damaged", "an entity of its own", () => docx("<w:p><w:r><w:t>&file;</w:t></w:r></w:p>")],
    ["inflates_too_much", "a ratio of a thousand", () => docx(paragraph(" ".repeat(20_000_000)))],
    ["inflates_too_much", "10,001 entries", () => docx(paragraph("a"), many(10_001))],
    ["text_too_large", "more than five million characters", () => docx(paragraph(noise(5_100_000)))],
  ])("a document fails with %s if it has %s", async (failed, _, bytes) => {
    expect(await read(DOCX, bytes())).toEqual({ failed });
  });
});

const many = (entries: number): Zippable =>
  Object.fromEntries(Array.from({ length: entries }, (_, n) => [`${n}`, [new Uint8Array(), { level: 0 }]]));

/** Returns letters that compress badly, always the same ones. */
function noise(length: number): string {
  const letters = new Uint8Array(length);
  for (let at = 0, state = 1; at < length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    letters[at] = 97 + (state % 26);
  }
  return new TextDecoder().decode(letters);
}

describe("a reader of PDF and Word documents", () => {
  it.each([[PDF], [DOCX]])("a reader that is missing in a deployment fails with its reason for %s", async (type) => {
    expect(await read(type, fromBase64(typeset), { ASSETS: env.ASSETS })).toEqual({ failed: "reader_unavailable" });
  });

  it("a reader that runs out of time fails with its reason", async () => {
    const READERS = { load: () => ({ getEntrypoint: () => ({ read: () => Promise.reject(new Error("exceeded")) }) }) };
    const from = { ASSETS: env.ASSETS, READERS: READERS as unknown as WorkerLoader };
    expect(await read(PDF, fromBase64(typeset), from)).toEqual({ failed: "takes_too_long" });
  });
});
