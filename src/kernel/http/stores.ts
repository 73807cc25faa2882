import type { Context } from "hono";
import type { AccountStore, Author } from "../db/account-store.ts";
import { LookUps } from "../db/look-ups.ts";
import { OperatorStore } from "../db/operator-store.ts";
import { accountDatabase, accountStore } from "../durable/account-stores.ts";
import type { AppEnv } from "./context.ts";

/* The bindings include the database, although their type (Bindings) hides it from handlers. */

const databaseOf = (c: Context<AppEnv>): Env => c.env as Env;

/** Opens the store of the caller's account when it is used, because a cached read needs none. */
export function ownStore(c: Context<AppEnv>): AccountStore {
  return accountStore(databaseOf(c), c.get("principal").account, c.get("author"));
}

/** Opens the store of the account to which a carrier's webhook or a visitor's token belongs. */
export function openStore(
  c: Context<AppEnv>,
  account: string,
  author: Author,
  copy?: "latest" | "nearby",
): AccountStore {
  c.set("account", account);
  return accountStore(databaseOf(c), account, author, copy);
}

/** Returns the store through which operators reach accounts. */
export function operatorStore(c: Context<AppEnv>): OperatorStore {
  const env = databaseOf(c);
  return new OperatorStore(env.DB, (account) => accountDatabase(env, account).configure, c.get("author"));
}

/** Returns all bindings, for operators' backups, which copy an account's data in stored form. */
export function everyBinding(c: Context<AppEnv>): Env {
  return databaseOf(c);
}

/** One per isolate, because building the look-ups costs more than a query. */
const lookUpsByEnv = new WeakMap<Env, LookUps>();

/** Returns the look-ups that are made before an account is known. */
export function lookUps(c: Context<AppEnv>): LookUps {
  const env = databaseOf(c);
  const existing = lookUpsByEnv.get(env);
  if (existing) return existing;
  const built = new LookUps(env.DB);
  lookUpsByEnv.set(env, built);
  return built;
}
