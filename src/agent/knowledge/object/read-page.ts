import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReaderEnv } from "../readers/apart.ts";
import { decodeText } from "../readers/charset.ts";
import { readDocument } from "../readers/read-document.ts";
import { chunksOf } from "../text/chunks.ts";
import { wordsOf } from "../text/words.ts";
import type { IndexedChunk } from "./document-store.ts";

const MAX_HEADING_CHARS = 200;

export interface PageText {
  title: string;
  language: string | null;
  /** SHA-256 of the text, hexadecimal. */
  hash: string;
  /** The page's source, from which links are read; empty if it has none. */
  page: string;
  /** Splits the text into chunks. `titled` adds the page's title, because the crawl has several pages. */
  chunks(titled: boolean): IndexedChunk[];
}

const TYPES: Readonly<Record<string, string>> = {
  "": "text/html",
  "text/html": "text/html",
  "application/xhtml+xml": "text/html",
  "text/plain": "text/plain",
  "text/markdown": "text/markdown",
  "text/csv": "text/csv",
  "application/pdf": "application/pdf",
};

/** Returns the media type for reading a page; null if it has no text. */
export function pageTypeOf(content_type: string, { pathname }: URL): string | null {
  if (content_type === "text/plain" && pathname.endsWith(".md")) return "text/markdown";
  return TYPES[content_type] ?? null;
}

export async function readPage(
  env: ReaderEnv,
  page: { content_type: string; bytes: Uint8Array; charset?: string },
): Promise<PageText | { failed: string }> {
  const read = await readDocument(page, env);
  if ("failed" in read) return read;
  const { blocks, language } = read;
  const title = (read.title ?? "").slice(0, MAX_HEADING_CHARS).toWellFormed();
  const html = page.content_type === "text/html";
  const declared = page.charset === undefined ? { html } : { html, declared: page.charset };
  return {
    title,
    language,
    hash: bytesToHex(sha256(new TextEncoder().encode(JSON.stringify([title, blocks])))),
    page: html ? decodeText(page.bytes, declared) : "",
    chunks: (titled) => {
      const under = (heading: string) =>
        !titled || title === "" || heading.startsWith(title)
          ? heading
          : heading === ""
            ? title
            : `${title} › ${heading}`;
      const named = blocks.map(({ heading, text }) => ({
        heading: under(heading).slice(0, MAX_HEADING_CHARS).toWellFormed(),
        text,
      }));
      return chunksOf(named).map((chunk) =>
        Object.assign(chunk, { words: wordsOf(`${chunk.heading}\n${chunk.text}`).join(" ") }),
      );
    },
  };
}
