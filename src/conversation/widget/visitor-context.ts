import type { Context } from "hono";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { AppEnv, Bindings, OpenStore } from "../../kernel/http/context.ts";
import { type Page, pageOf } from "./cors.ts";

/** What a request without a key of the account's own is served with. */
export interface VisitorContext {
  env: Bindings;
  openStore: OpenStore;
  requestId: string;
  page: Page;
  now: number;
}

export function visitorContext(c: Context<AppEnv>): VisitorContext {
  const { openStore, requestId, now } = c.var;
  return { env: c.env, openStore, requestId, page: pageOf(c), now };
}

/** The rows of the account that a widget key or a visitor's token names. */
export function visitorStore({ openStore, requestId }: VisitorContext, account: string): AccountStore {
  return openStore(account, { actor: "visitor", request_id: requestId });
}
