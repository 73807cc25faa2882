import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, it } from "vitest";
import { type LocalDatabase, migrate } from "../../../src/dev/migrate.ts";
import { hashOfMigration, migrationFiles } from "../../../src/dev/migration-files.ts";

/**
 * Creates a database whose connection breaks off at some batches: either before they are carried out or before they are
 * answered.
 */
function breaking(sqlite: DatabaseSync, when: (batch: number) => "before" | "after" | null): LocalDatabase {
  let batches = 0;
  const lost = () => new TypeError("fetch failed");
  const prepare = (sql: string, params: SQLInputValue[] = []) => ({
    bind: (...more: SQLInputValue[]) => prepare(sql, more),
    // A text of several statements has no parameters.
    run: async () => (params.length > 0 ? sqlite.prepare(sql).run(...params) : sqlite.exec(sql)),
    all: async () => ({ results: sqlite.prepare(sql).all(...params) }),
    first: async () => sqlite.prepare(sql).get(...params) ?? null,
  });
  const batch = async (statements: { run(): Promise<unknown> }[]) => {
    const breaks = when(++batches);
    if (breaks === "before") throw lost();
    for (const statement of statements) await statement.run();
    if (breaks === "after") throw lost();
  };
  const database: unknown = { prepare, batch };
  return database as LocalDatabase;
}

it("migrating continues after a lost connection to the database, and applies nothing twice", async () => {
  const [whole, broken] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  await migrate(breaking(whole, () => null));
  await migrate(breaking(broken, (batch) => (batch === 1 ? "before" : batch === 2 ? "after" : null)));
  const names = (sqlite: DatabaseSync) => sqlite.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  expect(names(broken)).toEqual(names(whole));
  expect(names(whole)).toHaveLength((await migrationFiles()).length);
});

it("the hash of each migration is recorded, also of one that wrangler has applied", async () => {
  const sqlite = new DatabaseSync(":memory:");
  const database = breaking(sqlite, () => null);
  await migrate(database);
  const hashes = () => sqlite.prepare("SELECT name, hash FROM migration_hashes ORDER BY name").all();
  const recorded = hashes();
  expect(recorded).toEqual((await migrationFiles()).map(({ name, hash }) => ({ name, hash })));
  sqlite.exec("DELETE FROM migration_hashes WHERE name = '0000_release_0_3.sql'");
  await migrate(database);
  expect(hashes()).toEqual(recorded);
});

it("migrating refuses a database that was migrated by a file that has changed since", async () => {
  const sqlite = new DatabaseSync(":memory:");
  const database = breaking(sqlite, () => null);
  await migrate(database);
  sqlite.exec("UPDATE migration_hashes SET hash = 'other' WHERE name = '0000_release_0_3.sql'");
  await expect(migrate(database)).rejects.toThrow(
    /^0000_release_0_3\.sql changed after they were applied to the state in .* delete that state/,
  );
});

it("a migration is recognized by its text with any line endings", () => {
  expect(hashOfMigration("a;\r\nb;\r\n")).toBe(hashOfMigration("a;\nb;\n"));
  expect(hashOfMigration("a;\nb;\n")).not.toBe(hashOfMigration("a;\nc;\n"));
});

it("migrating stops after a limit of retries, and at once if a migration fails", async () => {
  await expect(migrate(breaking(new DatabaseSync(":memory:"), () => "before"))).rejects.toThrow("fetch failed");
  const other = new DatabaseSync(":memory:");
  other.exec("CREATE TABLE accounts (name TEXT)");
  await expect(migrate(breaking(other, () => null))).rejects.toThrow(/accounts/);
});

it("every statement of a migration is applied", async () => {
  const sqlite = new DatabaseSync(":memory:");
  await migrate(breaking(sqlite, () => null));
  const created = (await migrationFiles()).flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE `(\w+)`/gm)]);
  const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  expect(created.length).toBeGreaterThan(10);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(created.map(([, name]) => name)));
});
