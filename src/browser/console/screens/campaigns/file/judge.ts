import Papa from "papaparse";
import { quotedText } from "../../../../../kernel/rendering/spreadsheet-text.ts";
import { ADDED } from "../../../../../lists/columns.ts";
import { ContactsCsv } from "../../../../../lists/contacts-csv.ts";
import type { Corrections } from "../../../../../lists/corrections.ts";
import { MAX_CONTACTS } from "../../../../../lists/limits.ts";
import type { AssumedNumbers, ImportBatch, ImportedContact, RejectedRow } from "../../../../../lists/rows.ts";

/** Maximum number of rows of a kind that are shown. The download contains all of them. */
const SHOWN_ROWS = 200;
const FIRST_CONTACTS = 5;

/** A number without a plus, and its two possible readings. */
export interface TwoReadings {
  line: number;
  written: string;
  withPlus: string;
  /** Null if the country has no such number. */
  national: string | null;
}

/** What the service will do with the rows. */
export interface Verdict {
  accepted: number;
  rejected: number;
  duplicates: number;
  /** Rejected rows whose only problem is the missing country of their number. */
  national: number;
  columns: string[];
  first: ImportedContact[];
  rejects: RejectedRow[];
  /** The numbers read as national; null if there are none. */
  assumed: AssumedNumbers | null;
  /** Rejected rows whose number may lack its plus or may be national. */
  either: TwoReadings[];
  /** Accepted rows whose number was read as national but would also be valid with a plus. */
  alsoValid: TwoReadings[];
  /** Whether there are more contacts than a campaign may have. */
  isOverMost: boolean;
}

interface Repeated {
  contact: ImportedContact;
  firstLine: number;
}

/** Collects skipped rows as CSV. */
export interface Skipped {
  rejects(csv: string): void;
  duplicates(csv: string): void;
}

/** Judges a list with the service's own reader, so that the result is the same. */
export class Judge {
  readonly #reader: ContactsCsv;
  readonly #skipped: Skipped;
  /** The line of each number's first row. A number of at most 15 digits is exact and needs little memory. */
  readonly #lines = new Map<number, number>();
  readonly #verdict: Verdict = {
    accepted: 0,
    rejected: 0,
    duplicates: 0,
    national: 0,
    columns: [],
    first: [],
    rejects: [],
    assumed: null,
    either: [],
    alsoValid: [],
    isOverMost: false,
  };
  #isHeaded = false;

  constructor(country: string | null, corrections: Corrections, skipped: Skipped) {
    this.#reader = new ContactsCsv(country, corrections);
    this.#skipped = skipped;
  }

  /** Adds bytes of the file. @throws InvalidCsv */
  push(bytes: Uint8Array): void {
    const batch = this.#reader.push(bytes);
    if (batch) this.#take(batch);
  }

  /** Ends the file. @throws InvalidCsv */
  end(): Verdict {
    this.#take(this.#reader.end());
    this.#verdict.columns = this.#reader.columns;
    this.#verdict.assumed = this.#reader.assumed;
    this.#verdict.isOverMost = this.#verdict.accepted > MAX_CONTACTS;
    return this.#verdict;
  }

  #take({ contacts, rejects }: ImportBatch): void {
    const verdict = this.#verdict;
    const header = this.#reader.layout?.header ?? [];
    if (!this.#isHeaded) {
      this.#isHeaded = true;
      this.#skipped.rejects(csv([[...header, ADDED.line, ADDED.reason]]));
      this.#skipped.duplicates(csv([[...header, ADDED.line, ADDED.firstLine]]));
    }
    const repeated: Repeated[] = [];
    for (const contact of contacts) {
      const number = Number(contact.phone_number.slice(1));
      const firstLine = this.#lines.get(number);
      if (firstLine !== undefined) {
        repeated.push({ contact, firstLine });
        continue;
      }
      this.#lines.set(number, contact.line);
      verdict.accepted++;
      const { line, written = "", couldBe, phone_number } = contact;
      if (couldBe !== undefined)
        verdict.alsoValid.push({ line, written: written.trim(), withPlus: couldBe, national: phone_number });
      if (verdict.first.length < FIRST_CONTACTS) verdict.first.push(contact);
    }
    verdict.duplicates += repeated.length;
    verdict.rejected += rejects.length;
    for (const reject of rejects) {
      if (reject.national) verdict.national++;
      if (reject.either) {
        const { couldBe, national } = reject.either;
        const written = reject.row[this.#reader.layout?.phone ?? 0]?.trim() ?? "";
        verdict.either.push({ line: reject.line, written, withPlus: couldBe, national });
      }
      if (verdict.rejects.length < SHOWN_ROWS) verdict.rejects.push(reject);
    }
    if (rejects.length > 0)
      this.#skipped.rejects(
        csv(rejects.map(({ row, line, reason }) => [...inColumns(row, header), `${line}`, reason])),
      );
    if (repeated.length > 0)
      this.#skipped.duplicates(
        csv(repeated.map(({ contact, firstLine }) => [...this.#rowOf(contact), `${contact.line}`, `${firstLine}`])),
      );
  }

  #rowOf({ phone_number, written, variables }: ImportedContact): string[] {
    const { header = [], phone = 0, variables: positions = [] } = this.#reader.layout ?? {};
    return header.map((_, i) => (i === phone ? (written ?? phone_number) : (variables[positions.indexOf(i)] ?? "")));
  }
}

/** Returns a row with as many cells as the header. Surplus cells are joined in the last one. */
function inColumns(row: string[], header: string[]): string[] {
  const cells = header.map((_, i) => row[i] ?? "");
  return row.length > header.length ? [...cells.slice(0, -1), row.slice(header.length - 1).join(" | ")] : cells;
}

/** Formats rows for the spreadsheet in which they are fixed. When they are read again, the cells are unchanged. */
function csv(rows: string[][]): string {
  const cells = rows.map((row) => row.map(quotedText));
  return `${Papa.unparse(cells, { newline: "\r\n" })}\r\n`;
}
