import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { BUCKETS, D1_TABLES, DELETED_TABLES, OBJECTS } from "../../src/account-data/stores.ts";
import { migrate } from "../../src/kernel/durable/migrate.ts";
import type { PersonalData } from "../../src/kernel/personal-data.ts";
import type { ObjectBinding } from "../../src/kernel/stores/stores.ts";
import { BINDINGS, bound } from "../support/account-objects.ts";

/** Matches tables without application data: SQLite's own, the platform's, and the lists of migrations. */
const OWN = /^(sqlite_|_cf_|d1_migrations$|migrations$|migration_hashes$)/;
const COLUMNS = `SELECT t.name "table", c.name "column" FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`;

type Column = { table: string; column: string };

/** Groups the columns by table. */
function tablesOf(columns: Column[]): Map<string, string[]> {
  const own = columns.filter(({ table }) => !OWN.test(table));
  return new Map(
    [...Map.groupBy(own, ({ table }) => table)].map(([table, of]) => [table, of.map((one) => one.column)]),
  );
}

/** Returns the tables of an object of the class that has run every step of its schema. */
function objectTables(binding: ObjectBinding): Promise<Map<string, string[]>> {
  // An object of no account, which no other test uses.
  const stub = env[binding].getByName(`no-account/${crypto.randomUUID()}`);
  return runInDurableObject(stub as DurableObjectStub, (_, { storage }) => {
    const steps = OBJECTS[binding].migrations;
    if (steps.length > 0) migrate(storage, steps, Date.now());
    return tablesOf(storage.sql.exec<Column>(COLUMNS).toArray());
  });
}

async function d1Tables(): Promise<Map<string, string[]>> {
  const names = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  const own = names.results.map(({ name }) => name).filter((name) => !OWN.test(name));
  const columns = await env.DB.batch<{ name: string }>(own.map((name) => env.DB.prepare(`PRAGMA table_info(${name})`)));
  return new Map(own.map((name, n) => [name, columns[n]?.results.map((column) => column.name) ?? []]));
}

function expectDeclared(tables: Map<string, string[]>, declared: Readonly<Record<string, PersonalData>>): void {
  expect(Object.keys(declared).sort()).toEqual([...tables.keys()].sort());
  for (const [table, data] of Object.entries(declared)) {
    if ("nobody" in data) expect(data.nobody.length, table).toBeGreaterThan(5);
    else {
      const { by, columns = [], mentions = [] } = data;
      expect(Math.min(by.length, columns.length + mentions.length), table).toBeGreaterThan(0);
      expect(tables.get(table), table).toEqual(expect.arrayContaining([...columns, ...mentions]));
    }
  }
}

/** Checks whether an erasure must search the table for the person, because the ledger does not lead to it. */
const isSearched = (data: PersonalData) => "by" in data && data.by.includes("text");

describe("the list of stores", () => {
  it("has every bound store, and no binding is missing", () => {
    expect(Object.keys(OBJECTS).sort()).toEqual(BINDINGS);
    expect(Object.keys(BUCKETS).sort()).toEqual(bound("R2Bucket"));
    expect(bound("D1Database")).toEqual(["DB"]);
    // Bindings that store nothing, and two that only the test runner binds.
    const others = [
      "Fetcher",
      "RateLimit",
      "Ratelimit",
      "String",
      "Array",
      "UnsafeEval",
      "ColoLocalActorNamespace",
      "WorkerLoader",
    ];
    const stores = ["R2Bucket", "DurableObjectNamespace", "D1Database"];
    const kinds = new Set(Object.values(env).map((value) => value?.constructor?.name ?? ""));
    expect([...kinds].filter((kind) => ![...stores, ...others].includes(kind))).toEqual([]);
  });

  it.each(BINDINGS)(
    "the list of stores has every table of %s with the columns that identify a person",
    async (binding) => {
      expectDeclared(await objectTables(binding), OBJECTS[binding].tables);
    },
  );

  it("has every table of D1 with the columns that identify a person", async () => {
    expectDeclared(await d1Tables(), D1_TABLES);
  });

  it("has a sweep for each store in which a number may be mentioned", () => {
    for (const [table, rules] of Object.entries(D1_TABLES))
      if (isSearched(rules)) expect([table, "sweeps" in rules]).toEqual([table, true]);
    // A conversation's outbox is deleted together with the conversation's object.
    for (const [binding, { tables, ...erasure }] of Object.entries(OBJECTS))
      if (binding !== "CONVERSATION" && Object.values(tables).some(isSearched))
        expect([binding, "sweeps" in erasure]).toEqual([binding, true]);
  });

  it("has an account in each table of D1 whose rows the deletion of an account deletes", async () => {
    const tables = await d1Tables();
    for (const table of DELETED_TABLES) expect(tables.get(table), table).toContain("account");
  });

  it("has each D1 table after the tables that it references", async () => {
    const names = Object.keys(D1_TABLES);
    for (const table of DELETED_TABLES) {
      const { results } = await env.DB.prepare(`PRAGMA foreign_key_list(${table})`).all<{ table: string }>();
      for (const { table: parent } of results.filter((one) => one.table !== "accounts"))
        expect([table, parent, names.indexOf(table) > names.indexOf(parent)]).toEqual([table, parent, true]);
    }
  });
});
