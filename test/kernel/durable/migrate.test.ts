import { describe, expect, it } from "vitest";
import { firstStep, hasTable, type Migration, migrate } from "../../../src/kernel/durable/migrate.ts";
import { inObject } from "../../campaign/world/virtual-world.ts";

const NOW = Date.UTC(2026, 10, 21);
const FIRST: Migration = { id: "first", sql: "CREATE TABLE a (x INTEGER)" };
const SECOND: Migration = { id: "second", sql: "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1" };
const BROKEN: Migration = { id: "broken", sql: "CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1)" };

const applied = ({ sql }: DurableObjectStorage) =>
  sql
    .exec<{ id: string }>("SELECT id FROM migrations ORDER BY n")
    .toArray()
    .map(({ id }) => id);

/** Returns the message for an object that was made by a step, or has a table, of another version. */
const refusal = (made: string) =>
  `this object was stored by another version of the service (${made}), from before release 0.3.0 or newer than this one: on your machine, delete the state (STATE_DIR, or else .wrangler/state) and start again; in a deployment, deploy the version that stored it`;

describe("migrate", () => {
  it("runs the missing steps once each, in order", () =>
    inObject((storage) => {
      migrate(storage, [FIRST], NOW);
      storage.sql.exec("INSERT INTO a VALUES (1)");
      migrate(storage, [FIRST, SECOND], NOW);
      migrate(storage, [FIRST, SECOND], NOW);
      expect(applied(storage)).toEqual(["first", "second"]);
      expect(storage.sql.exec("SELECT x, y FROM a").toArray()).toEqual([{ x: 1, y: 2 }]);
    }));

  it("refuses tables from before steps were recorded, and keeps them", () =>
    inObject((storage) => {
      storage.sql.exec("CREATE TABLE call_leases (x INTEGER); INSERT INTO call_leases VALUES (7)");
      expect(() => migrate(storage, [FIRST], NOW)).toThrow(refusal("call_leases"));
      expect(hasTable(storage, "migrations")).toBe(false);
      expect(storage.sql.exec("SELECT x FROM call_leases").toArray()).toEqual([{ x: 7 }]);
    }));

  it("refuses an object from before release 0.3.0, and keeps it", () =>
    inObject((storage) => {
      storage.sql.exec(
        "CREATE TABLE migrations (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL); INSERT INTO migrations VALUES (0, 'first-tables', 1)",
      );
      expect(() => migrate(storage, [firstStep("CREATE TABLE a (x INTEGER)")], NOW)).toThrow(refusal("first-tables"));
      expect(applied(storage)).toEqual(["first-tables"]);
      expect(hasTable(storage, "a")).toBe(false);
    }));

  it("changes nothing if a step fails", () =>
    inObject((storage) => {
      migrate(storage, [FIRST], NOW);
      expect(() => migrate(storage, [FIRST, SECOND, BROKEN], NOW)).toThrow();
      expect(applied(storage)).toEqual(["first"]);
      expect(storage.sql.exec("SELECT * FROM a").columnNames).toEqual(["x"]);
      expect(hasTable(storage, "b")).toBe(false);
    }));

  it.each<[string, Migration[], string]>([
    ["moved", [SECOND, FIRST], "first"],
    ["renamed", [FIRST, { ...SECOND, id: "other" }], "second"],
    ["taken out", [SECOND], "first"],
    ["changed", [FIRST, { ...SECOND, sql: `${SECOND.sql} + 1` }], "second"],
  ])("a history in which a step was %s is refused", (_, steps, step) =>
    inObject((storage) => {
      migrate(storage, [FIRST, SECOND], NOW);
      expect(() => migrate(storage, steps, NOW)).toThrow(refusal(step));
      expect(applied(storage)).toEqual(["first", "second"]);
    }),
  );

  it("leaves an object unchanged that a newer release has migrated further", () =>
    inObject((storage) => {
      migrate(storage, [FIRST, SECOND], NOW);
      migrate(storage, [FIRST], NOW);
      expect(applied(storage)).toEqual(["first", "second"]);
    }));
});
