import { guessLanguage } from "../text/language.ts";
import { type ReaderEnv, readApart } from "./apart.ts";
import { decodeText } from "./charset.ts";
import { readHtml } from "./html.ts";
import { readCsv, readMarkdown, readPlain } from "./plain.ts";
import { type ReadText, Unreadable } from "./read-text.ts";

export interface Original {
  content_type: string;
  bytes: Uint8Array;
  /** The charset in the response's header. */
  charset?: string;
}

/**
 * Reads the text of an original into sections by heading, or returns why it cannot be read.
 * @param env reads PDF and Word documents
 */
export async function readDocument(original: Original, env?: ReaderEnv): Promise<ReadText> {
  try {
    const read = await readAs(original, env);
    if ("failed" in read) return read;
    const { title, blocks, language } = read;
    const beginning = blocks.slice(0, 20).map(({ text }) => text.slice(0, 1_000));
    return { title, language: language ?? guessLanguage(beginning.join("\n")), blocks };
  } catch (error) {
    if (error instanceof Unreadable) return { failed: error.reason };
    throw error;
  }
}

const APART: Readonly<Record<string, "pdf" | "docx">> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
};

async function readAs({ content_type, bytes, charset }: Original, env?: ReaderEnv): Promise<ReadText> {
  const apart = APART[content_type];
  if (apart) return env ? readApart(env, apart, bytes) : { failed: "reader_unavailable" };
  const html = content_type === "text/html";
  const text = decodeText(bytes, { html, ...(charset !== undefined && { declared: charset }) });
  if (html) return readHtml(text);
  const read = content_type === "text/markdown" ? readMarkdown : content_type === "text/csv" ? readCsv : readPlain;
  const { title, blocks } = read(text);
  return { title, blocks, language: null };
}
