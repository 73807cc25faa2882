import type { Context } from "hono";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { type Page, pageOf } from "./cors.ts";

/** The dependencies of a request without an account's API key. */
export interface VisitorContext {
  env: Bindings;
  /** Opens the rows of the account that a widget key or a visitor's token names. */
  openStore: (account: string, copy?: "latest" | "nearby") => AccountStore;
  requestId: string;
  page: Page;
  now: number;
}

export function visitorContext(c: Context<AppEnv>): VisitorContext {
  const { requestId, now } = c.var;
  const author = { actor: "visitor", request_id: requestId };
  const open = (account: string, copy?: "latest" | "nearby") => openStore(c, account, author, copy);
  return { env: c.env, openStore: open, requestId, page: pageOf(c), now };
}
