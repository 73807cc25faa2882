import { AccountStore, type Author } from "../db/account-store.ts";
import { type AccountDatabase, directly } from "../db/batch.ts";
import { accountGate } from "./objects.ts";

export type StoreBindings = Pick<Env, "DB" | "ACCOUNT_GATE">;

/** Returns an account's database: reads and bookkeeping go to D1, changes of configuration through the gate. */
export function accountDatabase(
  env: StoreBindings,
  account: string,
  d1: Pick<D1Database, "prepare" | "batch"> = env.DB,
): AccountDatabase {
  return { run: directly(d1), configure: (batch) => accountGate(env, account).configure(batch) };
}

/**
 * Returns the store of a verified account: of a principal, a carrier's webhook, a visitor's token or an object of the
 * account. With `nearby` it reads the closest replica, which may lag: use it for reads that may be cached, never for
 * admission.
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
