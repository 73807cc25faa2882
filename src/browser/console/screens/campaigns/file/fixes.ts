import { columnRole } from "../../../../../lists/columns.ts";
import type { ColumnNames, Corrections, RowChanges } from "../../../../../lists/corrections.ts";
import { type Mapping, PHONE, usedColumns } from "./mapping.ts";

/**
 * Cells changed by the user, by column index, and rows by their first line. Changes stay with their row and column,
 * whatever the columns are called and whichever are used.
 */
export type Fixes = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** Adds the fix of a row: its cells in the used columns. Surplus cells are emptied. */
export function withFix(fixes: Fixes, mapping: Mapping, line: number, cells: string[], tooMany: number): Fixes {
  const row = new Map(fixes.get(line));
  for (const [i, position] of usedColumns(mapping).entries()) row.set(position, cells[i] ?? "");
  for (let i = 0; i < tooMany; i++) row.set(mapping.length + i, "");
  return new Map([...fixes, [line, row]]);
}

/** Adds fixed numbers of rows. */
export function withNumbers(fixes: Fixes, mapping: Mapping, numbers: { line: number; number: string }[]): Fixes {
  const position = mapping.findIndex(({ use }) => use === "phone");
  const rows = numbers.map(({ line, number }) => [line, new Map(fixes.get(line)).set(position, number)] as const);
  return new Map([...fixes, ...rows]);
}

/** Returns how the service should read the file. */
export function correctionsOf(mapping: Mapping, fixes: Fixes): Corrections {
  const headers = headersOf(mapping);
  return { columns: columnsOf(mapping, headers), rows: rowsOf(mapping, headers, fixes) };
}

/** Returns the headers of a file's columns. A header that isn't unique is replaced by the column's position. */
function headersOf(mapping: Mapping): string[] {
  const all = mapping.map(({ from }) => from);
  return all.map((from, i) => (all.indexOf(from) === all.lastIndexOf(from) ? from : byPosition(i)));
}

const byPosition = (position: number) => `column_${position + 1}`;

function columnsOf(mapping: Mapping, headers: string[]): ColumnNames {
  const columns = new Map<string, string | null>();
  for (const [i, { use, name }] of mapping.entries()) {
    const [field, header = ""] = [use === "phone" ? PHONE : name.trim(), headers[i]];
    if (use !== "left_out" && field !== header) columns.set(field, header);
  }
  for (const [i, { use }] of mapping.entries()) {
    const header = headers[i] ?? "";
    // Another column may use the name.
    if (use === "left_out") columns.set(columns.has(header) ? byPosition(i) : header, null);
  }
  return columns;
}

function rowsOf(mapping: Mapping, headers: string[], fixes: Fixes): RowChanges {
  const extra = mapping.filter(({ from }) => columnRole(from) === "extra").length;
  const headerAt = (position: number) => headers[position] ?? `_extra_${position - headers.length + extra + 1}`;
  const rows = [...fixes].map(([line, cells]): [number, [string, string][]] => [
    line,
    [...cells].map(([position, cell]): [string, string] => [headerAt(position), cell]),
  ]);
  return new Map(rows);
}

export const columnsJson = (columns: ColumnNames): string => JSON.stringify(Object.fromEntries(columns));

export function rowsJson(rows: RowChanges): string {
  return JSON.stringify(
    Object.fromEntries([...rows].map(([line, cells]) => [line, cells && Object.fromEntries(cells)])),
  );
}
