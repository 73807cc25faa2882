import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalid } from "../../kernel/http/errors.ts";
import { answerHeader } from "../../kernel/http/headers.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { publicKeySet } from "../../kernel/secrets/tokens.ts";
import { changePassword } from "./change-password.ts";
import * as contract from "./embedded-contract.ts";
import { embeddedLogin } from "./embedded-login.ts";
import { resetPassword } from "./password-resets.ts";
import { signInWithCode } from "./second-step.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

/**
 * The embedded identity provider: sign-in with a password, changing it, and the settings that sign-in forms and
 * runtimes need.
 */
export const embeddedIdentity = new OpenAPIHono<AppEnv>();

serve(embeddedIdentity, contract.listPublicAccounts, async ({ c, env }) => ({
  accounts: await lookUps(c).listed(),
  sign_in: { password: embeddedLogin(env), identity_provider: env.OIDC_ISSUER !== "" },
}));

serve(embeddedIdentity, contract.validateAccount, async ({ c, params: { account } }) => {
  if (!ACCOUNT_NAME.test(account)) throw invalid("not an account name", "invalid_account");
  const row = await lookUps(c).account(account);
  return { account, valid: row !== undefined && row.disabled_at === null };
});

serve(embeddedIdentity, contract.login, ({ c, body }) => signInWithPassword(c, body));

serve(embeddedIdentity, contract.loginWithCode, ({ c, body }) => signInWithCode(c, body));

serve(embeddedIdentity, contract.changePassword, ({ c, body }) => changePassword(c, body));

serve(embeddedIdentity, contract.resetPassword, ({ c, body }) => resetPassword(c, body));

serve(embeddedIdentity, contract.jwks, async ({ c, env }) => {
  answerHeader(c, "cache-control", "public, max-age=300");
  return (await publicKeySet(env.SIGNING_KEYS)) as { keys: Record<string, unknown>[] };
});
