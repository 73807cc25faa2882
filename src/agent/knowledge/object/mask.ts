import { NumberMask } from "../../../kernel/mask-number.ts";
import { wordsOf } from "../text/words.ts";

/** Chunks looked through at a time. */
const CHUNKS = 200;

/** What was masked in some chunks, and the last of them; null if there are no more. */
export interface MaskedChunks {
  masked: number;
  /** The documents in which the number stood. */
  documents: string[];
  next: number | null;
}

/** Masks a number in the chunks after one, in what they are found by too. */
export function maskChunks(sql: SqlStorage, number: string, after: number): MaskedChunks {
  const mask = new NumberMask(number);
  const rows = sql
    .exec<{ n: number; document: string; heading: string; text: string }>(
      "SELECT n, document, heading, text FROM chunks WHERE n > ? ORDER BY n LIMIT ?",
      after,
      CHUNKS,
    )
    .toArray();
  const found = rows.flatMap(({ n, document, heading, text }) => {
    const masked = { heading: mask.text(heading), text: mask.text(text) };
    return masked.heading === heading && masked.text === text ? [] : [Object.assign(masked, { n, document })];
  });
  for (const { n, heading, text } of found)
    sql.exec(
      "UPDATE chunks SET heading = ?, text = ?, repeated = 0, words = ? WHERE n = ?",
      heading,
      text,
      wordsOf(`${heading}\n${text}`).join(" "),
      n,
    );
  const last = rows.at(-1)?.n ?? null;
  return {
    masked: found.length,
    documents: [...new Set(found.map(({ document }) => document))],
    next: rows.length < CHUNKS ? null : last,
  };
}
