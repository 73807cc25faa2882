import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { COPIED_OBJECTS } from "../../../src/account-data/backup/walk.ts";
import { D1_ENTRIES, D1_TABLES } from "../../../src/account-data/stores.ts";
import type { Cell, CopiedTable, DeclaredTables, TableRows } from "../../../src/kernel/backup/declared.ts";
import { restoredColumns, restoreObject } from "../../../src/kernel/backup/object-copy.ts";
import { layoutOf } from "../../../src/kernel/db/account-copy.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { ApiError } from "../../../src/kernel/http/errors.ts";
import { badCells, goodCell, keptOutBy } from "./cells.ts";
import { PLACED } from "./placed-columns.ts";

const KINDS = [...COPIED_OBJECTS].map(([name, store]) => Object.assign({ name }, store));
type Kind = (typeof KINDS)[number];

/** Runs `work` with the storage of an empty object. */
const inNothing = <T>(work: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(ledgerVolume(env, `d-${crypto.randomUUID().slice(0, 12)}`, "2026-11-28"), (_, { storage }) =>
    work(storage),
  );

const copiedOf = (declared: DeclaredTables): [table: string, how: CopiedTable][] =>
  Object.entries(declared).flatMap(([table, how]) => ("copy" in how ? [[table, how] as [string, CopiedTable]] : []));

/** Returns the columns of each table of a kind's objects, after its last schema step. */
const columnsOf = ({ migrations, tables }: Kind) =>
  inNothing((storage) => {
    migrate(storage, migrations, 0);
    return copiedOf(tables).map(([table, how]) => ({
      table,
      how,
      columns: restoredColumns(storage.sql, table, how),
    }));
  });

const shownPlaces = (by: Record<string, string>) =>
  Object.keys(by)
    .sort()
    .map((one) => `${one}: ${by[one]}`)
    .join("; ");

describe("a doctored backup of an object", () => {
  it.each(KINDS)(
    "a restore of an object accepts rows of $name only within their schema and the forced columns",
    async (kind) => {
      const { migrations } = kind;
      const tables = await columnsOf(kind);
      await inNothing((storage) => {
        const pageOf = (table: string, cells: Record<string, Cell>): TableRows => {
          return { table, columns: Object.keys(cells), rows: [Object.values(cells)] };
        };
        const goodOf = ({ columns }: (typeof tables)[number]) =>
          Object.fromEntries(columns.map((column) => [column.name, goodCell(column)]));
        const judged = (table: string, cells: Record<string, Cell>): string => {
          // An attempt needs a contact to which it belongs.
          const before = tables.filter((one) => table === "attempts" && one.table === "contacts");
          const written = [...before.map((one) => pageOf(one.table, goodOf(one))), pageOf(table, cells)];
          const page = { backup: "1", steps: migrations.length, tables: written, last: false };
          try {
            storage.transactionSync(() => {
              restoreObject(storage, kind, page);
              throw new Error("taken");
            });
          } catch (error) {
            if (error instanceof ApiError) return error.code;
            return error instanceof Error ? error.message : "unknown";
          }
          return "never";
        };
        for (const one of tables) {
          const { table, how, columns } = one;
          const forced = Object.keys(how.set ?? {});
          const good = goodOf(one);
          expect.soft([table, judged(table, good)]).toEqual([table, "taken"]);
          for (const unknown of ["is_admin", ...(columns.some(({ name }) => name === "account") ? [] : ["account"])])
            expect
              .soft([table, unknown, judged(table, Object.assign({ [unknown]: "acme" }, good))])
              .toEqual([table, unknown, "newer_release"]);
          for (const column of columns) {
            const { name, hasDefault } = column;
            const isForced = forced.includes(name);
            const { [name]: _, ...without } = good;
            const mayLack = hasDefault || isForced;
            expect
              .soft([table, name, judged(table, without)])
              .toEqual([table, name, mayLack ? "taken" : "invalid_rows"]);
            for (const bad of badCells(column))
              expect
                .soft([table, name, judged(table, Object.assign({}, good, { [name]: bad }))])
                .toEqual([table, name, isForced ? "taken" : "invalid_rows"]);
          }
        }
      });
    },
  );

  it("has a check against doctored cells for every copied column", async () => {
    const placed: Record<string, Record<string, string>> = {};
    const place = (table: string, by: string, name: string) => {
      placed[table] ??= {};
      placed[table][by] = [placed[table][by], name].filter(Boolean).join(" ");
    };
    for (const kind of KINDS)
      for (const { table, how, columns } of await columnsOf(kind))
        for (const column of columns)
          place(
            `${kind.name}/${table}`,
            Object.keys(how.set ?? {}).includes(column.name) ? "forced" : keptOutBy(column),
            column.name,
          );
    for (const [table, how] of D1_ENTRIES) {
      if (!("copy" in how)) continue;
      for (const column of layoutOf(D1_TABLES, table).columns) {
        const by = Object.keys(how.set ?? {}).includes(column.name)
          ? "forced"
          : column.name in (how.sealed ?? {})
            ? "sealed"
            : keptOutBy(column);
        place(`d1/${table}`, by, column.name);
      }
    }
    // A new table or column fails here until it is added to the list.
    const shown = Object.entries(placed).map(([table, by]) => [table, shownPlaces(by)]);
    expect(Object.fromEntries(shown)).toEqual(PLACED);
  });
});
