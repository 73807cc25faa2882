import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { D1_BORDERS } from "../../../src/account/backup/border.ts";
import { METER_BACKUP } from "../../../src/account/backup-data.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { OBJECT_BACKUP } from "../../../src/backup-data.ts";
import { CAMPAIGN_BACKUP } from "../../../src/campaign/backup-data.ts";
import { CAMPAIGN_MIGRATIONS } from "../../../src/campaign/store/migrations.ts";
import { TEST_RUN_BACKUP } from "../../../src/conversation/backup-data.ts";
import { TEST_RUN_MIGRATIONS } from "../../../src/conversation/test-runs/run-store.ts";
import type { Cell, CopiedTable, DeclaredTables, TableRows } from "../../../src/kernel/backup/declared.ts";
import { restoredColumns, restoreObject } from "../../../src/kernel/backup/object-copy.ts";
import { layoutOf } from "../../../src/kernel/db/account-copy.ts";
import { D1_BACKUP } from "../../../src/kernel/db/backup-data.ts";
import { type Migration, migrate } from "../../../src/kernel/durable/migrate.ts";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import { ApiError } from "../../../src/kernel/http/errors.ts";
import { EVENTS_BACKUP, LEDGER_BACKUP } from "../../../src/records/backup-data.ts";
import { EVENTS_MIGRATIONS } from "../../../src/records/events/migrations.ts";
import { LEDGER_MIGRATIONS } from "../../../src/records/ledger/migrations.ts";
import { badCells, goodCell, keptOutBy } from "./cells.ts";
import { PLACED } from "./placed-columns.ts";

interface Kind {
  name: string;
  migrations: readonly Migration[];
  declared: DeclaredTables;
}
const KINDS: Kind[] = [
  { name: "events", migrations: EVENTS_MIGRATIONS, declared: EVENTS_BACKUP },
  { name: "meter", migrations: METER_MIGRATIONS, declared: METER_BACKUP },
  { name: "ledger", migrations: LEDGER_MIGRATIONS, declared: LEDGER_BACKUP },
  { name: "campaign", migrations: CAMPAIGN_MIGRATIONS, declared: CAMPAIGN_BACKUP },
  { name: "test_run", migrations: TEST_RUN_MIGRATIONS, declared: TEST_RUN_BACKUP },
];

/** Runs `work` with the storage of an object that holds nothing. */
const inNothing = <T>(work: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(ledgerVolume(env, `d-${crypto.randomUUID().slice(0, 12)}`, "2026-11-28"), (_, { storage }) =>
    work(storage),
  );

const copiedOf = (declared: DeclaredTables): [table: string, how: CopiedTable][] =>
  Object.entries(declared).flatMap(([table, how]) => ("copy" in how ? [[table, how] as [string, CopiedTable]] : []));

/** The columns of each table of a kind's objects, as its last step leaves them. */
const columnsOf = ({ migrations, declared }: Kind) =>
  inNothing((storage) => {
    migrate(storage, migrations, 0);
    return copiedOf(declared).map(([table, how]) => ({
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

describe("a doctored backup of an object: security", () => {
  it.each(KINDS)("rows of $name are taken only as their schema and the forced columns say", async (kind) => {
    const { migrations, declared } = kind;
    const tables = await columnsOf(kind);
    await inNothing((storage) => {
      const pageOf = (table: string, cells: Record<string, Cell>): TableRows => {
        return { table, columns: Object.keys(cells), rows: [Object.values(cells)] };
      };
      const goodOf = ({ columns }: (typeof tables)[number]) =>
        Object.fromEntries(columns.map((column) => [column.name, goodCell(column)]));
      const judged = (table: string, cells: Record<string, Cell>): string => {
        // Attempts are of a contact.
        const before = tables.filter((one) => table === "attempts" && one.table === "contacts");
        const written = [...before.map((one) => pageOf(one.table, goodOf(one))), pageOf(table, cells)];
        const page = { backup: "1", steps: migrations.length, tables: written, last: false };
        try {
          storage.transactionSync(() => {
            restoreObject(storage, migrations, declared, page);
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
          expect.soft([table, name, judged(table, without)]).toEqual([table, name, mayLack ? "taken" : "invalid_rows"]);
          for (const bad of badCells(column))
            expect
              .soft([table, name, judged(table, Object.assign({}, good, { [name]: bad }))])
              .toEqual([table, name, isForced ? "taken" : "invalid_rows"]);
        }
      }
    });
  });

  it("covers every class of objects that backups copy", () => {
    const copied = Object.values(OBJECT_BACKUP).filter((declared) => copiedOf(declared).length > 0);
    expect(new Set(copied)).toEqual(new Set(KINDS.map(({ declared }) => declared)));
  });

  it("every column that a backup copies is placed by what keeps a doctored cell out of it", async () => {
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
    for (const [table, how] of Object.entries(D1_BACKUP)) {
      if (!("copy" in how)) continue;
      const borders = new Map(Object.entries(Object.assign({}, D1_BORDERS)[table as keyof typeof D1_BORDERS] ?? {}));
      for (const column of layoutOf(table).columns) {
        const judged = Object.assign({}, column, { border: borders.get(column.name) });
        const by = Object.keys(how.set ?? {}).includes(column.name)
          ? "forced"
          : column.name in (how.sealed ?? {})
            ? "sealed"
            : keptOutBy(judged);
        place(`d1/${table}`, by, column.name);
      }
    }
    // A new table or column fails here until somebody has placed it.
    const shown = Object.entries(placed).map(([table, by]) => [table, shownPlaces(by)]);
    expect(Object.fromEntries(shown)).toEqual(PLACED);
  });
});
