import type { Context } from "hono";
import type { AccountStore } from "../db/account-store.ts";
import type { LookUps } from "../db/look-ups.ts";
import type { AppEnv, Bindings } from "../http/context.ts";
import { type Page, pageOf } from "./cors.ts";

/** What a request without a key of the account's own is served with. */
export interface VisitorContext {
  env: Bindings;
  lookUps: LookUps;
  requestId: string;
  page: Page;
  now: number;
}

export function visitorContext(c: Context<AppEnv>): VisitorContext {
  const { lookUps, requestId, now } = c.var;
  return { env: c.env, lookUps, requestId, page: pageOf(c), now };
}

/** The rows of the account that a widget key or a visitor's token names. */
export function visitorStore({ lookUps, requestId }: VisitorContext, account: string): AccountStore {
  return lookUps.visitorStore(account, requestId, "latest");
}
