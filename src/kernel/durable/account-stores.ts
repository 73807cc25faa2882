import { AccountStore, type Author } from "../db/account-store.ts";
import { type AccountDatabase, drizzleOver } from "../db/batch.ts";
import { directly } from "../observing/observed-d1.ts";
import { accountGate } from "./objects.ts";

export type StoreBindings = Pick<Env, "DB" | "ACCOUNT_GATE">;

type D1 = Pick<D1Database, "prepare" | "batch">;

/** One instance per database, because building it costs more than a query. */
const built = new WeakMap<D1, AccountDatabase["db"]>();

/** Returns Drizzle over a database on which it runs batches directly. */
export function drizzleOn(d1: D1): AccountDatabase["db"] {
  const existing = built.get(d1);
  if (existing) return existing;
  const db = drizzleOver(directly(d1));
  built.set(d1, db);
  return db;
}

/** Returns an account's database. Reads and internal writes go to D1, and changes of configuration through the gate. */
export function accountDatabase(env: StoreBindings, account: string, d1: D1 = env.DB): AccountDatabase {
  return { db: drizzleOn(d1), configure: (batch) => accountGate(env, account).configure(batch) };
}

/**
 * Returns the store of a verified account: that of a principal, a carrier's webhook, a visitor's token or an object of
 * the account. With `nearby` it reads the closest replica, which may lag. Use that for reads that may be cached, never
 * for admission.
 */
export function accountStore(
  env: StoreBindings,
  account: string,
  author: Author,
  copy: "latest" | "nearby" = "latest",
): AccountStore {
  const d1 = copy === "nearby" ? env.DB.withSession("first-unconstrained") : env.DB;
  return new AccountStore(accountDatabase(env, account, d1), account, author);
}
