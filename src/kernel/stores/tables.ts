import { z } from "zod";
import type { Border, Declared, DeclaredRows } from "../backup/declared.ts";
import type { Maintenance } from "../db/maintenance.ts";
import type * as schema from "../db/schema/index.ts";
import type { Sweep } from "../erasure/sweep.ts";
import type { PersonalData } from "../personal-data.ts";

/** A table of an object: how a person is found in it, and what a backup does with it. */
export type TableRules = PersonalData & Declared;

/** Each table of a class of objects, by name, in the order in which a copy is written; `migrations` needs no entry. */
export type Tables = Readonly<Record<string, TableRules>>;

/** What an object owes to others: masked or dropped there before it goes out. */
export const OUTBOX = {
  by: ["text"],
  columns: ["key"],
  mentions: ["body"],
  erasure: "mask",
} as const satisfies PersonalData;

/** A table with what users of the account configure. */
export const CONFIGURATION = {
  nobody: "configuration by users of the account, about no caller or visitor",
} as const satisfies PersonalData;

type Schema = typeof schema;
/** The name that each table has in D1. */
export type D1Table = {
  [Name in keyof Schema]: Schema[Name] extends { _: { name: infer Table extends string } } ? Table : never;
}[keyof Schema];

/** A table of D1, in which every account has rows. */
export type RowRules = PersonalData &
  DeclaredRows & {
    /** What the API takes for each column that a request can set: a restore takes nothing else. */
    readonly borders?: Readonly<Record<string, Border>>;
    /** Why the deletion of an account leaves its rows. */
    readonly outlives?: string;
    /** Erases a person from it, under the name by which erasures store how far they are. */
    readonly sweeps?: Readonly<Record<string, Sweep>>;
    /** The scheduled job that deletes up to `most` expired rows of all accounts, and gives how many. */
    readonly expiry?: {
      readonly job: string;
      readonly most: number;
      run(maintenance: Maintenance, now: number, most: number): Promise<number>;
    };
  };

/** Tables of D1: what others refer to comes before them. */
export type RowTables<Table extends D1Table = D1Table> = Readonly<Record<Table, RowRules>>;

/** The columns of a table in which a number may be mentioned: those with text, and those with JSON. */
export interface Mentions {
  table: string;
  texts: readonly string[];
  json: readonly string[];
}

/** Returns what a sweep for mentions of a number looks through, in the order of the tables. */
export function mentionsIn(tables: Tables): Mentions[] {
  return Object.entries(tables).flatMap(([table, rules]) => {
    if (!("mentions" in rules) || rules.mentions === undefined) return [];
    const json = new Set("json" in rules ? rules.json : []);
    const { mentions } = rules;
    return [{ table, texts: mentions.filter((one) => !json.has(one)), json: mentions.filter((one) => json.has(one)) }];
  });
}

/** The schemas of a request body's fields. @throws TypeError if the endpoint takes no object */
export function bodyFields({ body }: { body?: z.ZodType }): Readonly<Record<string, z.ZodType>> {
  if (!(body instanceof z.ZodObject)) throw new TypeError("the body is no object");
  return body.shape as Record<string, z.ZodType>;
}

/** Returns the column that is the primary key of an object's table, or its first. */
export function primaryKey(sql: SqlStorage, table: string): string {
  return sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk = 1", table).one().name;
}
