import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { type AccountStore, ReferenceViolation, subject } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { passwordResets, users } from "../../kernel/db/schema/index.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError, invalidField } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { embeddedLogin } from "./embedded-login.ts";
import { mintToken, readToken } from "./link-tokens.ts";
import { assertStrong } from "./password-rule.ts";

const LINK_LIFETIME_MS = HOUR_MS;

/** The user whose password a link resets, and the creator of the link. */
interface NewReset {
  user: string;
  /** The creator, in the form of the audit log's actors. */
  createdBy: string;
  /** A condition that the user's row must meet. */
  only?: SQL;
}

/**
 * Creates a link with which the user can set a new password, once and within an hour. An earlier link stops working.
 * The caller decides who may do so. @throws ReferenceViolation if there is no such user
 */
export async function createReset(
  env: Pick<Bindings, "PUBLIC_URL">,
  store: AccountStore,
  { user, createdBy, only }: NewReset,
  now: number,
) {
  const base = baseOf(env);
  const { token, hash } = await mintToken(store.account);
  const expires_at = new Date(now + LINK_LIFETIME_MS).toISOString();
  const isUser = all(eq(users.id, user), only);
  const [, , link] = await store.write(
    { action: "create_reset_link", resource: "user", resource_id: user },
    store.delete(
      passwordResets,
      sql`${passwordResets.id} IN (SELECT id FROM users WHERE users.account = ${store.account} AND ${isUser})`,
    ),
    subject(
      store.insertSelected(passwordResets, users, isUser, { id: users.id, hash, created_by: createdBy, expires_at }),
    ),
    store.first(passwordResets, { where: eq(passwordResets.hash, hash) }),
  );
  if (!link) throw new ReferenceViolation("there is no such user");
  // The token is after the #, because servers don't log that part.
  return { url: `${base}/console/reset-password#${token}`, expires_at };
}

/**
 * Sets a new password through a link and ends all sessions of the user. A second factor stays. The address then counts
 * as familiar, so that other people's failed sign-ins do not lock the user out. @throws ApiError 400, 404, 429
 */
export async function resetPassword(
  c: Context<AppEnv>,
  { token, new_password }: { token: string; new_password: string },
): Promise<void> {
  if (!embeddedLogin(c.env)) throw new ApiError(404, "not_found", "your identity provider manages this password");
  refuseBlocked(c, "authentication");
  const { account, hash } = await readToken(c, token);
  const link = account === null ? undefined : await linkOf(c, account, hash);
  if (account === null || !link) {
    await countFailure(c, "authentication");
    throw badLink();
  }
  const store = openStore(c, account, { actor: `console:${link.id}`, request_id: c.get("requestId") });
  const [user] = await store.read(store.first(users, { where: eq(users.id, link.id) }));
  if (!user) throw badLink();
  assertStrong(new_password, user, "new_password");
  const password_hash = await hashPassword(new_password, c.env.PASSWORD_PEPPER);
  // Later than the beginning of every session, and later than an earlier end that one of them has survived.
  const now = new Date(Date.now() + 1).toISOString();
  const next = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${users.sessions_valid_after}, '+0.001 seconds')`;
  const isUnused = sql`EXISTS (SELECT 1 FROM password_resets link WHERE link.account = ${account} AND link.id = ${user.id} AND link.hash = ${hash} AND link.expires_at > ${now})`;
  const [changed] = await store.write(
    { action: "reset_password", resource: "user", resource_id: user.id },
    store.update(
      users,
      { password_hash, sessions_valid_after: sql`max(${now}, coalesce(${next}, ''))` },
      and(eq(users.id, user.id), eq(users.source, "password"), isUnused) ?? sql`false`,
    ),
    store.delete(passwordResets, eq(passwordResets.hash, hash)),
  );
  if (changed.length === 0) throw badLink();
  await (await SignInAttempts.of(c, account, user.email)).proved();
}

/** Returns the link with this hash if it is still valid. */
async function linkOf(c: Context<AppEnv>, account: string, hash: string) {
  const store = openStore(c, account, { actor: "system:password-reset", request_id: c.get("requestId") });
  const where = and(eq(passwordResets.hash, hash), gt(passwordResets.expires_at, new Date().toISOString()));
  const [link] = await store.read(store.first(passwordResets, { where }));
  return link;
}

const badLink = () => invalidField("token", "token_invalid", "is invalid, has expired or was already used");
