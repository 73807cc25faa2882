import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ERASURE_MIGRATIONS } from "../../../src/account/erasures/job-store.ts";
import { GATE_MIGRATIONS } from "../../../src/account/gate/migrations.ts";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { ACCOUNT_OBJECTS, type ObjectBinding } from "../../../src/account/objects/account-objects.ts";
import { CAMPAIGN_MIGRATIONS } from "../../../src/campaign/store/migrations.ts";
import { CONVERSATION_MIGRATIONS } from "../../../src/conversation/runtime/store/migrations.ts";
import { TEST_RUN_MIGRATIONS } from "../../../src/conversation/test-runs/run-store.ts";
import { D1_PERSONAL_DATA } from "../../../src/kernel/db/personal-data.ts";
import { type Migration, migrate } from "../../../src/kernel/durable/migrate.ts";
import { IDEMPOTENCY_MIGRATIONS } from "../../../src/kernel/idempotency/migrations.ts";
import type { PersonalTables } from "../../../src/kernel/personal-data.ts";
import { BUCKET_PERSONAL_DATA, OBJECT_PERSONAL_DATA } from "../../../src/personal-data.ts";
import { SANDBOX_MIGRATIONS } from "../../../src/phone/carriers/sandbox-calls.ts";
import { INBOX_MIGRATIONS } from "../../../src/phone/recordings/inbox-ledger.ts";
import { EVENTS_MIGRATIONS } from "../../../src/records/events/migrations.ts";
import { LEDGER_MIGRATIONS } from "../../../src/records/ledger/migrations.ts";
import { WEBHOOK_MIGRATIONS } from "../../../src/records/webhooks/object/migrations.ts";

const OBJECT_MIGRATIONS: Record<ObjectBinding, readonly Migration[]> = {
  ACCOUNT_GATE: GATE_MIGRATIONS,
  ACCOUNT_METER: METER_MIGRATIONS,
  ACCOUNT_LEDGER: LEDGER_MIGRATIONS,
  ACCOUNT_EVENTS: EVENTS_MIGRATIONS,
  CAMPAIGN: CAMPAIGN_MIGRATIONS,
  SANDBOX_CARRIER: SANDBOX_MIGRATIONS,
  RECORDING_INBOX: INBOX_MIGRATIONS,
  CONVERSATION: CONVERSATION_MIGRATIONS,
  ERASURE: ERASURE_MIGRATIONS,
  IDEMPOTENCY_STORE: IDEMPOTENCY_MIGRATIONS,
  TEST_RUN: TEST_RUN_MIGRATIONS,
  WEBHOOK: WEBHOOK_MIGRATIONS,
  // Stores nothing but its alarm.
  ACCOUNT_DELETION: [],
};
const BINDINGS = Object.keys(ACCOUNT_OBJECTS) as ObjectBinding[];
/** Tables that hold no data of ours: SQLite's own, the platform's, and the list of D1's migrations. */
const OWN = /^(sqlite_|_cf_|d1_migrations$|migration_hashes$)/;
const COLUMNS = `SELECT t.name "table", c.name "column" FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`;

type Column = { table: string; column: string };

/** The columns of each table. */
function tablesOf(columns: Column[]): Map<string, string[]> {
  const own = columns.filter(({ table }) => !OWN.test(table));
  return new Map(
    [...Map.groupBy(own, ({ table }) => table)].map(([table, of]) => [table, of.map((one) => one.column)]),
  );
}

/** The tables of an object of the class that has run every step of its schema. */
function objectTables(binding: ObjectBinding): Promise<Map<string, string[]>> {
  // One of no account, which no other test reaches.
  const stub = env[binding].getByName(`no-account/${crypto.randomUUID()}`);
  return runInDurableObject(stub as DurableObjectStub, (_, { storage }) => {
    const steps = OBJECT_MIGRATIONS[binding];
    if (steps.length > 0) migrate(storage, steps, Date.now());
    return tablesOf(storage.sql.exec<Column>(COLUMNS).toArray());
  });
}

function expectDeclared(tables: Map<string, string[]>, declared: PersonalTables): void {
  expect(Object.keys(declared).sort()).toEqual([...tables.keys()].sort());
  for (const [table, data] of Object.entries(declared))
    if ("columns" in data) expect(tables.get(table), table).toEqual(expect.arrayContaining([...data.columns]));
}

describe("how a person is found", () => {
  it("is declared for every table of D1", async () => {
    const names = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
    const own = names.results.map(({ name }) => name).filter((name) => !OWN.test(name));
    const columns = await env.DB.batch<{ name: string }>(
      own.map((name) => env.DB.prepare(`PRAGMA table_info(${name})`)),
    );
    const tables = new Map(own.map((name, n) => [name, columns[n]?.results.map((column) => column.name) ?? []]));
    expectDeclared(tables, D1_PERSONAL_DATA);
  });

  it.each(BINDINGS)("is declared for every table of %s", async (binding) => {
    expectDeclared(await objectTables(binding), OBJECT_PERSONAL_DATA[binding]);
  });

  it("is declared for every bucket and object class that is bound, and nothing else that stores is", () => {
    const kinds = Map.groupBy(Object.entries(env), ([, value]) => value?.constructor?.name ?? "");
    const bound = (kind: string) => (kinds.get(kind) ?? []).map(([name]) => name).sort();
    expect(bound("R2Bucket")).toEqual(Object.keys(BUCKET_PERSONAL_DATA).sort());
    expect(bound("DurableObjectNamespace")).toEqual(Object.keys(OBJECT_PERSONAL_DATA).sort());
    expect(bound("D1Database")).toEqual(["DB"]);
    // Those that store nothing, and two that only the test runner binds.
    const others = ["Fetcher", "RateLimit", "Ratelimit", "String", "Array", "UnsafeEval", "ColoLocalActorNamespace"];
    const stores = ["R2Bucket", "DurableObjectNamespace", "D1Database"];
    expect([...kinds.keys()].filter((kind) => ![...stores, ...others].includes(kind))).toEqual([]);
  });

  it("declares what an erasure looks for, or why there is no person in it", () => {
    const all = [D1_PERSONAL_DATA, ...Object.values(OBJECT_PERSONAL_DATA)].flatMap((tables) => Object.entries(tables));
    for (const [table, data] of all) {
      if ("nobody" in data) expect(data.nobody.length, table).toBeGreaterThan(5);
      else expect(Math.min(data.by.length, data.columns.length), table).toBeGreaterThan(0);
    }
  });
});
