import type { Context } from "hono";
import type { AccountStore, Author } from "../db/account-store.ts";
import { LookUps } from "../db/look-ups.ts";
import { OperatorStore } from "../db/operator-store.ts";
import { accountDatabase, accountStore } from "../durable/account-stores.ts";
import type { AppEnv } from "./context.ts";

/* What handlers reach the database through; they do not see it themselves (Bindings). */

const databaseOf = (c: Context<AppEnv>): Env => c.env as Env;

/** The account's rows. They are opened for whoever uses them: a kept read needs none. */
export function ownStore(c: Context<AppEnv>): AccountStore {
  return accountStore(databaseOf(c), c.get("principal").account, c.get("author"));
}

/** The rows of an account that a carrier's webhook or a visitor's token stands for. */
export function openStore(
  c: Context<AppEnv>,
  account: string,
  author: Author,
  copy?: "latest" | "nearby",
): AccountStore {
  return accountStore(databaseOf(c), account, author, copy);
}

/** What operators reach accounts through. */
export function operatorStore(c: Context<AppEnv>): OperatorStore {
  const env = databaseOf(c);
  return new OperatorStore(env.DB, (account) => accountDatabase(env, account).configure, c.get("author"));
}

/** One per isolate: to build one takes longer than to query it. */
const lookUpsByEnv = new WeakMap<Env, LookUps>();

/** What is looked up before an account is known. */
export function lookUps(c: Context<AppEnv>): LookUps {
  const env = databaseOf(c);
  const existing = lookUpsByEnv.get(env);
  if (existing) return existing;
  const built = new LookUps(env.DB);
  lookUpsByEnv.set(env, built);
  return built;
}
