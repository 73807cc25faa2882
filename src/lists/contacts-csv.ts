import Papa from "papaparse";
import { beginningOf, isPlainText } from "../kernel/http/plain-text.ts";
import { numberFault, readNumber } from "../kernel/numbers/read-number.ts";
import { unquotedText } from "../kernel/rendering/spreadsheet-text.ts";
import { zoneOfNumber } from "../kernel/zones/number-zone.ts";
import { whyAbbreviation, zoneNamed } from "../kernel/zones/time-zone.ts";
import { MAX_ROW_CHARS } from "./columns.ts";
import { type Corrections, NO_CORRECTIONS, RowCorrections } from "./corrections.ts";
import { type Layout, readHeader } from "./header.ts";
import { InvalidCsv, NotUtf8 } from "./invalid-csv.ts";
import { cellsAsSent, endLines, lineBreaksIn } from "./line-breaks.ts";
import {
  type AssumedNumber,
  type AssumedNumbers,
  firstExamples,
  type ImportBatch,
  type ImportedContact,
  MOST_EXAMPLES,
  type RejectedRow,
} from "./rows.ts";
import { separatorLine } from "./separator-line.ts";

/** The approximate size of the chunks that are parsed, characters. */
const PARSED_CHARS = 262_144;
/** The maximum number of characters that are stored of a rejected row. */
const KEPT_CHARS = 262_144;
/** The maximum number of characters of a cell that a reason quotes. */
const NAMED_CHARS = 40;

/**
 * Parses a contact list chunk by chunk: it takes bytes and returns contacts and rejected rows, without ever holding the
 * whole file in memory. The delimiter is detected from the header unless a line before it names it. Line numbers count
 * the file's lines from 1.
 */
export class ContactsCsv {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  #country: string | null;
  /** The text that is not parsed yet, with line breaks in the form of `endLines`. */
  #text = "";
  /** The number of characters that were already parsed as the beginning of an incomplete row. */
  #unended = 0;
  /** A carriage return at the end of the text so far. It may be half of a line break. */
  #held = "";
  #line = 1;
  /** The line of the header: 2 if the first line names the delimiter. */
  #headerLine = 1;
  readonly #corrections: Corrections;
  #rows: RowCorrections | null = null;
  #layout: Layout | null = null;
  #mostExtra = 0;
  #assumed: AssumedNumbers | null = null;

  /** @param country the country of national numbers, if it is already known */
  constructor(country: string | null, corrections: Corrections = NO_CORRECTIONS) {
    this.#country = country;
    this.#corrections = corrections;
  }

  /** The columns; null until the header has been read. */
  get layout(): Layout | null {
    return this.#layout;
  }

  /** The names of the columns that became variables. */
  get columns(): string[] {
    const { header = [], variables = [] } = this.#layout ?? {};
    return variables.map((i) => header[i] ?? "");
  }

  /** The highest number of surplus cells that any row has had so far. */
  get mostExtra(): number {
    return this.#mostExtra;
  }

  /** The national numbers that were read as numbers of the country; null if there were none. */
  get assumed(): AssumedNumbers | null {
    return this.#assumed;
  }

  set country(country: string | null) {
    this.#country = country;
  }

  /** Adds bytes, and returns the rows that they complete. @throws InvalidCsv */
  push(bytes: Uint8Array): ImportBatch | null {
    this.#append(this.#decode(bytes, true), true);
    // The beginning of a long row must be parsed again, so parsing waits until there is enough new text.
    if (this.#text.length < PARSED_CHARS || this.#text.length - this.#unended < MAX_ROW_CHARS) return null;
    return this.#parse(true);
  }

  /** Ends the file, and returns the remaining rows. @throws InvalidCsv */
  end(): ImportBatch {
    this.#append(this.#decode(new Uint8Array(), false), false);
    if (this.#text.trim() === "" && !this.#layout) throw new InvalidCsv("the file is empty");
    const batch = this.#parse(false);
    if (!this.#layout) throw new InvalidCsv("the file is empty");
    this.#rows?.end();
    return batch;
  }

  #decode(bytes: Uint8Array, more: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream: more });
    } catch {
      throw new NotUtf8("the file is not UTF-8 text");
    }
  }

  #append(text: string, more: boolean): void {
    if (!isPlainText(text)) throw new InvalidCsv("the file contains NUL bytes; it is not a text file");
    const come = this.#held + text;
    this.#held = more && come.endsWith("\r") ? "\r" : "";
    this.#text += endLines(this.#held === "" ? come : come.slice(0, -1));
  }

  #parse(more: boolean): ImportBatch {
    let text = this.#text;
    if (!more && text !== "" && !text.endsWith("\n")) text += "\n";
    if (!this.#layout) {
      const separator = separatorLine(text);
      if (separator) {
        text = text.slice(separator.chars);
        this.#line = this.#headerLine = 2;
      }
      this.#layout = readHeader(text, separator?.delimiter, this.#corrections.columns);
      this.#rows = new RowCorrections(this.#corrections.rows, this.#layout.sent);
    }
    const layout = this.#layout;
    const parser = new Papa.Parser({ delimiter: layout.delimiter, newline: "\n" });
    const { data, meta, errors } = parser.parse(text, 0, more) as Papa.ParseResult<string[]>;
    const malformed = new Set(errors.filter((error) => error.type === "Quotes").map((error) => error.row));
    this.#text = more ? text.slice(meta.cursor) : "";
    this.#unended = this.#text.length;
    if (this.#text.length > MAX_ROW_CHARS + PARSED_CHARS) {
      const quote = this.#text.includes('"') ? "; is a quote left open?" : "";
      throw new InvalidCsv(`line ${this.#line + data.length}: longer than ${MAX_ROW_CHARS} characters${quote}`);
    }
    const quoted = text.includes('"');
    const batch: ImportBatch = { contacts: [], rejects: [] };
    const returns = text.includes("\r");
    for (const [i, cells] of data.entries()) {
      const line = this.#line;
      this.#line += 1 + (quoted ? lineBreaksIn(cells) : 0);
      const sent = returns ? cellsAsSent(cells) : cells;
      const row = layout.isQuoted ? sent.map(unquotedText) : sent;
      if (line === this.#headerLine || (row.length === 1 && row[0]?.trim() === "")) continue;
      const corrected = this.#rows?.apply(line, row) ?? null;
      // Spreadsheets save a row that was emptied as a line of delimiters.
      if (corrected === null || corrected.every((cell) => cell.trim() === "")) continue;
      // It is unknown which cells belong to which columns, so none can be corrected.
      if (malformed.has(i))
        this.#reject(reject(unquoted(row, layout), line, "a quoted field is malformed"), layout, batch);
      else this.#take(usedCells(corrected, layout), line, layout, batch);
    }
    return batch;
  }

  /** Parses rows again that were rejected because they lacked a country, now that it is known. */
  reconsider(rejects: Pick<RejectedRow, "line" | "row">[]): ImportBatch {
    const batch: ImportBatch = { contacts: [], rejects: [] };
    const layout = this.#layout;
    if (layout) for (const { line, row } of rejects) this.#take(row, line, layout, batch);
    return batch;
  }

  #take(row: string[], line: number, layout: Layout, batch: ImportBatch): void {
    const contact = this.#contact(row, line, layout);
    if ("reason" in contact) this.#reject(contact, layout, batch);
    else batch.contacts.push(contact);
  }

  #reject(rejected: RejectedRow, layout: Layout, { rejects }: ImportBatch): void {
    this.#mostExtra = Math.max(this.#mostExtra, extraCells(rejected.row, layout).length);
    rejects.push(rejected);
  }

  #contact(row: string[], line: number, layout: Layout): ImportedContact | RejectedRow {
    if (row.length > layout.header.length || layout.extra.length > 0) {
      const extra = extraCells(row, layout).length;
      if (extra > 0)
        return reject(row, line, `has ${layout.fields + extra} fields, but the header has ${layout.fields}`);
    }
    const cell = row[layout.phone] ?? "";
    const written = cell.trim();
    if (written === "") return reject(row, line, "phone_number is empty");
    const read = readNumber(written, this.#country);
    if ("national" in read) {
      const { couldBe, national } = read;
      const either = national === null ? couldBe : `${couldBe} or ${national}`;
      const reason = `phone_number "${written.slice(0, NAMED_CHARS)}" could be ${either}: write it with its country code`;
      return Object.assign(reject(row, line, reason), { either: { couldBe, national } });
    }
    if ("fault" in read) {
      const reason = `phone_number "${beginningOf(written, NAMED_CHARS)}" ${numberFault(read)}`;
      return reject(row, line, reason, read.needsCountry);
    }
    const phone_number = read.e164;
    const sentZone = layout.timezone === -1 ? "" : (row[layout.timezone] ?? "").trim();
    const zone = sentZone === "" ? null : knownZone(sentZone);
    if (sentZone !== "" && zone === null)
      return reject(
        row,
        line,
        `timezone "${beginningOf(sentZone, NAMED_CHARS)}" ${whyAbbreviation(sentZone) ?? "is unknown"}`,
      );
    const variables: string[] = [];
    let size = cell.length;
    for (const i of layout.variables) {
      const value = row[i] ?? "";
      size += value.length;
      variables.push(value);
    }
    if (size > MAX_ROW_CHARS) return reject(row, line, `longer than ${MAX_ROW_CHARS} characters`);
    if (read.isNational) this.#assume({ written, phone_number, could_be: read.couldBe ?? null });
    const timezone = zone ?? zoneOfNumber(phone_number);
    const contact: ImportedContact = { line, phone_number, timezone, variables };
    if (cell !== phone_number) contact.written = cell;
    if (read.couldBe !== undefined) contact.couldBe = read.couldBe;
    return contact;
  }

  #assume(number: AssumedNumber): void {
    this.#assumed ??= { country: this.#country ?? "", count: 0, also_valid: 0, examples: [] };
    this.#assumed.count++;
    if (number.could_be !== null) this.#assumed.also_valid++;
    const isAmongFirst = number.could_be !== null && this.#assumed.also_valid <= MOST_EXAMPLES;
    if (isAmongFirst || this.#assumed.examples.length < MOST_EXAMPLES)
      this.#assumed.examples = firstExamples([...this.#assumed.examples, number]);
  }
}

/** Returns a row's cells in the used columns, followed by its surplus cells. */
function usedCells(row: string[], { sent, used }: Layout): string[] {
  if (used === null) return row;
  const cells = used.filter((position) => position < row.length).map((position) => row[position] ?? "");
  return row.length > sent.length ? [...cells, ...row.slice(sent.length)] : cells;
}

/**
 * Returns the cells of a row with malformed quotes. If the row extends over other lines, its cells are assigned to no
 * column, because those lines would become part of a cell if the row was uploaded again unchanged.
 */
function unquoted(row: string[], { header, used }: Layout): string[] {
  const cells = row.map((cell, i) => (i === row.length - 1 ? cell.replace(/\r?\n$/, "") : cell));
  return used !== null || cells.some((cell) => cell.includes("\n")) ? [...header.map(() => ""), ...cells] : cells;
}

/** Returns a row's surplus cells, without empty ones at the end of the columns that are reserved for them. */
function extraCells(row: string[], { header, extra }: Pick<Layout, "header" | "extra">): string[] {
  const kept = extra.map((i) => row[i] ?? "");
  const last = kept.findLastIndex((cell) => cell !== "");
  return row.length > header.length ? [...kept, ...row.slice(header.length)] : kept.slice(0, last + 1);
}

function reject(row: string[], line: number, reason: string, national = false): RejectedRow {
  return { line, reason, row: bounded(row), national };
}

/** Shortens a very long row so that it can be stored. */
function bounded(row: string[]): string[] {
  const size = row.reduce((sum, cell) => sum + cell.length + 1, 0);
  if (size <= KEPT_CHARS) return row;
  let remaining = KEPT_CHARS;
  const kept: string[] = [];
  for (const cell of row) {
    if (remaining <= 0) break;
    kept.push(beginningOf(cell, remaining));
    remaining -= cell.length + 1;
  }
  return kept;
}

/** Zones by their names in lists. Unknown names are not cached, because a list may contain many of them. */
const zones = new Map<string, string>();
function knownZone(name: string): string | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = zoneNamed(name);
  if (zone !== null && zones.size < 2_000) zones.set(name, zone);
  return zone;
}
