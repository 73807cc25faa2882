import { columnKey, columnRole, MAX_COLUMNS } from "../../../../../lists/columns.ts";
import { looksLikeNumber, type Shape } from "./shape.ts";

/** What is done with a column of a file. */
export type Use = "phone" | "variable" | "left_out";

/** A column of a file, and what becomes of it. */
export interface MappedColumn {
  /** What it is called in the file. */
  from: string;
  use: Use;
  /** What its variable is called; the numbers' column has a name of its own. */
  name: string;
}

/** The columns of a file, in their order. */
export type Mapping = MappedColumn[];

/** What keeps a mapping from being used. */
export type MappingFault =
  | { kind: "no_phone" }
  | { kind: "no_name"; column: number }
  | { kind: "repeated"; column: number; name: string }
  | { kind: "reserved"; column: number }
  | { kind: "too_many"; columns: number; most: number };

/** The name of the column of the numbers, by which the service knows it. */
export const PHONE = "phone_number";
/** What a column of numbers is called, the surest names first. */
const PHONE_NAMES = [
  /^phone_number$/,
  /^(mobile|cell|cellphone|mobile_phone|cell_phone|phone|telephone|tel|number)$/,
  /(mobile|cell|handy|gsm|móvil|portable|whatsapp)/,
  /(phone|tel|telefon|teléfono|téléphone|rufnummer|msisdn)/,
  /(number|nummer)/,
];
/** Names that sound like numbers to call and are none. */
const NO_PHONE = /fax|_id$|^id$|account|invoice|order|customer_number|kunden/;

/** What the columns of a file probably are: one of them the numbers', the others variables. */
export function guessMapping({ names, sample }: Pick<Shape, "names" | "sample">): Mapping {
  const phone = guessPhone(names, sample);
  const mapping: Mapping = names.map((from, i) => ({
    from,
    use: i === phone ? "phone" : columnRole(from) === "added" ? "left_out" : "variable",
    name: from.replace(/\s+/g, " "),
  }));
  return withNames(mapping);
}

function guessPhone(names: string[], sample: string[][]): number {
  const scores = names.map((name, i) => {
    const key = columnKey(name);
    const cells = sample.map((row) => row[i] ?? "").filter((cell) => cell.trim() !== "");
    const share = cells.length === 0 ? 0 : cells.filter(looksLikeNumber).length / cells.length;
    const likeness = share > 0.3 ? share : 0;
    if (NO_PHONE.test(key)) return likeness / 4;
    const rank = PHONE_NAMES.findIndex((known) => known.test(key));
    if (rank === 0) return 10;
    // A name alone is worth as much as half of the cells.
    return (rank === -1 ? 0 : (PHONE_NAMES.length - rank) / (2 * PHONE_NAMES.length)) + likeness;
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? -1 : scores.indexOf(best);
}

/** Another use for a column. There is one column of numbers: the one before becomes a variable. */
export function withUse(mapping: Mapping, column: number, use: Use): Mapping {
  return withNames(
    mapping.map((each, i) => {
      if (i === column) return { from: each.from, use, name: each.name };
      return use === "phone" && each.use === "phone" ? { from: each.from, use: "variable", name: each.name } : each;
    }),
  );
}

/** Another name for a column's variable. */
export function withName(mapping: Mapping, column: number, name: string): Mapping {
  return mapping.map((each, i) => (i === column ? { from: each.from, use: each.use, name } : each));
}

/** Gives columns whose names are taken another one, so that a file with two alike can be used as it is. */
function withNames(mapping: Mapping): Mapping {
  const taken = new Set([PHONE]);
  return mapping.map((column) => {
    if (column.use !== "variable") return column;
    let name = column.name;
    for (let n = 2; taken.has(columnKey(name)); n++) name = `${column.from}_${n}`;
    taken.add(columnKey(name));
    return name === column.name ? column : { from: column.from, use: column.use, name };
  });
}

/** What is wrong with a mapping. */
export function mappingFaults(mapping: Mapping): MappingFault[] {
  const faults: MappingFault[] = [];
  const seen = new Set([PHONE]);
  for (const [column, { from, use, name }] of mapping.entries()) {
    if (use !== "variable") continue;
    const key = columnKey(name.trim());
    if (key === "") faults.push({ kind: "no_name", column });
    else if (seen.has(key)) faults.push({ kind: "repeated", column, name });
    else if (name.trim() !== from && columnRole(name.trim()) !== "own") faults.push({ kind: "reserved", column });
    seen.add(key);
  }
  if (!mapping.some(({ use }) => use === "phone")) faults.unshift({ kind: "no_phone" });
  const used = usedColumns(mapping).length;
  if (used > MAX_COLUMNS) faults.push({ kind: "too_many", columns: used, most: MAX_COLUMNS });
  return faults;
}

/** The columns that are sent, as their places in the file. */
export function usedColumns(mapping: Mapping): number[] {
  return mapping.flatMap(({ use }, i) => (use === "left_out" ? [] : [i]));
}

/** The names of the columns that are sent. */
export function sentNames(mapping: Mapping): string[] {
  return usedColumns(mapping).map((i) => (mapping[i]?.use === "phone" ? PHONE : (mapping[i]?.name.trim() ?? "")));
}

/** Which of the names that an agent's texts have no default for get no value from any column. */
export function withoutColumn(names: string[], mapping: Mapping): string[] {
  // As the service matches them: a space and an underscore are one.
  const key = (name: string) => name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, "_");
  const brought = new Set(mapping.filter(({ use }) => use === "variable").map(({ name }) => key(name)));
  return names.filter((name) => !brought.has(key(name)));
}
