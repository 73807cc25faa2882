import { z } from "zod";
import type { Border, Declared, DeclaredRows } from "../backup/declared.ts";
import type { Maintenance } from "../db/maintenance.ts";
import type * as schema from "../db/schema/index.ts";
import type { Sweep } from "../erasure/sweep.ts";
import type { PersonalData } from "../personal-data.ts";

/** A table of an object: how a person is found in it, and what backups do with it. */
export type TableRules = PersonalData & Declared;

/** The tables of a class of objects by name, in the order in which backups write them. `migrations` needs no entry. */
export type Tables = Readonly<Record<string, TableRules>>;

/** The outbox of an object. Pending messages about an erased person are masked or deleted before they are sent. */
export const OUTBOX = {
  by: ["text"],
  columns: ["key"],
  mentions: ["body"],
  erasure: "mask",
} as const satisfies PersonalData;

export const CONFIGURATION = {
  nobody: "configuration by users of the account, about no caller or visitor",
} as const satisfies PersonalData;

type Schema = typeof schema;
export type D1Table = {
  [Name in keyof Schema]: Schema[Name] extends { _: { name: infer Table extends string } } ? Table : never;
}[keyof Schema];

/** A D1 table, which contains rows of all accounts. */
export type RowRules = PersonalData &
  DeclaredRows & {
    /** The values that the API accepts for each column that a request can set. A restore accepts no others. */
    readonly borders?: Readonly<Record<string, Border>>;
    /** The reason why the deletion of an account keeps these rows. */
    readonly outlives?: string;
    /** The sweeps that erase a person. Erasures store their progress under these names. */
    readonly sweeps?: Readonly<Record<string, Sweep>>;
    /** The scheduled job that deletes up to `most` expired rows of all accounts and returns how many. */
    readonly expiry?: {
      readonly job: string;
      readonly most: number;
      run(maintenance: Maintenance, now: number, most: number): Promise<number>;
    };
  };

/** The D1 tables. Each table comes after those that it references. */
export type RowTables<Table extends D1Table = D1Table> = Readonly<Record<Table, RowRules>>;

/** The text and JSON columns of a table that may mention a number. */
export interface Mentions {
  table: string;
  texts: readonly string[];
  json: readonly string[];
}

/** Returns the columns that may mention a number, in the order of the tables. */
export function mentionsIn(tables: Tables): Mentions[] {
  return Object.entries(tables).flatMap(([table, rules]) => {
    if (!("mentions" in rules) || rules.mentions === undefined) return [];
    const json = new Set("json" in rules ? rules.json : []);
    const { mentions } = rules;
    return [{ table, texts: mentions.filter((one) => !json.has(one)), json: mentions.filter((one) => json.has(one)) }];
  });
}

/** Returns the schemas of a request body's fields. @throws TypeError if the endpoint's body is not an object */
export function bodyFields({ body }: { body?: z.ZodType }): Readonly<Record<string, z.ZodType>> {
  if (!(body instanceof z.ZodObject)) throw new TypeError("the body is not an object");
  return body.shape as Record<string, z.ZodType>;
}

/** Returns the primary key column of an object's table, or its first column. */
export function primaryKey(sql: SqlStorage, table: string): string {
  return sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk = 1", table).one().name;
}
