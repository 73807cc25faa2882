import { asc, gt } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { campaigns, erasures, testRuns, webhooks } from "../../kernel/db/schema/index.ts";
import {
  accountEvents,
  accountGate,
  accountMeter,
  campaignObject,
  conversationObject,
  erasureObject,
  idempotencyStores,
  recordingInbox,
  sandboxCarrier,
  testRunObject,
  webhookObject,
} from "../../kernel/durable/objects.ts";
import { Ledger } from "../../records/ledger/ledger.ts";

/** The name of each Durable Object class's binding. */
export type ObjectBinding = {
  [Name in keyof Env]: Env[Name] extends { getByName(name: string): unknown } ? Name : never;
}[keyof Env];

export interface ObjectsContext {
  env: Env;
  store: Pick<AccountStore, "account" | "read" | "select" | "ledgerDays">;
}

type StubOf<Binding extends ObjectBinding> = ReturnType<Env[Binding]["getByName"]>;
type Listings = { [Binding in ObjectBinding]: (context: ObjectsContext) => AsyncGenerator<StubOf<Binding>> };

/** Rows of a list read at a time. */
const PAGE_ROWS = 500;

/**
 * Lists every object of an account, by class, from D1 and the ledger. A class without a list does not compile, and
 * neither does one whose personal data and backup are undeclared. Tests walk these lists to search all that an account
 * stores; erasures and backups visit the objects in steps of their own, which can be resumed. An object that is created
 * during a walk may be missing.
 */
export const ACCOUNT_OBJECTS: Listings = {
  ACCOUNT_GATE: each(({ env, store }) => [accountGate(env, store.account)]),
  ACCOUNT_METER: each(({ env, store }) => [accountMeter(env, store.account)]),
  ACCOUNT_EVENTS: each(({ env, store }) => [accountEvents(env, store.account)]),
  SANDBOX_CARRIER: each(({ env, store }) => [sandboxCarrier(env, store.account)]),
  RECORDING_INBOX: each(({ env, store }) => [recordingInbox(env, store.account)]),
  IDEMPOTENCY_STORE: each(({ env, store }) => idempotencyStores(env, store.account)),
  ACCOUNT_LEDGER: async function* (context) {
    yield* await new Ledger(context).volumes();
  },
  CAMPAIGN: async function* ({ env, store }) {
    for await (const { id } of pages((after) => pageOf(store, campaigns, after)))
      yield campaignObject(env, store.account, id);
  },
  ERASURE: async function* ({ env, store }) {
    for await (const { id } of pages((after) => pageOf(store, erasures, after)))
      yield erasureObject(env, store.account, id);
  },
  WEBHOOK: async function* ({ env, store }) {
    for await (const { id } of pages((after) => pageOf(store, webhooks, after)))
      yield webhookObject(env, store.account, id);
  },
  TEST_RUN: async function* ({ env, store }) {
    for await (const { id } of pages((after) => pageOf(store, testRuns, after)))
      yield testRunObject(env, store.account, id);
  },
  // An object of a conversation whose turns are in R2 is empty.
  CONVERSATION: async function* (context) {
    for (const volume of await new Ledger(context).volumes())
      for await (const { session_key } of pages((after) => volume.heldConversations(after, PAGE_ROWS)))
        yield conversationObject(context.env, context.store.account, session_key);
  },
};

function each<Stub>(list: (context: ObjectsContext) => Stub[]): (context: ObjectsContext) => AsyncGenerator<Stub> {
  return async function* (context) {
    yield* list(context);
  };
}

async function pageOf(
  store: ObjectsContext["store"],
  table: typeof campaigns | typeof erasures | typeof testRuns | typeof webhooks,
  after: string,
): Promise<{ id: string }[]> {
  const [rows] = await store.read(
    store.select(table, {
      where: all(gt(table.id, after)),
      columns: ["id"],
      orderBy: [asc(table.id)],
      limit: PAGE_ROWS,
    }),
  );
  return rows;
}

/** The rows of all pages, each page read after the last id of the one before. */
async function* pages<Row extends { id: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows: Row[] = await read(after);
    yield* rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.id;
  }
}
