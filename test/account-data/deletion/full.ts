import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { DELETED_TABLES } from "../../../src/account-data/stores.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import { audioKey } from "../../../src/phone/recordings/audio-store.ts";
import { conversation } from "../../records/ledger/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { ledgerOf } from "../../support/ledger.ts";
import { planted } from "../erasures/planted.ts";
import { erased, newNumber } from "../erasures/support.ts";
import { idsOf } from "./support.ts";

/**
 * Creates an account with a row in every table of D1 and of every object, a key in every object, and files in every
 * bucket.
 */
export async function fullAccount(): Promise<Tenant> {
  const who = await tenant();
  const { account, server, user } = who;
  await planted(who, newNumber());
  await erased(who, { visitor_id: `nobody-${crypto.randomUUID()}` });
  await user.post("/api/v1/webhooks", { url: "https://example.com/hook", types: ["call.*"] });
  await server.post("/api/v1/agents", { name: "Ann" });
  await ledgerOf({ account }).report([
    { part: "conversation", row: conversation(newId(), { session_key: crypto.randomUUID() }) },
  ]);
  await env.RECORDINGS.put(audioKey(account, newId()), "audio");
  for (const table of DELETED_TABLES.toReversed()) await fillTable(account, table);
  for (const [binding, id] of await idsOf(account)) {
    if (id.equals(accountDeletion(env, account).id)) continue;
    const stub = env[binding].get(id as never) as DurableObjectStub;
    await runInDurableObject(stub, (_, { storage }) => fillObject(account, storage));
  }
  return who;
}

interface Column {
  name: string;
  type: string;
  pk: number;
}

/** Adds a row, with valid references, to a table of D1 in which the account has none. */
async function fillTable(account: string, table: string): Promise<void> {
  const own = await env.DB.prepare(`SELECT 1 FROM ${table} WHERE account = ?`).bind(account).first();
  if (own) return;
  const { results: columns } = await env.DB.prepare(`PRAGMA table_info(${table})`).all<Column>();
  const { results: references } = await env.DB.prepare(`PRAGMA foreign_key_list(${table})`).all<{
    table: string;
    from: string;
    to: string;
  }>();
  const values: unknown[] = [];
  for (const { name, type } of columns) {
    const reference = references.find(({ from, table: to }) => from === name && to !== "accounts");
    if (name === "account") values.push(account);
    else if (reference) {
      const query = `SELECT ${reference.to} AS value FROM ${reference.table} WHERE account = ?`;
      values.push((await env.DB.prepare(query).bind(account).first<{ value: unknown }>())?.value ?? null);
    } else
      values.push(
        type.toLowerCase() === "text"
          ? name.endsWith("_at") && name !== "warn_at"
            ? "2026-11-01T00:00:00.000Z"
            : "[]"
          : 1,
      );
  }
  const places = columns.map(() => "?").join(", ");
  await env.DB.prepare(`INSERT INTO ${table} VALUES (${places})`)
    .bind(...values)
    .run();
}

/** Adds a row to each empty table of an object, and a key. */
function fillObject(account: string, { sql, kv }: DurableObjectStorage): void {
  kv.put("of", account);
  const tables = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
    )
    .toArray();
  for (const { name } of tables) {
    if (sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`).toArray().length > 0) continue;
    const columns = sql.exec<Column & Record<string, SqlStorageValue>>(`PRAGMA table_info("${name}")`).toArray();
    const parents = sql
      .exec<{ table: string; from: string; to: string }>(`PRAGMA foreign_key_list("${name}")`)
      .toArray()
      .map(({ table, from, to }) => [from, sql.exec(`SELECT "${to}" AS value FROM "${table}"`).toArray()[0]?.value]);
    const found = new Map(parents as [string, SqlStorageValue][]);
    const made = (column: Column) => (column.type === "TEXT" ? account : column.name === "n" ? 0 : 1);
    const values = columns.map((column) => found.get(column.name) ?? made(column));
    sql.exec(`INSERT OR IGNORE INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`, ...values);
  }
}
