import { NumberMask } from "../../../kernel/mask-number.ts";
import { EMBEDDED_TOGETHER } from "../limits.ts";
import { wordsOf } from "../text/words.ts";

/** The number of chunks masked at a time. */
const CHUNKS = 200;

/** The result of masking some chunks. `next` is the last chunk examined; null if none remain. */
export interface MaskedChunks {
  masked: number;
  next: number | null;
}

/** Returns the documents that `maskChunks` would mask with the same arguments. */
export function documentsToMask(sql: SqlStorage, number: string, after: number): string[] {
  return [...new Set(chunksToMask(sql, new NumberMask(number), after).found.map(({ document }) => document))];
}

/** Masks a number in the chunks after `after`, and in their index words. */
export function maskChunks(sql: SqlStorage, number: string, after: number): MaskedChunks {
  const mask = new NumberMask(number);
  const { found, next } = chunksToMask(sql, mask, after);
  for (const { n, document, edition, first, heading, text } of found) {
    sql.exec(
      "UPDATE chunks SET heading = ?, text = ?, repeated = 0, words = ? WHERE n = ?",
      heading,
      text,
      wordsOf(`${heading}\n${text}`).join(" "),
      n,
    );
    // The embeddings are computed again from the masked text.
    sql.exec("DELETE FROM embeddings WHERE document = ? AND edition = ? AND first = ?", document, edition, first);
  }
  if (after === 0) maskPages(sql, mask);
  return { masked: found.length, next };
}

/** Returns the chunks after `after` that contain the number, with their masked text. */
function chunksToMask(sql: SqlStorage, mask: NumberMask, after: number) {
  const rows = sql
    .exec<{ n: number; document: string; edition: number; position: number; heading: string; text: string }>(
      "SELECT n, document, edition, place AS position, heading, text FROM chunks WHERE n > ? ORDER BY n LIMIT ?",
      after,
      CHUNKS,
    )
    .toArray();
  const found = rows.flatMap(({ n, document, edition, position, heading, text }) => {
    const masked = { heading: mask.text(heading), text: mask.text(text) };
    return masked.heading === heading && masked.text === text
      ? []
      : [Object.assign(masked, { n, document, edition, first: position - (position % EMBEDDED_TOGETHER) })];
  });
  return { found, next: rows.length < CHUNKS ? null : (rows.at(-1)?.n ?? null) };
}

/**
 * Masks a number in the titles and addresses of pages. If a page's address contained the number, the next crawl treats
 * it as a new page.
 */
function maskPages(sql: SqlStorage, mask: NumberMask): void {
  const rows = sql
    .exec<{ document: string; edition: number; n: number; url: string; title: string }>(
      "SELECT document, edition, n, url, title FROM pages",
    )
    .toArray();
  for (const { document, edition, n, url, title } of rows) {
    const masked = { url: mask.text(url), title: mask.text(title) };
    if (masked.url === url && masked.title === title) continue;
    const where = "document = ? AND edition = ? AND n = ?";
    sql.exec(`UPDATE pages SET url = ?, title = ? WHERE ${where}`, masked.url, masked.title, document, edition, n);
  }
}
