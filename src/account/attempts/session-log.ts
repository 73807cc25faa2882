import type { Context } from "hono";
import { z } from "zod";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openStore } from "../../kernel/http/stores.ts";

/**
 * Writes to the account's audit log that the user signed in; `name` is what the identity provider calls the user, "" where
 * the account's own row says it.
 */
export function noteSignIn(c: Context<AppEnv>, account: string, user: string, name = ""): Promise<void> {
  return note(c, account, "sign_in", user, name);
}

/**
 * Writes to the account's audit log that a sign-in failed: the user's whose email it was, or the email half hidden where
 * there is no such user.
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

/** `a***@example.com`; empty for anything but an email, because some people type their password there. */
export function hidden(email: string): string {
  if (!z.email().safeParse(email).success) return "***";
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf("@"))}`;
}
