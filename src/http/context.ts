import type { Context } from "hono";
import type { AccountStore, Author } from "../db/account-store.ts";
import type { LookUps } from "../db/look-ups.ts";
import type { OperatorStore } from "../db/operator-store.ts";

/**
 * What the Worker's handlers may reach of the environment: everything but the database, which is reached through
 * AccountStore and the look-ups alone. Secrets that may be missing are added to the generated types here.
 */
export type Bindings = Omit<Env, "DB"> & { OIDC_CLIENT_SECRET?: string };

/**
 * Who may call an endpoint:
 * - `public`: anybody
 * - `account`: an API key or a console user of the account
 * - `console`: a console user only
 * - `server`: an API key only
 * - `operator`: a console user with X-Account-ID `service-admin`
 */
export type Access = "public" | "account" | "console" | "server" | "operator";

/** Lets a request in to an endpoint, or throws what keeps it out. On the way it binds the request to its account. */
export type Admit = (
  c: Context<AppEnv>,
  endpoint: { access: Access; method: string; limit?: "login" | "public" },
) => Promise<void>;

/** Who is asking, once verified. */
export interface Principal {
  kind: "api_key" | "console";
  account: string;
  /** The key's id, or the console user's subject. */
  subject: string;
  /** A user of the embedded identity provider, who may have been removed since the token was issued. */
  embedded: boolean;
}

export interface Variables {
  requestId: string;
  /** The time of the request in ms: one request sees one time. */
  now: number;
  /** How requests are let in: the endpoints do not know who is (app.ts hands it in). */
  admit: Admit;
  lookUps: LookUps;
  principal: Principal;
  /** The principal as the audit log names it. */
  author: Author;
  /** The account's rows; set for `account` and `console` endpoints. */
  store: AccountStore;
  /** The operator's hand on accounts; set for `operator` endpoints. */
  operatorStore: OperatorStore;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
