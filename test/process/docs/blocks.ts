import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const DOCS = join(import.meta.dirname, "../../../docs");

/** A block of code in a document. The reader runs `sh` unchanged; `console` contains the reader's own values. */
export interface Block {
  language: string;
  text: string;
}

export async function blocksOf(document: string): Promise<Block[]> {
  const source = await readFile(join(DOCS, document), "utf8");
  return [...source.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}
