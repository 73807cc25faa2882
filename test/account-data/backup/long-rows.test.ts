import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { faqs } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";
import { take } from "./support.ts";

const MB = 1024 * 1024;

it("a backup of long rows reads no more of them than it sends in a page", async () => {
  const { account } = await tenant();
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const at = "2026-11-01T00:00:00.000Z";
  const ids = Array.from({ length: 30 }, () => crypto.randomUUID());
  for (const [n, id] of ids.entries())
    await store.record(
      store.insert(faqs, {
        id,
        name: `long_${n}`,
        title: "",
        summary: "",
        content: "x".repeat(256 * 1024),
        category: "general",
        tags: [],
        is_default: false,
        modified_from_default: false,
        created_at: at,
        updated_at: at,
      }),
    );
  const statement: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const { raw } = statement;
  let largest = 0;
  const spy = vi.spyOn(statement, "raw").mockImplementation(async function (this: D1PreparedStatement) {
    const rows = await raw.call(this);
    largest = Math.max(largest, JSON.stringify(rows).length);
    return rows;
  });
  const { pages } = await take(account);
  spy.mockRestore();
  const tables = pages.flatMap((page) => page.tables).filter(({ table }) => table === "faqs");
  const rows = tables.flatMap((one) => one.rows.map((row) => row[one.columns.indexOf("id")]));
  expect(rows).toEqual(expect.arrayContaining(ids));
  expect(new Set(rows).size).toBe(rows.length);
  expect(largest).toBeGreaterThan(MB / 2);
  expect(largest).toBeLessThan(2 * MB);
});
