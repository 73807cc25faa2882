import type { Context } from "hono";
import type { z } from "zod";
import { spendOnce } from "../../kernel/db/spend-once.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError, invalid } from "../../kernel/http/errors.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { noteFailedSignIn, noteSignIn } from "../attempts/session-log.ts";
import type { ConsoleProvider } from "./console-provider.ts";
import { memberSignedIn } from "./oidc-members.ts";
import type { Person } from "./person.ts";
import type { session } from "./session.ts";
import { completeSignIn, type PendingSignIn, SIGN_IN_S } from "./sign-in.ts";

/**
 * Finishes a sign-in at the configured provider, in the account for which it was begun, otherwise in the user's first
 * open one.
 * @throws ApiError 403 if the user may not open the account or it is closed; also throws what `completeSignIn` throws
 */
export async function finishSignIn(
  c: Context<AppEnv>,
  provider: ConsoleProvider,
  pending: PendingSignIn & { account?: string | undefined },
  callback: URL,
): Promise<z.output<typeof session>> {
  const now = c.get("now");
  const { token, claims, person } = await completeSignIn(provider, callback, pending, now);
  const candidates = [pending.account ?? [], claims.accounts].flat();
  const [rows, removed] = await Promise.all([
    lookUps(c).named(candidates),
    lookUps(c).removedFrom(candidates, person.id),
  ]);
  const isOpen = (name: string) => rows.some((row) => row.name === name && row.disabled_at === null);
  const isOpenToThem = (name: string) => isOpen(name) && !removed.includes(name);
  const account =
    pending.account ?? claims.accounts.find(isOpenToThem) ?? claims.accounts.find(isOpen) ?? claims.accounts[0];
  const row = rows.find(({ name }) => name === account);
  const isTheirs = account !== undefined && claims.accounts.includes(account);
  if (!isTheirs || !row || row.disabled_at !== null) {
    if (row) await noteFailedSignIn(c, row.name, person);
    if (!isTheirs) throw new ApiError(403, "account_mismatch", "the user has no access to this account");
    throw new ApiError(403, "account_closed", row ? "the account is disabled" : "the account does not exist");
  }
  await spend(c, account, person, pending.state);
  try {
    await memberSignedIn(c, account, person);
  } catch (error) {
    if (error instanceof ApiError) await noteFailedSignIn(c, account, person);
    throw error;
  }
  await noteSignIn(c, account, person.id);
  return {
    access_token: token,
    // The provider renews its own tokens.
    refresh_token: null,
    token_type: "Bearer",
    expires_in: Math.max(0, claims.exp - Math.floor(now / 1000)),
    account,
    accounts: rows.filter(({ name }) => (name === account || isOpenToThem(name)) && claims.accounts.includes(name)),
    user: { id: person.id, email: person.email, name: person.name },
  };
}

/** Ensures that a sign-in's callback works once, even if the provider accepts its code again. @throws ApiError 400 */
async function spend(c: Context<AppEnv>, account: string, { id }: Person, state: string): Promise<void> {
  const now = c.get("now");
  const store = openStore(c, account, { actor: `console:${id}`, request_id: c.get("requestId") });
  const expiresAt = new Date(now + SIGN_IN_S * 1_000).toISOString();
  const [spent] = await store.record(...spendOnce(store, `sign-in:${state}`, expiresAt, now));
  if (spent.length === 0) throw invalid("this sign-in is already complete: start again", "login_state");
}
