import Papa from "papaparse";
import { ADDED, columnKey, columnRole, extraColumn } from "../../lists/columns.ts";
import type { UploadHeader } from "../../lists/rows.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { Duplicate, Reject } from "../store/rejects.ts";
import { lineOf, positionOf, uploadOf } from "../store/upload-position.ts";

/** Rows read and written at a time. */
const PAGE_ROWS = 1_000;
/** Maximum number of columns for surplus cells. The last one holds all that are left, as CSV. */
const MOST_EXTRA = 100;

export type WriteCell = (cell: string) => string;

/** A CSV in pieces: its header, then rows. `next` returns null at the end. */
export interface CsvPieces {
  head: string;
  next(): string | null;
}

/** Returns the rejected rows of the uploads, each with its line and the reason. */
export function rejectedRows(store: CampaignStore, write: WriteCell): CsvPieces {
  const { columns, uploads, end } = skippedOf(store);
  const several = uploads.size > 1;
  const added = several ? [ADDED.upload, ADDED.line, ADDED.reason] : [ADDED.line, ADDED.reason];
  const page = (after: number) => store.rejects.page(after, PAGE_ROWS);
  return pieces(columns, [...extraColumns(uploads), ...added], page, end, write, (reject: Reject) => {
    const { position, reason, row } = reject;
    return [
      ...columns.cells(uploadOf(position), row, extraColumns(uploads).length),
      ...origin(position, several),
      reason,
    ];
  });
}

/** Returns the rows of the uploads whose number an earlier row has, each with the line of that row. */
export function repeatedRows(store: CampaignStore, write: WriteCell): CsvPieces {
  const { columns, uploads, end } = skippedOf(store);
  const several = uploads.size > 1;
  const added = several
    ? [ADDED.upload, ADDED.line, ADDED.firstUpload, ADDED.firstLine]
    : [ADDED.line, ADDED.firstLine];
  const page = (after: number) => store.rejects.duplicates(after, PAGE_ROWS);
  return pieces(columns, added, page, end, write, ({ position, first, phone, variables }: Duplicate) => {
    const upload = uploadOf(position);
    const row = columns.cells(upload, rowOf(uploads.get(upload), phone, variables), 0);
    const from = first === null ? (several ? ["", ""] : [""]) : origin(first, several);
    return [...row, ...origin(position, several), ...from];
  });
}

/** Returns the line of a position, preceded by its upload, counted from 1, if there are several. */
function origin(position: number, several: boolean): string[] {
  const line = String(lineOf(position));
  return several ? [String(uploadOf(position) + 1), line] : [line];
}

function pieces<T extends { position: number }>(
  columns: Columns,
  added: string[],
  page: (after: number) => T[],
  end: number,
  write: WriteCell,
  cells: (row: T) => string[],
): CsvPieces {
  let after = 0;
  // If a cell contained another delimiter, the file could be read with that delimiter when it is uploaded again.
  const quotes = (cell: unknown) => /[;\t|]/.test(String(cell));
  return {
    head: `${Papa.unparse([[...columns.names, ...added].map(write)], { newline: "\r\n", quotes })}\r\n`,
    next() {
      const rows = page(after).filter(({ position }) => position < end);
      const last = rows.at(-1);
      if (!last) return null;
      after = last.position;
      return `${Papa.unparse(
        rows.map((row) => cells(row).map(write)),
        { newline: "\r\n" },
      )}\r\n`;
    },
  };
}

/**
 * Returns the columns of all completely read uploads, and the position at which the rows of an upload in progress
 * begin.
 */
function skippedOf(store: CampaignStore): { columns: Columns; uploads: Map<number, UploadHeader>; end: number } {
  const uploads = store.rejects.uploads();
  const end = positionOf(Math.max(-1, ...uploads.keys()) + 1, 0);
  return { columns: new Columns([...uploads]), uploads, end };
}

function extraColumns(uploads: Map<number, UploadHeader>): string[] {
  const most = Math.max(0, ...[...uploads.values()].map(({ extra }) => extra));
  return Array.from({ length: Math.min(most, MOST_EXTRA) }, (_, i) => extraColumn(i + 1));
}

/** Returns a row with the cell of its number at its position. */
function rowOf(header: UploadHeader | undefined, phone: string, variables: string[]): string[] {
  let next = 0;
  return (header?.names ?? []).map((name, i) => {
    if (i === header?.phone) return phone;
    return columnRole(name) === "own" ? (variables[next++] ?? "") : "";
  });
}

/** The combined columns of several uploads, in order of appearance. */
class Columns {
  readonly names: string[] = [];
  /** For each upload, the positions of its cells; -1 for columns that the service had added. */
  readonly #positions = new Map<number, number[]>();
  readonly #extra = new Map<number, number[]>();

  constructor(uploads: [upload: number, header: UploadHeader][]) {
    const keys: string[] = [];
    for (const [upload, { names, phone }] of uploads) {
      const positions = names.map((name, i) => {
        if (columnRole(name) !== "own") return -1;
        const key = i === phone ? "phone_number" : columnKey(name);
        const position = keys.indexOf(key);
        if (position === -1) return keys.push(key) && this.names.push(name) - 1;
        // The numbers' column may have a different name in each file, so it gets a common name.
        if (i === phone && this.names[position] !== name) this.names[position] = "phone_number";
        return position;
      });
      this.#positions.set(upload, positions);
      this.#extra.set(
        upload,
        names.flatMap((name, i) => (columnRole(name) === "extra" ? [i] : [])),
      );
    }
  }

  cells(upload: number, row: string[], extra: number): string[] {
    const positions = this.#positions.get(upload) ?? [];
    const cells = Array.from({ length: this.names.length }, () => "");
    for (const [i, position] of positions.entries()) if (position !== -1) cells[position] = row[i] ?? "";
    const more = [...(this.#extra.get(upload) ?? []).map((i) => row[i] ?? ""), ...row.slice(positions.length)];
    const shown = Array.from({ length: extra }, (_, i) => more[i] ?? "");
    if (extra > 0 && more.length > extra) shown[extra - 1] = Papa.unparse([more.slice(extra - 1)]);
    return [...cells, ...shown];
  }
}
