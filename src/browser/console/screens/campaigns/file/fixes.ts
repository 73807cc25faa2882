import { columnRole } from "../../../../../lists/columns.ts";
import type { ColumnNames, Corrections, RowChanges } from "../../../../../lists/corrections.ts";
import { type Mapping, PHONE, usedColumns } from "./mapping.ts";

/**
 * Cells that were changed here, by their place in the row; rows by the line on which they begin. Changes stay with
 * their row and column, whatever the columns are called and whichever are used.
 */
export type Fixes = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** Adds the fix of a row: its cells in the used columns; surplus cells are emptied. */
export function withFix(fixes: Fixes, mapping: Mapping, line: number, cells: string[], tooMany: number): Fixes {
  const row = new Map(fixes.get(line));
  for (const [i, place] of usedColumns(mapping).entries()) row.set(place, cells[i] ?? "");
  for (let i = 0; i < tooMany; i++) row.set(mapping.length + i, "");
  return new Map([...fixes, [line, row]]);
}

/** Adds fixed numbers of rows. */
export function withNumbers(fixes: Fixes, mapping: Mapping, numbers: { line: number; number: string }[]): Fixes {
  const place = mapping.findIndex(({ use }) => use === "phone");
  const rows = numbers.map(({ line, number }) => [line, new Map(fixes.get(line)).set(place, number)] as const);
  return new Map([...fixes, ...rows]);
}

/** How the service is to read the file. */
export function correctionsOf(mapping: Mapping, fixes: Fixes): Corrections {
  const headers = headersOf(mapping);
  return { columns: columnsOf(mapping, headers), rows: rowsOf(mapping, headers, fixes) };
}

/** The headers of a file's columns; the place of a column whose header is not unique. */
function headersOf(mapping: Mapping): string[] {
  const all = mapping.map(({ from }) => from);
  return all.map((from, i) => (all.indexOf(from) === all.lastIndexOf(from) ? from : byPlace(i)));
}

const byPlace = (place: number) => `column_${place + 1}`;

function columnsOf(mapping: Mapping, headers: string[]): ColumnNames {
  const columns = new Map<string, string | null>();
  for (const [i, { use, name }] of mapping.entries()) {
    const [field, header = ""] = [use === "phone" ? PHONE : name.trim(), headers[i]];
    if (use !== "left_out" && field !== header) columns.set(field, header);
  }
  for (const [i, { use }] of mapping.entries()) {
    const header = headers[i] ?? "";
    // Another column may have taken the name.
    if (use === "left_out") columns.set(columns.has(header) ? byPlace(i) : header, null);
  }
  return columns;
}

function rowsOf(mapping: Mapping, headers: string[], fixes: Fixes): RowChanges {
  const extra = mapping.filter(({ from }) => columnRole(from) === "extra").length;
  const headerAt = (place: number) => headers[place] ?? `_extra_${place - headers.length + extra + 1}`;
  const rows = [...fixes].map(([line, cells]): [number, [string, string][]] => [
    line,
    [...cells].map(([place, cell]): [string, string] => [headerAt(place), cell]),
  ]);
  return new Map(rows);
}

/** The columns as the form's field has them. */
export const columnsJson = (columns: ColumnNames): string => JSON.stringify(Object.fromEntries(columns));

/** The rows as the form's field has them. */
export function rowsJson(rows: RowChanges): string {
  return JSON.stringify(
    Object.fromEntries([...rows].map(([line, cells]) => [line, cells && Object.fromEntries(cells)])),
  );
}
