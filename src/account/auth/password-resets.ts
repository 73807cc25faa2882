import { and, eq, gt, sql } from "drizzle-orm";
import type { Context } from "hono";
import { base64url } from "jose";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { passwordResets, users } from "../../kernel/db/schema/index.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError, invalidField } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { embeddedLogin } from "./embedded-login.ts";
import { isAccount } from "./known-accounts.ts";
import { assertStrong } from "./password-rule.ts";
import { SignInAttempts } from "./sign-in-attempts.ts";

/** How long a link is good, ms. */
const LINK_LIFETIME_MS = HOUR_MS;
const SECRET_BYTES = 32;

/** Whose password a link resets, and who makes the link. */
interface NewReset {
  user: string;
  /** As the audit log names them. */
  createdBy: string;
}

/**
 * Makes a link with which the user sets a new password, once and within an hour; an earlier one ends. The caller decides
 * who may do so, and writes the audit entry. @throws ReferenceViolation where there is no such user
 */
export async function createReset(env: Bindings, store: AccountStore, { user, createdBy }: NewReset, now: number) {
  const secret = base64url.encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const token = `${store.account}.${secret}`;
  const link = {
    hash: await sha256Hex(token),
    created_by: createdBy,
    expires_at: new Date(now + LINK_LIFETIME_MS).toISOString(),
  };
  await store.record(
    store.upsert(passwordResets, Object.assign({ id: user }, link), {
      target: [passwordResets.account, passwordResets.id],
      set: link,
    }),
  );
  // The part after # is in no log of a server.
  return { url: `${baseOf(env)}/console/reset-password#${token}`, expires_at: link.expires_at };
}

/**
 * Sets a new password by a link and ends all sessions of the user; a second factor stays. The address counts as the
 * user's from then on, so that a user whom strangers keep from signing in gets in. @throws ApiError 400, 404, 429
 */
export async function resetPassword(
  c: Context<AppEnv>,
  { token, new_password }: { token: string; new_password: string },
): Promise<void> {
  if (!embeddedLogin(c.env)) throw new ApiError(404, "not_found", "your identity provider manages this password");
  refuseBlocked(c, "authentication");
  const [account = ""] = token.split(".", 1);
  const isOurs = ACCOUNT_NAME.test(account) && (await isAccount(c, account));
  const hash = await sha256Hex(token);
  const link = isOurs ? await linkOf(c, account, hash) : undefined;
  if (!link) {
    await countFailure(c, "authentication");
    throw badLink();
  }
  const store = openStore(c, account, { actor: `console:${link.id}`, request_id: c.get("requestId") });
  const [user] = await store.read(store.first(users, { where: eq(users.id, link.id) }));
  if (!user) throw badLink();
  assertStrong(new_password, user, "new_password");
  const password_hash = await hashPassword(new_password, c.env.PASSWORD_PEPPER);
  // Later than the beginning of every session, and than an earlier end that one of them has outlived.
  const now = new Date(Date.now() + 1).toISOString();
  const next = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${users.sessions_valid_after}, '+0.001 seconds')`;
  const isUnused = sql`EXISTS (SELECT 1 FROM password_resets link WHERE link.account = ${account} AND link.id = ${user.id} AND link.hash = ${hash} AND link.expires_at > ${now})`;
  const [changed] = await store.write(
    { action: "reset_password", resource: "user", resource_id: user.id },
    store.update(
      users,
      { password_hash, sessions_valid_after: sql`max(${now}, coalesce(${next}, ''))` },
      and(eq(users.id, user.id), isUnused) ?? sql`false`,
    ),
    store.delete(passwordResets, eq(passwordResets.hash, hash)),
  );
  if (changed.length === 0) throw badLink();
  await (await SignInAttempts.of(c, account, user.email)).proved();
}

/** The link with this hash, if it is still good. */
async function linkOf(c: Context<AppEnv>, account: string, hash: string) {
  const store = openStore(c, account, { actor: "system:password-reset", request_id: c.get("requestId") });
  const where = and(eq(passwordResets.hash, hash), gt(passwordResets.expires_at, new Date().toISOString()));
  const [link] = await store.read(store.first(passwordResets, { where }));
  return link;
}

const badLink = () => invalidField("token", "token_invalid", "is invalid, has expired or was already used");
