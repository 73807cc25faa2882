import { describe, expect, it } from "vitest";
import { hasTable, type Migration, migrate } from "../../../src/kernel/durable/migrate.ts";
import { inObject } from "../../campaign/world/virtual-world.ts";

const NOW = Date.UTC(2026, 10, 21);
const FIRST: Migration = { id: "first", sql: "CREATE TABLE IF NOT EXISTS a (x INTEGER)" };
const SECOND: Migration = { id: "second", sql: "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1" };
const BROKEN: Migration = { id: "broken", sql: "CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1)" };

const applied = ({ sql }: DurableObjectStorage) =>
  sql
    .exec<{ id: string }>("SELECT id FROM migrations ORDER BY n")
    .toArray()
    .map(({ id }) => id);

describe("migrate", () => {
  it("runs the steps that are missing, once each and in order", () =>
    inObject((storage) => {
      migrate(storage, [FIRST], NOW);
      storage.sql.exec("INSERT INTO a VALUES (1)");
      migrate(storage, [FIRST, SECOND], NOW);
      migrate(storage, [FIRST, SECOND], NOW);
      expect(applied(storage)).toEqual(["first", "second"]);
      expect(storage.sql.exec("SELECT x, y FROM a").toArray()).toEqual([{ x: 1, y: 2 }]);
    }));

  it("adopts tables of the time before steps were recorded", () =>
    inObject((storage) => {
      storage.sql.exec("CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7)");
      migrate(storage, [FIRST, SECOND], NOW);
      expect(storage.sql.exec("SELECT x, y FROM a").toArray()).toEqual([{ x: 7, y: 8 }]);
    }));

  it("leaves the object as it was where a step fails", () =>
    inObject((storage) => {
      migrate(storage, [FIRST], NOW);
      expect(() => migrate(storage, [FIRST, SECOND, BROKEN], NOW)).toThrow();
      expect(applied(storage)).toEqual(["first"]);
      expect(storage.sql.exec("SELECT * FROM a").columnNames).toEqual(["x"]);
      expect(hasTable(storage, "b")).toBe(false);
    }));

  it.each<[string, Migration[]]>([
    ["moved", [SECOND, FIRST]],
    ["renamed", [FIRST, { ...SECOND, id: "other" }]],
    ["taken out", [SECOND]],
  ])("refuses a history in which a step was %s", (_, steps) =>
    inObject((storage) => {
      migrate(storage, [FIRST, SECOND], NOW);
      expect(() => migrate(storage, steps, NOW)).toThrow(/migration \d was/);
    }),
  );

  it("leaves an object alone that a newer release has migrated further", () =>
    inObject((storage) => {
      migrate(storage, [FIRST, SECOND], NOW);
      migrate(storage, [FIRST], NOW);
      expect(applied(storage)).toEqual(["first", "second"]);
    }));
});
