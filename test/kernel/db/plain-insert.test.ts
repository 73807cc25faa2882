import { getTableColumns, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { drizzleOver } from "../../../src/kernel/db/batch.ts";
import { plainInsert } from "../../../src/kernel/db/plain-insert.ts";
import { agentPrompts, agents, privacySettings } from "../../../src/kernel/db/schema/index.ts";

const db = drizzleOver(async () => []);
/** Names every column, because the query builder writes the defaults of the others into the text. */
const prompt = {
  account: "acme",
  id: "1",
  agent_id: "2",
  version: 1,
  system_prompt: "Be brief.",
  created_by: "owner",
  created_at: "2026-11-29T00:00:00.000Z",
};
const built = db.insert(agentPrompts).values(prompt).toSQL();

describe("a plain insert", () => {
  it("a plain insert has the text and parameters that the query builder makes", () => {
    expect(plainInsert(agentPrompts, prompt)?.getQuery()).toEqual(built);
  });

  it("a plain insert runs in a batch beside statements of the query builder", async () => {
    const sent: unknown[] = [];
    const batch = drizzleOver(async (statements) => {
      sent.push(...statements);
      return statements.map(() => ({ results: [] })) as unknown as D1Result[];
    });
    const insert = plainInsert(agentPrompts, prompt);
    await batch.batch([insert, batch.select({ id: agentPrompts.id }).from(agentPrompts)] as never);
    expect(sent).toEqual([built, { sql: 'select "id" from "agent_prompts"', params: [] }]);
  });

  it("a column without a value gets the default that it has in the schema, or null", () => {
    const insert = plainInsert(agents, { account: "acme", id: "1", disclosure: "none" });
    const stored = new Map(Object.keys(getTableColumns(agents)).map((key, i) => [key, insert?.getQuery().params[i]]));
    expect([stored.get("disclosure"), stored.get("revision"), stored.get("description")]).toEqual(['"none"', 1, null]);
  });

  it("a row with an expression is left to the query builder", () => {
    expect(plainInsert(agentPrompts, { ...prompt, system_prompt: sql`upper('brief')` })).toBeNull();
  });

  it("a table whose defaults are computed is left to the query builder", () => {
    expect(plainInsert(privacySettings, { account: "acme" })).toBeNull();
  });
});
