import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { z } from "zod";
import type { AppEnv } from "../../kernel/http/context.ts";
import type { ApiError } from "../../kernel/http/errors.ts";
import { answerHeader } from "../../kernel/http/headers.ts";
import type { session as sessionSchema } from "./session.ts";

/**
 * Returns a page that passes the session to the console over the BroadcastChannel `switchboard-login`. Only pages of
 * the same origin can listen, and the token appears in no address, history or storage.
 */
export function signedInPage(c: Context<AppEnv>, session: z.output<typeof sessionSchema>) {
  const { user, account } = session;
  const words = `Signed in to ${account} as ${user.email || user.name || user.id}. You can close this window.`;
  return c.html(page(c, { title: "Signed in", words, message: session, closes: true }));
}

/** Returns a page that tells the person why the sign-in failed, and reports it to the console. */
export function notSignedInPage(c: Context<AppEnv>, { status, code, message, headers }: ApiError) {
  answerHeader(c, "x-error-code", code);
  for (const [name, value] of Object.entries(headers)) answerHeader(c, name, value);
  const words = `${message.charAt(0).toUpperCase()}${message.slice(1)}. Close this window and try again.`;
  return c.html(page(c, { title: "Not signed in", words, message: { error: { status, code, message } } }), status);
}

interface Content {
  title: string;
  words: string;
  message: object;
  /** Whether the window closes by itself. */
  closes?: boolean;
}

function page(c: Context<AppEnv>, { title, words, message, closes = false }: Content) {
  const nonce = crypto.randomUUID();
  const data = JSON.stringify(message).replaceAll("<", "\\u003c");
  answerHeader(
    c,
    "content-security-policy",
    `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<p>${words}</p>
<script nonce="${nonce}">
new BroadcastChannel("switchboard-login").postMessage(${raw(data)});
${raw(closes ? "window.close();" : "")}
</script>
</html>`;
}
