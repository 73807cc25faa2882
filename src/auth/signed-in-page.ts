import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { z } from "zod";
import type { AppEnv } from "../http/context.ts";
import { answerHeader } from "../http/headers.ts";
import type { session } from "./session.ts";

/**
 * Hands the session to the console, which listens on the BroadcastChannel `switchboard-login`: only pages of this
 * very origin can, and the token touches no address, no history and no storage on its way.
 */
export function signedInPage(c: Context<AppEnv>, { user, ...rest }: z.output<typeof session>) {
  const nonce = crypto.randomUUID();
  const data = JSON.stringify({ ...rest, user }).replaceAll("<", "\\u003c");
  answerHeader(
    c,
    "content-security-policy",
    `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return c.html(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signed in</title>
<p>Signed in to ${rest.account} as ${user.email || user.name || user.id}. You can close this window.</p>
<script nonce="${nonce}">
new BroadcastChannel("switchboard-login").postMessage(${raw(data)});
window.close();
</script>
</html>`);
}
