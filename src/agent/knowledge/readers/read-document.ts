import { guessLanguage } from "../text/language.ts";
import { decodeText } from "./charset.ts";
import { readHtml } from "./html.ts";
import { readCsv, readMarkdown, readPlain } from "./plain.ts";
import { type ReadText, Unreadable } from "./read-text.ts";

/** A document's original. */
export interface Original {
  content_type: string;
  bytes: Uint8Array;
  /** The charset that the header of an answer names. */
  charset?: string;
}

/** Reads the text of an original under its headings, or says why it cannot be read. */
export async function readDocument(original: Original): Promise<ReadText> {
  try {
    const { title, blocks, language } = await readAs(original);
    const beginning = blocks.slice(0, 20).map(({ text }) => text.slice(0, 1_000));
    return { title, language: language ?? guessLanguage(beginning.join("\n")), blocks };
  } catch (error) {
    if (error instanceof Unreadable) return { failed: error.reason };
    throw error;
  }
}

async function readAs({ content_type, bytes, charset }: Original) {
  const html = content_type === "text/html";
  const text = decodeText(bytes, { html, ...(charset !== undefined && { declared: charset }) });
  if (html) return readHtml(text);
  const read = content_type === "text/markdown" ? readMarkdown : content_type === "text/csv" ? readCsv : readPlain;
  const { title, blocks } = read(text);
  return { title, blocks, language: null };
}
