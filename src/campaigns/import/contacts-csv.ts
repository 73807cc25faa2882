import Papa from "papaparse";
import { isTimeZone } from "../decide/calling-windows.ts";
import type { ImportBatch, ImportedContact, RejectedRow } from "../store/import-batch.ts";
import { toE164 } from "./phone-number.ts";

/** The file as a whole cannot be used; the message tells its owner why. */
export class InvalidCsv extends Error {}

const DELIMITERS = [",", ";", "\t", "|"];
const MAX_COLUMNS = 200;
/** Characters in a row; longer ones are no contact list. */
const MAX_ROW_CHARS = 65_536;
/** Text is parsed in pieces of about this size (characters). */
const PARSED_CHARS = 262_144;

interface Layout {
  delimiter: string;
  /** All headers, normalised. */
  width: number;
  phone: number;
  timezone: number;
  columns: string[];
}

/**
 * Reads a contact list piece by piece: bytes in, contacts and rejects out, never the whole file in memory. The
 * delimiter is found from the header; line numbers count the lines of the file, the header being 1.
 */
export class ContactsCsv {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  #country: string | null;
  /** What is not parsed yet, with its line breaks as `endLines` writes them. */
  #text = "";
  /** A carriage return at the end of what has come: it may be half of a line break. */
  #held = "";
  #line = 1;
  #layout: Layout | null = null;

  /** @param country whose numbers the national ones are, where it is known already */
  constructor(country: string | null) {
    this.#country = country;
  }

  /** The names of the variables, known once the header has been read. */
  get columns(): string[] {
    return this.#layout?.columns ?? [];
  }

  set country(country: string | null) {
    this.#country = country;
  }

  /** Takes in some bytes; gives what they complete. @throws InvalidCsv */
  push(bytes: Uint8Array): ImportBatch | null {
    this.#append(this.#decode(bytes, true), true);
    if (this.#text.length < PARSED_CHARS) return null;
    return this.#parse(true);
  }

  /** Takes in that the file ends. @throws InvalidCsv */
  end(): ImportBatch {
    this.#append(this.#decode(new Uint8Array(), false), false);
    if (this.#text.trim() === "" && !this.#layout) throw new InvalidCsv("the file is empty");
    const batch = this.#parse(false);
    if (!this.#layout) throw new InvalidCsv("the file is empty");
    return batch;
  }

  #decode(bytes: Uint8Array, more: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream: more });
    } catch {
      throw new InvalidCsv("the file is not UTF-8 text");
    }
  }

  #append(text: string, more: boolean): void {
    if (text.includes("\0")) throw new InvalidCsv("the file holds NUL bytes; it is not a text file");
    const come = this.#held + text;
    this.#held = more && come.endsWith("\r") ? "\r" : "";
    this.#text += endLines(this.#held === "" ? come : come.slice(0, -1));
  }

  #parse(more: boolean): ImportBatch {
    let text = this.#text;
    if (!more && text !== "" && !text.endsWith("\n")) text += "\n";
    this.#layout ??= this.#readHeader(text);
    const layout = this.#layout;
    const parser = new Papa.Parser({ delimiter: layout.delimiter, newline: "\n" });
    const { data, meta, errors } = parser.parse(text, 0, more) as Papa.ParseResult<string[]>;
    const malformed = new Set(errors.filter((error) => error.type === "Quotes").map((error) => error.row));
    this.#text = more ? text.slice(meta.cursor) : "";
    if (this.#text.length > MAX_ROW_CHARS + PARSED_CHARS) {
      const quote = this.#text.includes('"') ? "; is a quote not closed?" : "";
      throw new InvalidCsv(`line ${this.#line + data.length}: longer than ${MAX_ROW_CHARS} characters${quote}`);
    }
    const quoted = text.includes('"');
    const batch: ImportBatch = { contacts: [], rejects: [] };
    const returns = text.includes("\r");
    for (const [i, cells] of data.entries()) {
      const line = this.#line;
      this.#line += 1 + (quoted ? lineBreaksIn(cells) : 0);
      const row = returns ? asSent(cells) : cells;
      if (line === 1 || (row.length === 1 && row[0]?.trim() === "")) continue;
      if (malformed.has(i))
        batch.rejects.push({ line, reason: "a quoted field is not well formed", row, national: false });
      else this.#take(row, line, layout, batch);
    }
    return batch;
  }

  /** Looks again at rows that lacked a country, now that one is known. */
  reconsider(rejects: Pick<RejectedRow, "line" | "row">[]): ImportBatch {
    const batch: ImportBatch = { contacts: [], rejects: [] };
    const layout = this.#layout;
    if (layout) for (const { line, row } of rejects) this.#take(row, line, layout, batch);
    return batch;
  }

  #take(row: string[], line: number, layout: Layout, { contacts, rejects }: ImportBatch): void {
    const contact = this.#contact(row, line, layout);
    if ("reason" in contact) rejects.push(contact);
    else contacts.push(contact);
  }

  #contact(row: string[], line: number, { width, phone, timezone }: Layout): ImportedContact | RejectedRow {
    if (row.length > width) return reject(row, line, `has ${row.length} fields, the header ${width}`);
    const written = (row[phone] ?? "").trim();
    if (written === "") return reject(row, line, "phone_number is empty");
    const phone_number = toE164(written, this.#country);
    if (phone_number === null) {
      const national = this.#country === null && /^[\d\s().-]{4,}$/.test(written);
      const reason = `phone_number "${written.slice(0, 40)}" is not a phone number${national ? " with its country code" : ""}`;
      return reject(row, line, reason, national);
    }
    const zone = timezone === -1 ? "" : (row[timezone] ?? "").trim();
    if (zone !== "" && !knownZone(zone)) return reject(row, line, `timezone "${zone.slice(0, 40)}" is not known`);
    const variables: string[] = [];
    let size = 0;
    for (let i = 0; i < width; i++) {
      const value = row[i] ?? "";
      size += value.length;
      if (i !== phone) variables.push(value);
    }
    if (size > MAX_ROW_CHARS) return reject([written], line, `longer than ${MAX_ROW_CHARS} characters`);
    return { line, phone_number, timezone: zone === "" ? null : zone, variables };
  }

  #readHeader(text: string): Layout {
    const start = text.replace(/^\ufeff/, "").slice(0, 2 * MAX_ROW_CHARS);
    const candidates = DELIMITERS.map((delimiter) => ({ delimiter, header: firstRow(start, delimiter) }));
    const { delimiter, header } = candidates.reduce((best, next) =>
      next.header.length > best.header.length ? next : best,
    );
    if (header.reduce((size, name) => size + name.length, 0) > MAX_ROW_CHARS)
      throw new InvalidCsv(`line 1: longer than ${MAX_ROW_CHARS} characters`);
    if (header.length > MAX_COLUMNS)
      throw new InvalidCsv(`the header has ${header.length} columns; at most ${MAX_COLUMNS} are taken`);
    const names = header.map((name, i) => name.trim() || `column_${i + 1}`);
    const keys = names.map((name) => name.toLowerCase().replace(/[\s-]+/g, "_"));
    const phone = keys.indexOf("phone_number");
    if (phone === -1) throw new InvalidCsv("the header must have a column phone_number");
    const repeated = names.find((_, i) => keys.indexOf(keys[i] ?? "") < i);
    if (repeated !== undefined) throw new InvalidCsv(`the header has the column ${repeated.slice(0, 40)} twice`);
    return {
      delimiter,
      width: header.length,
      phone,
      timezone: keys.indexOf("timezone"),
      columns: names.filter((_, i) => i !== phone),
    };
  }
}

function reject(row: string[], line: number, reason: string, national = false): RejectedRow {
  return { line, reason, row, national };
}

function firstRow(text: string, delimiter: string): string[] {
  const { data } = Papa.parse<string[]>(text, { delimiter, newline: "\n", preview: 1 });
  return asSent(data[0] ?? []);
}

/**
 * Has every line end in a line feed, as the parser wants it, in a way that can be undone: CR LF stays, a carriage
 * return alone becomes CR VT LF. Every carriage return is then followed by a line feed, or by VT and one.
 */
function endLines(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\r\v\n") : text;
}

/** A row's cells as they were in the file, without what is left of the line break behind the last one. */
function asSent(cells: string[]): string[] {
  return cells.map((cell, i) => {
    if (!cell.includes("\r")) return cell;
    return (i === cells.length - 1 ? cell.replace(/\r\v?$/, "") : cell).replaceAll("\r\v\n", "\r");
  });
}

function lineBreaksIn(row: string[]): number {
  let breaks = 0;
  for (const field of row) for (let at = field.indexOf("\n"); at !== -1; at = field.indexOf("\n", at + 1)) breaks++;
  return breaks;
}

const zones = new Map<string, boolean>();
function knownZone(zone: string): boolean {
  let known = zones.get(zone);
  if (known === undefined) {
    known = isTimeZone(zone);
    if (zones.size < 2_000) zones.set(zone, known);
  }
  return known;
}
