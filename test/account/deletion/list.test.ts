import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ACCOUNT_BUCKETS } from "../../../src/account/objects/account-buckets.ts";
import { ACCOUNT_TABLES, KEPT_TABLES } from "../../../src/kernel/db/account-tables.ts";
import { BUCKET_PERSONAL_DATA, OBJECT_PERSONAL_DATA } from "../../../src/personal-data.ts";
import { BINDINGS } from "./support.ts";

const bound = (kind: string) =>
  Object.entries(env)
    .filter(([, value]) => value?.constructor?.name === kind)
    .map(([name]) => name)
    .sort();

describe("what the deletion of an account goes through", () => {
  it("has every table of D1, each with its account, but those that are kept for a reason", async () => {
    const all = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'",
    ).all<{ name: string }>();
    const names = all.results.map(({ name }) => name).sort();
    expect([...ACCOUNT_TABLES, ...Object.keys(KEPT_TABLES)].sort()).toEqual(names);
    for (const table of ACCOUNT_TABLES) {
      const { results } = await env.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
      expect([table, results.some(({ name }) => name === "account")]).toEqual([table, true]);
    }
  });

  it("has a table only after all that refer to it", async () => {
    for (const table of ACCOUNT_TABLES) {
      const { results } = await env.DB.prepare(`PRAGMA foreign_key_list(${table})`).all<{ table: string }>();
      for (const { table: parent } of results)
        if (parent !== "accounts")
          expect([
            table,
            parent,
            ACCOUNT_TABLES.indexOf(table as never) < ACCOUNT_TABLES.indexOf(parent as never),
          ]).toEqual([table, parent, true]);
    }
  });

  it("has every class of objects and every bucket that is bound, as erasures and backups do", () => {
    expect(BINDINGS.toSorted()).toEqual(bound("DurableObjectNamespace"));
    expect(Object.keys(OBJECT_PERSONAL_DATA).sort()).toEqual(BINDINGS.toSorted());
    expect(Object.keys(ACCOUNT_BUCKETS).sort()).toEqual(bound("R2Bucket"));
    expect(Object.keys(BUCKET_PERSONAL_DATA).sort()).toEqual(Object.keys(ACCOUNT_BUCKETS).sort());
  });
});
