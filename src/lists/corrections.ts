import { beginningOf } from "../kernel/http/plain-text.ts";
import { columnKey, columnRole } from "./columns.ts";
import { InvalidCorrections, MAX_PROBLEMS, type Problem } from "./invalid-csv.ts";

/** Corrections that are applied to a list as it is read, so that its owner need not edit the file. */
export interface Corrections {
  columns: ColumnNames;
  rows: RowChanges;
}

/** The header of the column for each field. Null ignores the column that has the field's name. */
export type ColumnNames = ReadonlyMap<string, string | null>;

/** Changed cells by header, by the line on which their row begins. Null skips the row. */
export type RowChanges = ReadonlyMap<number, readonly [header: string, cell: string][] | null>;

/** Leaves the file as it is. */
export const NO_CORRECTIONS: Corrections = { columns: new Map(), rows: new Map() };

/** The maximum number of columns that an error names, and the maximum number of characters of each name. */
const NAMED_COLUMNS = 20;
const NAMED_CHARS = 40;

/** Lists the names of columns for an error message. */
export function listed(names: string[]): string {
  const shown = names.slice(0, NAMED_COLUMNS).map(short);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** Shortens a name for an error message. */
export const short = (name: string) => beginningOf(name, NAMED_CHARS);

/** Finds the columns of a file by their headers. */
class HeaderIndex {
  readonly #names: string[];
  readonly #byName = new Map<string, number[]>();
  readonly #byKey = new Map<string, number[]>();

  constructor(names: string[]) {
    this.#names = names;
    for (const [i, name] of names.entries()) {
      add(this.#byName, name, i);
      add(this.#byKey, columnKey(name), i);
    }
  }

  /**
   * Returns the positions of the columns with this header: by exact name, otherwise by key (ignoring case, spaces and
   * hyphens), otherwise by position (`column_3`), which distinguishes columns with the same name.
   */
  find(header: string): number[] {
    const name = header.trim();
    const found = this.#byName.get(name) ?? this.#byKey.get(columnKey(name));
    if (found) return found;
    const position = Number(/^column_([1-9]\d{0,4})$/i.exec(name)?.[1] ?? Number.NaN) - 1;
    return position < this.#names.length ? [position] : [];
  }

  /** Returns the reason why a header does not identify exactly one column. */
  problem(field: string, header: string, found: number[]): Problem {
    return found.length > 1
      ? {
          field,
          code: "duplicate",
          message: `${found.length} columns are called ${short(header)}; ${byPosition(found)}`,
        }
      : {
          field,
          code: "unknown",
          message: `the file has no column ${short(header)}; its columns are ${listed(this.#names)}`,
        };
  }
}

const add = (index: Map<string, number[]>, key: string, position: number) => {
  const positions = index.get(key);
  if (positions) positions.push(position);
  else index.set(key, [position]);
};
const byPosition = (positions: number[]) => `name one by its position, such as column_${(positions[0] ?? 0) + 1}`;

/** The columns of a file after `columns` was applied. */
export interface NamedColumns {
  /** The names of the used columns, in the order of the file. */
  names: string[];
  /** The positions of these columns in the file. */
  positions: number[];
  problems: Problem[];
}

/** Renames the columns of a file, and ignores some of them. */
export function nameColumns(headers: string[], columns: ColumnNames): NamedColumns {
  if (columns.size === 0) return { names: headers, positions: [...headers.keys()], problems: [] };
  const index = new HeaderIndex(headers);
  const problems: Problem[] = [];
  const names: (string | null)[] = [...headers];
  const fields = new Map<number, string>();
  for (const [field, header] of columns) {
    if (problems.length >= MAX_PROBLEMS) break;
    const path = `columns.${short(field)}`;
    const found = index.find(header ?? field);
    const [position, another] = found;
    const before = position === undefined ? undefined : fields.get(position);
    if (position === undefined || another !== undefined) problems.push(index.problem(path, header ?? field, found));
    else if (before !== undefined)
      problems.push({
        field: path,
        code: "duplicate",
        message: `the column ${short(header ?? field)} is already used for ${short(before)}`,
      });
    else if (header !== null && columnRole(field) !== "own")
      problems.push({ field: path, code: "invalid_name", message: "this name is reserved" });
    else {
      fields.set(position, field);
      names[position] = header === null ? null : field;
    }
  }
  problems.push(...repeatedNames(names, fields));
  const positions = [...headers.keys()].filter((position) => names[position] !== null);
  return { names: positions.map((position) => names[position] ?? ""), positions, problems };
}

/** Returns the fields whose name is also the name of another used column. */
function repeatedNames(names: (string | null)[], fields: Map<number, string>): Problem[] {
  const byKey = new Map<string, number[]>();
  for (const [position, name] of names.entries()) if (name !== null) add(byKey, columnKey(name), position);
  const problems: Problem[] = [];
  for (const [position, field] of fields) {
    const other = names[position] === null ? undefined : byKey.get(columnKey(field))?.find((each) => each !== position);
    if (other === undefined || problems.length >= MAX_PROBLEMS) continue;
    const message = `another column is also called ${short(field)}; rename it, or leave it out: "column_${other + 1}": null`;
    problems.push({ field: `columns.${short(field)}`, code: "duplicate", message });
  }
  return problems;
}

interface ChangedCell {
  position: number;
  cell: string;
  header: string;
}

/** Changes the rows of a file as they are read. */
export class RowCorrections {
  readonly #headers: number;
  readonly #rows = new Map<number, ChangedCell[] | null>();
  readonly #problems: Problem[] = [];

  /**
   * @param headers the file's columns
   * @throws InvalidCorrections if a changed cell is in none of them
   */
  constructor(rows: RowChanges, headers: string[]) {
    this.#headers = headers.length;
    const index = new HeaderIndex(headers);
    const extra = headers.filter((name) => columnRole(name) === "extra").length;
    for (const [line, cells] of rows) {
      const changed = cells?.flatMap(([header, cell]) => this.#changedCell(index, extra, line, header, cell));
      this.#rows.set(line, changed ?? null);
    }
    this.#throwProblems();
  }

  #changedCell(index: HeaderIndex, extra: number, line: number, header: string, cell: string): ChangedCell[] {
    const found = index.find(header);
    const [position, another] = found;
    if (position !== undefined && another === undefined) return [{ position, cell, header }];
    // Exports of skipped rows use these names for surplus cells.
    const surplus = Number(/^_extra_([1-9]\d{0,5})$/i.exec(header)?.[1] ?? 0) - extra;
    if (found.length === 0 && surplus > 0) return [{ position: this.#headers + surplus - 1, cell, header }];
    this.#note(index.problem(pathOf(line, header), header, found));
    return [];
  }

  /** Returns the corrected cells of the row that begins on a line; null if the row is skipped. */
  apply(line: number, row: string[]): string[] | null {
    const changed = this.#rows.size === 0 ? undefined : this.#rows.get(line);
    if (changed === undefined) return row;
    this.#rows.delete(line);
    if (changed === null) return null;
    const cells = [...row];
    const emptied = new Set<number>();
    for (const { position, cell, header } of changed) {
      if (position >= this.#headers && position >= row.length) {
        this.#note({ field: pathOf(line, header), code: "unknown", message: "the row has no such cell" });
        continue;
      }
      while (cells.length < position) cells.push("");
      cells[position] = cell;
      if (position >= this.#headers && cell === "") emptied.add(position);
    }
    // A surplus cell at the end that was emptied is removed.
    while (emptied.has(cells.length - 1)) cells.pop();
    return cells;
  }

  /**
   * Checks, at the end of the file, that every changed row was found.
   * @throws InvalidCorrections if no row begins on a changed line
   */
  end(): void {
    for (const line of this.#rows.keys()) {
      const message = `the file has no row that begins on line ${line}`;
      this.#note({ field: `rows.${line}`, code: "unknown", message });
    }
    this.#throwProblems();
  }

  #note(problem: Problem): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }

  #throwProblems(): void {
    if (this.#problems.length > 0) throw new InvalidCorrections(this.#problems);
  }
}

const pathOf = (line: number, header: string) => `rows.${line}.${short(header)}`;
