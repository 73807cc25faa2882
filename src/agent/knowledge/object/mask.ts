import { MASKED, NumberMask } from "../../../kernel/mask-number.ts";
import { EMBEDDED_TOGETHER } from "../limits.ts";
import { wordsOf } from "../text/words.ts";

/** The number of chunks masked at a time. */
const CHUNKS = 200;

/** The result of masking some chunks. `next` is the last chunk examined; null if none remain. */
export interface MaskedChunks {
  masked: number;
  next: number | null;
}

interface Row {
  n: number;
  document: string;
  edition: number;
  position: number;
  heading: string;
  text: string;
  repeated: number;
}

/** The characters of the next chunk that may belong to a number at the end of a chunk. */
const MOST_NUMBER_CHARS = 100;

/** Returns the documents that `maskChunks` would mask with the same arguments. */
export function documentsToMask(sql: SqlStorage, number: string, after: number): string[] {
  return [...new Set(chunksToMask(sql, new NumberMask(number), after).found.map(({ document }) => document))];
}

/**
 * Masks a number in the chunks after `after`, and in their index words. A number may extend over the end of a chunk, or
 * begin before its beginning.
 */
export function maskChunks(sql: SqlStorage, number: string, after: number): MaskedChunks {
  const mask = new NumberMask(number);
  const { found, next } = chunksToMask(sql, mask, after);
  for (const { n, document, edition, position, heading, text, repeated } of found) {
    sql.exec(
      "UPDATE chunks SET heading = ?, text = ?, repeated = ?, words = ? WHERE n = ?",
      heading,
      text,
      repeated,
      wordsOf(`${heading}\n${text}`).join(" "),
      n,
    );
    // The embeddings are computed again from the masked text.
    const first = position - (position % EMBEDDED_TOGETHER);
    sql.exec("DELETE FROM embeddings WHERE document = ? AND edition = ? AND first = ?", document, edition, first);
  }
  if (after === 0) maskPages(sql, mask);
  return { masked: found.length, next };
}

/** Returns the chunks after `after` that contain the number or a part of it, with their masked text. */
function chunksToMask(sql: SqlStorage, mask: NumberMask, after: number) {
  // The last row is only the one that may follow the others.
  const rows: Row[] = sql
    .exec<{ [K in keyof Row]: Row[K] }>(
      `SELECT n, document, edition, place AS position, heading, text, repeated FROM chunks WHERE n > ?
       ORDER BY n LIMIT ?`,
      after,
      CHUNKS + 1,
    )
    .toArray();
  const examined = rows.slice(0, CHUNKS);
  const found = new Set<Row>();
  for (const [i, row] of examined.entries()) {
    const next = rows[i + 1];
    const follows = next && next.document === row.document && next.edition === row.edition && next.repeated > 0;
    for (const one of maskRow(mask, row, follows ? next : null)) found.add(one);
  }
  return { found: [...found], next: examined.length < CHUNKS ? null : (examined.at(-1)?.n ?? null) };
}

/** Masks a number in a chunk, and its end at the beginning of the next chunk. Returns the chunks that it changed. */
function maskRow(mask: NumberMask, row: Row, next: Row | null): Row[] {
  const changed: Row[] = [];
  const heading = mask.text(row.heading);
  const { length } = row.text;
  const ahead = next === null ? "" : next.text.slice(next.repeated, next.repeated + MOST_NUMBER_CHARS);
  const ranges = mask.rangesIn(row.text + ahead).filter(({ from }) => from < length);
  if (heading !== row.heading || ranges.length > 0) {
    changed.push(row);
    const inRow = ranges.map(({ from, to }) => ({ from, to: Math.min(to, length) }));
    Object.assign(row, { heading }, replaced(row, inRow));
  }
  if (next === null) return changed;
  const start = length - next.repeated;
  const begun = ranges.find(({ from, to }) => from < start && start < to);
  if (begun) {
    changed.push(next);
    Object.assign(next, replaced(next, [{ from: 0, to: begun.to - start }]));
  }
  return changed;
}

/** Replaces the ranges of a chunk's text with marks. `repeated` counts the characters that repeat the previous chunk. */
function replaced(
  { text, repeated }: Pick<Row, "text" | "repeated">,
  ranges: readonly { from: number; to: number }[],
): Pick<Row, "text" | "repeated"> {
  let [masked, at, stillRepeated] = ["", 0, repeated];
  for (const { from, to } of ranges) {
    masked += text.slice(at, from) + MASKED;
    at = to;
    // A mark over the end of the repeated part belongs to it, because the previous chunk ends with that mark.
    if (from < repeated) stillRepeated += MASKED.length - (to - from) + Math.max(0, to - repeated);
  }
  return { text: masked + text.slice(at), repeated: stillRepeated };
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
