import Papa from "papaparse";
import { unquotedText } from "../../../../../kernel/rendering/spreadsheet-text.ts";
import { isOfSkippedRows } from "../../../../../lists/columns.ts";
import { cellsAsSent, endLines } from "../../../../../lists/line-breaks.ts";
import { separatorLine } from "../../../../../lists/separator-line.ts";

/** The encoding of a file. The service accepts UTF-8 only, so other encodings are converted. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** The format of a list of contacts, as detected from its beginning. */
export interface Shape {
  encoding: Encoding;
  delimiter: string;
  hasHeader: boolean;
  /** Whether it is a list of skipped rows that the service quoted for a spreadsheet. */
  isQuoted: boolean;
  /** The names of the columns: `column_1`, … if the file has none. */
  names: string[];
  /** Whether it begins with a UTF-8 byte order mark. */
  hasMark: boolean;
  /** The `sep=` line that names the delimiter, with its line break; empty if there is none. */
  separatorLine: string;
  /** The first rows below the header. */
  sample: string[][];
}

export const LOOKED_AT_BYTES = 262_144;
const SAMPLE_ROWS = 100;
const DELIMITERS = [",", ";", "\t", "|"];
/** Magic numbers of workbooks: a ZIP archive, or a compound file for old ones. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const UTF8_MARK = [0xef, 0xbb, 0xbf];

export type NoList = "workbook" | "not_text" | "empty";

/** Detects the format of a file from its first bytes. `isWhole`: they are the whole file. */
export function shapeOf(bytes: Uint8Array, isWhole: boolean): Shape | NoList {
  if (WORKBOOKS.some((mark) => mark.every((byte, i) => bytes[i] === byte))) return "workbook";
  const encoding = encodingOf(bytes, isWhole);
  const text = new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
  if (text.includes("\0")) return "not_text";
  if (text.trim() === "") return "empty";
  return Object.assign({ encoding, hasMark: UTF8_MARK.every((byte, i) => bytes[i] === byte) }, layoutOf(text, isWhole));
}

function encodingOf(bytes: Uint8Array, isWhole: boolean): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: !isWhole });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function layoutOf(text: string, isWhole: boolean): Omit<Shape, "encoding" | "hasMark"> {
  const whole = endLines(text);
  const separator = separatorLine(whole);
  const ended = whole.slice(separator?.chars ?? 0);
  const candidates = (separator ? [separator.delimiter] : DELIMITERS).map((delimiter) => ({
    delimiter,
    rows: rowsOf(ended, delimiter, isWhole),
  }));
  const { delimiter, rows } = candidates.reduce((best, next) => (score(next.rows) > score(best.rows) ? next : best));
  const [first = [], ...below] = rows;
  const hasHeader = !first.some(looksLikeNumber);
  const isQuoted = hasHeader && isOfSkippedRows(first);
  const cellOf = (cell: string) => (isQuoted ? unquotedText(cell) : cell);
  const columns = Math.max(...rows.map(({ length }) => length));
  return {
    delimiter,
    hasHeader,
    isQuoted,
    names: hasHeader
      ? first.map((name, i) => named(cellOf(name), i))
      : Array.from({ length: columns }, (_, i) => named("", i)),
    separatorLine: whole.slice(0, separator?.chars ?? 0).replace("\r\v\n", "\r"),
    sample: (hasHeader ? below : rows)
      .filter((row) => row.some((cell) => cell.trim() !== ""))
      .map((row) => row.map(cellOf)),
  };
}

function rowsOf(ended: string, delimiter: string, isWhole: boolean): string[][] {
  const { data, meta } = Papa.parse<string[]>(ended, { delimiter, newline: "\n", preview: SAMPLE_ROWS });
  // The last row may be incomplete.
  const whole = isWhole || meta.truncated || data.length < 2 ? data : data.slice(0, -1);
  return whole.map(cellsAsSent);
}

/** Rates a delimiter by the columns of the first row and by how many rows have the same number. */
function score(rows: string[][]): number {
  const [first = []] = rows;
  if (first.length < 2) return 0;
  const alike = rows.filter(({ length }) => length === first.length).length;
  return alike / rows.length + first.length / 1_000;
}

function named(name: string, i: number): string {
  return name.trim() || `column_${i + 1}`;
}

/** Checks whether a cell is almost certainly a phone number. */
export function looksLikeNumber(cell: string): boolean {
  const digits = cell.replace(/\D/g, "").length;
  return digits >= 7 && digits <= 15 && /^['+\d\s().\-/]+$/.test(cell.trim());
}
