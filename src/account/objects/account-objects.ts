import { asc, gt } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { campaigns, erasures, testRuns, webhooks } from "../../kernel/db/schema/index.ts";
import {
  accountDeletion,
  accountEvents,
  accountGate,
  accountMeter,
  campaignObject,
  conversationObject,
  erasureObject,
  idempotencyStores,
  ledgerVolume,
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
  /** The days on which the ledger's volumes begin, if the caller knows them; read from the account's row by default. */
  volumes?: readonly string[];
}

type StubOf<Binding extends ObjectBinding> = ReturnType<Env[Binding]["getByName"]>;

/** Some objects of a class, in a stable order; `next` is where the list continues, null at its end. */
export interface ObjectsPage<Stub> {
  stubs: Stub[];
  next: string | null;
}

type Listing<Stub> = (context: ObjectsContext, after: string) => Promise<ObjectsPage<Stub>>;
type Listings = { [Binding in ObjectBinding]: Listing<StubOf<Binding>> };

/** Objects listed at a time. */
const PAGE_ROWS = 500;

/**
 * Lists every object of an account, by class, a page at a time from D1 and the ledger. A class without a list does not
 * compile, and neither does one whose personal data and backup are undeclared. The deletion of an account empties the
 * classes in this order: those that report to others come first, and the ledger, which lists conversations, after those.
 * An object that is created during a walk may be missing.
 */
export const ACCOUNT_OBJECTS: Listings = {
  CAMPAIGN: listed(campaigns, campaignObject),
  TEST_RUN: listed(testRuns, testRunObject),
  // An object of a conversation whose turns are in R2 is empty.
  CONVERSATION: async (context, after) => {
    const { env, store } = context;
    const [from = "", id = ""] = after.split(" ");
    for (const day of (await daysOf(context)).filter((one) => one >= from)) {
      const rows = await ledgerVolume(env, store.account, day).heldConversations(day === from ? id : "", PAGE_ROWS);
      const stubs = rows.map(({ session_key }) => conversationObject(env, store.account, session_key));
      if (rows.length > 0) return { stubs, next: `${day} ${rows.at(-1)?.id}` };
    }
    return { stubs: [], next: null };
  },
  SANDBOX_CARRIER: once(({ env, store }) => [sandboxCarrier(env, store.account)]),
  RECORDING_INBOX: once(({ env, store }) => [recordingInbox(env, store.account)]),
  ERASURE: listed(erasures, erasureObject),
  IDEMPOTENCY_STORE: once(({ env, store }) => idempotencyStores(env, store.account)),
  ACCOUNT_LEDGER: once(async (context) => {
    const { env, store } = context;
    return (await daysOf(context)).map((day) => ledgerVolume(env, store.account, day));
  }),
  WEBHOOK: listed(webhooks, webhookObject),
  ACCOUNT_EVENTS: once(({ env, store }) => [accountEvents(env, store.account)]),
  ACCOUNT_METER: once(({ env, store }) => [accountMeter(env, store.account)]),
  ACCOUNT_GATE: once(({ env, store }) => [accountGate(env, store.account)]),
  ACCOUNT_DELETION: once(({ env, store }) => [accountDeletion(env, store.account)]),
};

/** The objects of a class one after the other. */
export async function* objectsOf<Binding extends ObjectBinding>(
  binding: Binding,
  context: ObjectsContext,
): AsyncGenerator<StubOf<Binding>> {
  for (let after: string | null = ""; after !== null; ) {
    const page: ObjectsPage<StubOf<Binding>> = await ACCOUNT_OBJECTS[binding](context, after);
    yield* page.stubs;
    after = page.next;
  }
}

async function daysOf({ env, store, volumes }: ObjectsContext): Promise<readonly string[]> {
  return volumes ?? new Ledger({ env, store }).days();
}

/** Objects that there are a fixed number of. */
function once<Stub>(list: (context: ObjectsContext) => Stub[] | Promise<Stub[]>): Listing<Stub> {
  return async (context) => ({ stubs: await list(context), next: null });
}

/** Objects with a row each in a table. */
function listed<Stub>(
  table: typeof campaigns | typeof erasures | typeof testRuns | typeof webhooks,
  stubOf: (env: Env, account: string, id: string) => Stub,
): Listing<Stub> {
  return async ({ env, store }, after) => {
    const [rows] = await store.read(
      store.select(table, {
        where: all(gt(table.id, after)),
        columns: ["id"],
        orderBy: [asc(table.id)],
        limit: PAGE_ROWS,
      }),
    );
    return { stubs: rows.map(({ id }) => stubOf(env, store.account, id)), next: rows.at(-1)?.id ?? null };
  };
}
