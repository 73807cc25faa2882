/** The maximum number of bytes of one parameter, well below the 2 MB at which SQLite and D1 refuse a value. */
const MOST_BYTES = 1_000_000;
/** The maximum number of bytes of a UTF-16 code unit in UTF-8. */
const BYTES_A_UNIT = 3;

const encoder = new TextEncoder();

/**
 * Splits rows into JSON arrays, each of which fits into one parameter of a statement. A row is never split. Without
 * rows, the result is one `[]`.
 */
export function jsonPieces(rows: readonly unknown[]): string[] {
  const text = JSON.stringify(rows);
  if (rows.length < 2 || fits(text)) return [text];
  const half = Math.ceil(rows.length / 2);
  return [...jsonPieces(rows.slice(0, half)), ...jsonPieces(rows.slice(half))];
}

function fits(text: string): boolean {
  return text.length * BYTES_A_UNIT <= MOST_BYTES || encoder.encode(text).length <= MOST_BYTES;
}
