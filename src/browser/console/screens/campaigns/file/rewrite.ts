import Papa from "papaparse";
import { unquotedText } from "../../../../../kernel/rendering/spreadsheet-text.ts";
import { cellsAsSent, endLines, lineBreaksIn } from "../../../../../lists/line-breaks.ts";
import { type Mapping, sentNames, usedColumns } from "./mapping.ts";
import type { Shape } from "./shape.ts";

/** What is sent of a file. */
export interface Rewriting {
  shape: Shape;
  mapping: Mapping;
  /** Cells that were mended, by their place in the file's columns, of the rows by the line of the file they begin on. */
  mended: Mended;
}

/** Mended cells stay with their row and column, whatever the columns are called and whichever are sent. */
export type Mended = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** What was mended with the cells of one more row, given as they are sent. */
export function withMended(mended: Mended, mapping: Mapping, line: number, sent: string[]): Mended {
  const cells = new Map(mended.get(line));
  for (const [i, place] of usedColumns(mapping).entries()) cells.set(place, sent[i] ?? "");
  return new Map([...mended, [line, cells]]);
}

/** What was mended with the numbers of more rows. */
export function withNumbers(mended: Mended, mapping: Mapping, numbers: { line: number; number: string }[]): Mended {
  const place = mapping.findIndex(({ use }) => use === "phone");
  const rows = numbers.map(({ line, number }) => [line, new Map(mended.get(line)).set(place, number)] as const);
  return new Map([...mended, ...rows]);
}

/** Text is parsed in pieces of about this size (characters). */
const PARSED_CHARS = 262_144;

/**
 * What stands for an empty number where the numbers are the only column: nothing at all would be an empty line, which the
 * service overlooks. It is the mark of an empty text in spreadsheets.
 */
const NO_NUMBER = "'";

/** How many lines what is sent has before those of the file: the header, where the file has none. */
export const linesAdded = ({ shape }: Pick<Rewriting, "shape">): number => (shape.hasHeader ? 0 : 1);

/** Whether rows are sent as they are, so that only the header has to be written anew. */
export function isHeaderOnly({ shape, mapping, mended }: Rewriting): boolean {
  return !shape.isQuoted && mended.size === 0 && mapping.every(({ use }) => use !== "left_out");
}

/** The header that is sent, on as many lines as that of the file, so that lines have the same numbers in both. */
export function headerText({ shape, mapping }: Rewriting): string {
  const names = sentNames(mapping);
  const breaks = "\n".repeat(Math.max(0, shape.headerLines - 1));
  const cells = names.map((name, i) => (i === names.length - 1 ? name + breaks : name));
  const separator = shape.namesDelimiter ? `sep=${shape.delimiter}\n` : "";
  return `${separator}${written(cells, shape.delimiter)}\n`;
}

/**
 * Writes a file's text anew under another header, without the columns that are left out and with the mended rows. Every
 * row stays on its line: where fewer lines are written than were read, empty ones follow, which the service overlooks.
 */
export class Rewriter {
  readonly #rewriting: Rewriting;
  readonly #used: number[];
  readonly #isHeaderOnly: boolean;
  /** What is to be skipped of the file's own header, characters. */
  #skip: number;
  #line: number;
  #text = "";
  /** A carriage return at the end of what has come: it may be half of a line break. */
  #held = "";
  #begun = false;

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
    this.#used = usedColumns(rewriting.mapping);
    this.#isHeaderOnly = isHeaderOnly(rewriting);
    this.#skip = rewriting.shape.headerChars;
    this.#line = (rewriting.shape.namesDelimiter ? 1 : 0) + rewriting.shape.headerLines + 1;
  }

  /** Takes in some text; gives what can be written by now. */
  push(text: string): string {
    const head = this.#begun ? "" : headerText(this.#rewriting);
    this.#begun = true;
    const rest = text.slice(this.#skip);
    this.#skip -= text.length - rest.length;
    if (this.#isHeaderOnly) return head + rest;
    const come = this.#held + rest;
    this.#held = come.endsWith("\r") ? "\r" : "";
    this.#text += endLines(this.#held === "" ? come : come.slice(0, -1));
    return this.#text.length < PARSED_CHARS ? head : head + this.#rows(true);
  }

  /** Takes in that the file ends; gives the rest. */
  end(): string {
    if (this.#isHeaderOnly) return "";
    this.#text += endLines(this.#held);
    this.#held = "";
    return this.#rows(false);
  }

  #rows(more: boolean): string {
    let text = this.#text;
    if (!more && text !== "" && !text.endsWith("\n")) text += "\n";
    const { delimiter } = this.#rewriting.shape;
    const parser = new Papa.Parser({ delimiter, newline: "\n" });
    const { data, meta, errors } = parser.parse(text, 0, more) as Papa.ParseResult<string[]>;
    const malformed = new Set(errors.filter(({ type }) => type === "Quotes").map(({ row }) => row));
    this.#text = more ? text.slice(meta.cursor) : "";
    let out = "";
    for (const [i, cells] of data.entries()) {
      // What ends with a line break has nothing after it.
      if (!more && i === data.length - 1 && cells.length === 1 && cells[0] === "") break;
      const lines = 1 + lineBreaksIn(cells);
      const sent = cellsAsSent(cells);
      const row = this.#row(this.#rewriting.shape.isQuoted ? sent.map(unquotedText) : sent, malformed.has(i));
      out += `${row}\n${"\n".repeat(Math.max(0, lines - 1 - breaksIn(row)))}`;
      this.#line += lines;
    }
    return out;
  }

  #row(cells: string[], isMalformed: boolean): string {
    const { delimiter, names } = this.#rewriting.shape;
    const mended = this.#rewriting.mended.get(this.#line);
    if (mended) return this.#sent(this.#used.map((place) => mended.get(place) ?? cells[place] ?? ""));
    if (cells.length === 1 && cells[0]?.trim() === "") return "";
    // Its cells stand in no column; behind the last one they are told apart from those of a row that is right.
    if (isMalformed) return written([...this.#used.map(() => ""), ...cells], delimiter);
    const kept = this.#used.filter((place) => place < cells.length).map((place) => cells[place] ?? "");
    const row = cells.length <= names.length ? kept : [...kept, ...cells.slice(names.length)];
    return this.#sent(row);
  }

  #sent(row: string[]): string {
    return written(row.length === 1 && row[0]?.trim() === "" ? [NO_NUMBER] : row, this.#rewriting.shape.delimiter);
  }
}

/** What has a cell be quoted, whatever the delimiter: a name of a header with another one could be taken for several. */
const QUOTED = /[",;|\t\r\n]|^\s|\s$/;

/** A row as CSV. The parser's own writer is slow at writing many rows one by one. */
function written(cells: string[], delimiter: string): string {
  let row = "";
  for (const [i, cell] of cells.entries()) {
    if (i > 0) row += delimiter;
    row += QUOTED.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return row;
}

function breaksIn(text: string): number {
  return text.includes("\n") ? text.split("\n").length - 1 : 0;
}
