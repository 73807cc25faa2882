import { getDocumentProxy } from "unpdf";
import { type ReadText, Sections, Unreadable } from "../read-text.ts";

const MAX_PAGES = 2_000;
/** The maximum size of an inflated PDF stream, bytes. */
const MAX_STREAM_BYTES = 64_000_000;

/** Reads a PDF page by page. A page is empty if its text is a picture or uses a font without a character map. */
export async function readPdf(bytes: Uint8Array): Promise<ReadText> {
  const limit = limitBuffers();
  const read = await readPages(bytes).catch((error: Error) => error);
  // The parser may catch the error of `limitBuffers` and continue without that page.
  if (limit.reached) throw new Unreadable("inflates_too_much");
  if (!(read instanceof Error)) return read;
  throw read.name === "PasswordException" ? new Unreadable("encrypted") : read;
}

async function readPages(bytes: Uint8Array): Promise<ReadText> {
  const pdf = await getDocumentProxy(bytes, { disableFontFace: true, useSystemFonts: false, verbosity: 0 });
  if (pdf.numPages > MAX_PAGES) throw new Unreadable("too_many_pages");
  const sections = new Sections();
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    sections.heading(1, `Page ${number}`);
    sections.line(flowing(text));
    page.cleanup();
  }
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? info.Title.trim().slice(0, 200) : "";
  return { title: title || null, language: null, blocks: sections.end() };
}

/** Joins the lines of a paragraph, and the halves of a hyphenated word. */
function flowing(text: string): string {
  return text
    .replaceAll("\0", "")
    .toWellFormed()
    .replaceAll(/(\p{L})-\n(\p{Ll})/gu, "$1$2")
    .replaceAll(/([^.!?:;\n。！？])[ \t]*\n(?=\S)/gu, "$1 ");
}

/**
 * Refuses buffers that are longer than any stream may be. The parser inflates a stream into one buffer, which it
 * doubles without a limit.
 */
function limitBuffers(): { reached: boolean } {
  const limit = { reached: false };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number" && given[0] > MAX_STREAM_BYTES) {
        limit.reached = true;
        throw new RangeError("a stream inflates too much");
      }
      return Reflect.construct(target, given, newTarget);
    },
  });
  return limit;
}
