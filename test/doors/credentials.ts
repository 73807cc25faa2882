import { env } from "cloudflare:workers";
import { OPERATOR_SCOPES } from "../../src/kernel/scopes.ts";
import { signText, signToken } from "../../src/kernel/secrets/tokens.ts";
import { confirmationOf } from "../account/confirmations/support.ts";
import { sessionOf } from "../conversation/agent-sessions/support.ts";
import { consoleUser, operator } from "../support/client.ts";
import { person } from "../support/person.ts";
import { runtimeSession } from "../support/runtime.ts";
import { claimsOf, page, visitorToken, widgetTenant } from "../support/widget.ts";

/** A credential in presented form: its headers, and the token for a socket's first frame or an address. */
export interface Shown {
  headers: Record<string, string>;
  token: string;
}

const JOB_ADDRESS = "203.0.113.7";

/** The token that scrapers send to a deployment with metrics. */
export const METRICS_TOKEN = "c2NyYXBlcnMtc2hvdy10aGlzLXRva2Vu";

const bearer = (token: string, more: Record<string, string> = {}): Shown => ({
  headers: { authorization: `Bearer ${token}`, ...more },
  token,
});

/** Creates one valid credential of every kind, by its name in the table. */
export async function everyCredential(): Promise<Record<string, Shown>> {
  const [created, other] = [await widgetTenant(), await widgetTenant()];
  const { account, agentId, key, widgetKey } = created;
  const now = Date.now();
  const guest = (await page().guest(widgetKey.key)).body;
  const tester = await sessionOf(created.user, agentId);
  // The token is signed again with a longer lifetime: its two minutes are less than requests to all doors may take.
  const { exp, sub, ...visitor } = claimsOf(await visitorToken(created));
  const lasting = Object.assign({ sub: String(sub) }, visitor);
  const backend = await signToken(env.SIGNING_KEYS, "visitor-token", lasting, 900, now);
  const { session_token: carrier, runtime_token: runtime } = await runtimeSession({ greeting_message: "Hello." });
  // The claims of all kinds are combined, so that only the audience distinguishes the tokens.
  const claims = Object.assign({}, claimsOf(guest.refresh_token), { sub: crypto.randomUUID(), accounts: [account] });
  const signed = (audience: "event-stream" | "login" | "sign-in-ticket" | "transfer") =>
    signToken(env.SIGNING_KEYS, audience, claims, 900, now);
  const mac = (purpose: string) => signText(env.SIGNING_KEYS, purpose, account);
  const own = await consoleUser(account);
  const member = await person(account);
  const reset = await own.post<{ url: string }>(`/api/v1/members/${member.id}/reset-link`);
  const hook = { url: "https://hooks.example/switchboard", types: ["*"] };
  const webhook = await own.post<{ secret: string }>("/api/v1/webhooks", hook);
  const { confirm } = await confirmationOf({ account, key });
  const { refresh_token } = (await (await person(account)).signIn()).body;
  const theirs = await operator();
  const token = { name: "Job", scopes: OPERATOR_SCOPES, allowed_addresses: [JOB_ADDRESS] };
  const job = await theirs.post<{ token: string }>("/api/admin/v1/tokens", token);
  const invitation = await own.post<{ url: string }>("/api/v1/invitations", { email: "a@b.example", role: "viewer" });
  const beside = (api: { key: string }, token: string) => bearer(api.key, { "x-visitor-token": token });
  return {
    nothing: { headers: {}, token: "" },
    "API key": bearer(key.key),
    "console token": { headers: own.headers, token: tokenIn(own.headers) },
    "operator's console token": { headers: theirs.headers, token: tokenIn(theirs.headers) },
    "operator token": bearer(job.body.token, { "cf-connecting-ip": JOB_ADDRESS }),
    "visitor's access token": bearer(guest.access_token),
    "visitor's refresh token": bearer(guest.refresh_token),
    "console's refresh token": bearer(refresh_token),
    "visitor token": bearer(backend),
    "tester's token": bearer(tester.access_token),
    "call's carrier token": bearer(carrier),
    "call's session token": bearer(runtime),
    "ticket of a stream": bearer(await signed("event-stream")),
    "state of a sign-in": bearer(await signed("login")),
    "ticket of a sign-in": bearer(await signed("sign-in-ticket")),
    "token of an invitation": bearer(new URL(invitation.body.url).hash.slice(1)),
    "token of a reset link": bearer(new URL(reset.body.url).hash.slice(1)),
    "token of a confirmation": bearer(confirm),
    "secret of a webhook": bearer(webhook.body.secret),
    "token of /metrics": bearer(METRICS_TOKEN),
    "transfer token": bearer(await signed("transfer")),
    "webhook token": bearer(await mac("call-webhook")),
    "signature of a recording's address": bearer(await mac("recording-playback")),
    "widget key": bearer(widgetKey.key),
    "API key + visitor's access token": beside(key, guest.access_token),
    "API key + tester's token": beside(key, tester.access_token),
    "API key + call's carrier token": beside(key, carrier),
    "API key + call's session token": beside(key, runtime),
    "another account's API key + visitor's access token": beside(other.key, guest.access_token),
    "console token + visitor's access token": {
      headers: { ...own.headers, "x-visitor-token": guest.access_token },
      token: tokenIn(own.headers),
    },
  };
}

function tokenIn({ authorization = "" }: Record<string, string>): string {
  return authorization.replace("Bearer ", "");
}
