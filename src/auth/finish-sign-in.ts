import type { z } from "zod";
import type { LookUps } from "../db/look-ups.ts";
import { ApiError } from "../http/errors.ts";
import type { ConsoleProvider } from "./console-provider.ts";
import type { session } from "./session.ts";
import { completeSignIn, type PendingSignIn } from "./sign-in.ts";

interface Context {
  provider: ConsoleProvider;
  lookUps: LookUps;
  now: number;
}

/**
 * Finishes a sign-in at the configured provider: into the account it was begun for, else the user's first.
 * @throws ApiError 403 where the account is not the user's or is closed, and what `completeSignIn` throws
 */
export async function finishSignIn(
  { provider, lookUps, now }: Context,
  pending: PendingSignIn & { account?: string | undefined },
  callback: URL,
): Promise<z.output<typeof session>> {
  const { token, claims, email, name } = await completeSignIn(provider, callback, pending, now);
  const account = pending.account ?? claims.accounts[0];
  if (!account || !claims.accounts.includes(account)) {
    throw new ApiError(403, "account_mismatch", "the account is not this user's");
  }
  const row = await lookUps.account(account);
  if (!row || row.disabled_at !== null) {
    throw new ApiError(403, "account_closed", row ? "account is disabled" : "account is not known");
  }
  return {
    access_token: token,
    token_type: "Bearer",
    expires_in: Math.max(0, claims.exp - Math.floor(now / 1000)),
    account,
    user: { id: claims.sub, email, name },
  };
}
