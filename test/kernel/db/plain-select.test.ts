import { and, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { describe, expect, it } from "vitest";
import { drizzleOver } from "../../../src/kernel/db/batch.ts";
import { plainSelect } from "../../../src/kernel/db/plain-select.ts";
import { agents, auditLog, widgetKeys } from "../../../src/kernel/db/schema/index.ts";

/** A row of `agents` as D1 stores it. */
const stored = Object.fromEntries(
  Object.values(getTableColumns(agents)).map(({ name, dataType }) => [
    name,
    { json: "[1]", number: 7, boolean: 1 }[dataType as string] ?? (name === "template_id" ? null : "text"),
  ]),
);
const db = drizzleOver(async (statements) => statements.map(() => ({ results: [stored] })) as unknown as D1Result[]);

describe("a plain select", () => {
  it("a plain select has the text and parameters that the query builder makes", () => {
    const page = { orderBy: [desc(auditLog.at), desc(auditLog.id)], limit: 51, offset: 2 };
    const where = and(eq(auditLog.account, "acme"), sql`(${auditLog.at}, ${auditLog.id}) < (${"2026"}, ${"1"})`);
    const built = db.select().from(auditLog).where(where);
    const paged = built.orderBy(...page.orderBy).limit(51);
    expect(plainSelect(auditLog, undefined, { where, ...page }).getQuery()).toEqual(paged.offset(2).toSQL());
  });

  it("a plain select of some columns names only these", () => {
    const where = inArray(widgetKeys.id, sql`(SELECT id FROM agents WHERE account = ${"acme"})`);
    const built = db.select({ limits: widgetKeys.limits, hash: widgetKeys.hash }).from(widgetKeys).where(where);
    expect(plainSelect(widgetKeys, ["limits", "hash"], { where }).getQuery()).toEqual(built.toSQL());
  });

  it("a plain select returns the rows that the query builder returns", async () => {
    const where = eq(agents.account, "acme");
    const plain = plainSelect(agents, undefined, { where }) as unknown as BatchItem<"sqlite">;
    const [rows, expected] = await db.batch([plain, db.select().from(agents).where(where)]);
    expect(rows).toEqual(expected);
    expect(expected[0]).toMatchObject({ languages: [1], template_id: null });
  });

  it("a column that the table does not have cannot be selected", () => {
    expect(() => plainSelect(agents, ["nothing"], { where: undefined })).toThrow("there is no column nothing");
  });
});
