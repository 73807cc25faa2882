import { columnKey, columnRole, MAX_COLUMNS } from "../../../../../lists/columns.ts";
import { looksLikeNumber, type Shape } from "./shape.ts";

export type Use = "phone" | "variable" | "left_out";

export interface MappedColumn {
  /** Its header in the file. */
  from: string;
  use: Use;
  /** The name of its variable; the phone column has a fixed name. */
  name: string;
}

export type Mapping = MappedColumn[];

export type MappingFault =
  | { kind: "no_phone" }
  | { kind: "no_name"; column: number }
  | { kind: "repeated"; column: number; name: string }
  | { kind: "reserved"; column: number }
  | { kind: "too_many"; columns: number; most: number };

/** The name of the phone column in the API. */
export const PHONE = "phone_number";
/** Common names of phone columns, most specific first. */
const PHONE_NAMES = [
  /^phone_number$/,
  /^(mobile|cell|cellphone|mobile_phone|cell_phone|phone|telephone|tel|number)$/,
  /(mobile|cell|handy|gsm|móvil|portable|whatsapp)/,
  /(phone|tel|telefon|teléfono|téléphone|rufnummer|msisdn)/,
  /(number|nummer)/,
];
/** Names that resemble those of phone columns but aren't. */
const NO_PHONE = /fax|_id$|^id$|account|invoice|order|customer_number|kunden/;

/** Guesses the use of each column: one is the phone column, the others are variables. */
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
    const rank = PHONE_NAMES.findIndex((pattern) => pattern.test(key));
    if (rank === 0) return 10;
    // A matching name counts as much as half of the cells.
    return (rank === -1 ? 0 : (PHONE_NAMES.length - rank) / (2 * PHONE_NAMES.length)) + likeness;
  });
  const best = Math.max(0, ...scores);
  return best === 0 ? -1 : scores.indexOf(best);
}

/** Changes the use of a column. There is only one phone column, so the previous one becomes a variable. */
export function withUse(mapping: Mapping, column: number, use: Use): Mapping {
  return withNames(
    mapping.map((each, i) => {
      if (i === column) return { from: each.from, use, name: each.name };
      return use === "phone" && each.use === "phone" ? { from: each.from, use: "variable", name: each.name } : each;
    }),
  );
}

export function withName(mapping: Mapping, column: number, name: string): Mapping {
  return mapping.map((each, i) => (i === column ? { from: each.from, use: each.use, name } : each));
}

/** Renames variables whose names are taken, so that a file with duplicate headers can be used as it is. */
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

export function usedColumns(mapping: Mapping): number[] {
  return mapping.flatMap(({ use }, i) => (use === "left_out" ? [] : [i]));
}

export function sentNames(mapping: Mapping): string[] {
  return usedColumns(mapping).map((i) => (mapping[i]?.use === "phone" ? PHONE : (mapping[i]?.name.trim() ?? "")));
}

/** Returns the variables that no column provides. */
export function withoutColumn(names: string[], mapping: Mapping): string[] {
  // Matches names as the service does: a space equals an underscore.
  const key = (name: string) => name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, "_");
  const brought = new Set(mapping.filter(({ use }) => use === "variable").map(({ name }) => key(name)));
  return names.filter((name) => !brought.has(key(name)));
}
