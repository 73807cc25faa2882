import type { Context } from "hono";
import { z } from "zod";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openStore } from "../../kernel/http/stores.ts";

/**
 * Records in the account's audit log that the user signed in. `name` is the identity provider's name for the user; ""
 * if the account has a row with the name.
 */
export function noteSignIn(c: Context<AppEnv>, account: string, user: string, name = ""): Promise<void> {
  return note(c, account, "sign_in", user, name);
}

/**
 * Records in the account's audit log that a sign-in failed. The entry names the user with this email. If there is none,
 * it contains the email half hidden.
 */
export function noteFailedSignIn(
  c: Context<AppEnv>,
  account: string,
  who: { id: string } | { email: string },
): Promise<void> {
  return note(c, account, "sign_in_failed", "id" in who ? who.id : hidden(who.email));
}

function note(
  c: Context<AppEnv>,
  account: string,
  action: "sign_in" | "sign_in_failed",
  user: string,
  name = "",
): Promise<void> {
  const author = { actor: `console:${user}`, name, request_id: c.get("requestId") };
  const store = openStore(c, account, author);
  return store.note({ action, resource: "user", resource_id: user });
}

/**
 * Hides an email as `a***@example.com`, and any other text completely, because some people type their password into
 * this field.
 */
export function hidden(email: string): string {
  if (!z.email().safeParse(email).success) return "***";
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf("@"))}`;
}
