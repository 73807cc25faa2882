import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { generateCookie, getCookie } from "hono/cookie";
import pMap from "p-map";
import { z } from "zod";
import { accountGate } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { ApiError, invalid } from "../../kernel/http/errors.ts";
import { answerHeader } from "../../kernel/http/headers.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps, ownStore } from "../../kernel/http/stores.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import { signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import { type ConsoleProvider, consoleProvider } from "./console-provider.ts";
import * as contract from "./contract.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { session as sessionSchema } from "./session.ts";
import { beginSignIn, SIGN_IN_S } from "./sign-in.ts";
import { notSignedInPage, signedInPage } from "./signed-in-page.ts";

export const identity = new OpenAPIHono<AppEnv>();

const CALLBACK = "/api/login/callback";

serve(identity, contract.startLogin, ({ c, env, query: { account }, now }) =>
  forWindow(c, async () => {
    const provider = configured(env);
    if (account !== undefined && !ACCOUNT_NAME.test(account)) throw invalid("not an account name", "invalid_account");
    const { url, pending } = await beginSignIn(provider, baseOf(env) + CALLBACK);
    const { state: sub, ...rest } = pending;
    const claims = { sub, ...rest, ...(account !== undefined && { account }) };
    const sealed = await signToken(env.SIGNING_KEYS, "login", claims, SIGN_IN_S, now);
    const { name, options } = cookieOf(c);
    answerHeader(c, "set-cookie", generateCookie(name, sealed, { ...options, maxAge: SIGN_IN_S }));
    return c.redirect(url.href, 302);
  }),
);

serve(identity, contract.finishLogin, ({ c, env, now }) =>
  forWindow(c, async () => {
    const provider = configured(env);
    const pending = await pendingSignIn(c, env, now);
    // A sign-in can be completed only once, whatever its outcome.
    const cookie = cookieOf(c);
    answerHeader(c, "set-cookie", generateCookie(cookie.name, "", { ...cookie.options, maxAge: 0 }));
    const callback = new URL(baseOf(env) + CALLBACK);
    callback.search = new URL(c.req.url).search;
    const session = await finishSignIn(c, provider, pending, callback);
    return isWindow(c) ? signedInPage(c, sessionSchema.parse(session)) : session;
  }),
);

serve(identity, contract.logout, ({ c }) => signOut(c));

/** Checks whether a person sees the response, in the window that the console opened. */
const isWindow = (c: Context<AppEnv>): boolean => c.req.header("accept")?.includes("text/html") ?? false;

/** Runs a step of the sign-in. In a window, an error is shown as a page. */
async function forWindow<T>(c: Context<AppEnv>, step: () => Promise<T>): Promise<T | Response> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ApiError && isWindow(c)) return notSignedInPage(c, error);
    throw error;
  }
}

function configured(env: Bindings): ConsoleProvider {
  const provider = consoleProvider(env);
  if (!provider) throw new ApiError(404, "not_found", "no identity provider is configured");
  return provider;
}

const pendingSchema = z
  .object({ sub: z.string(), nonce: z.string(), verifier: z.string(), account: z.string().optional() })
  .transform(({ sub, ...rest }) => ({ state: sub, ...rest }));

/** Returns this browser's pending sign-in to which the callback belongs. @throws ApiError 400 */
async function pendingSignIn(c: Context<AppEnv>, env: Bindings, now: number) {
  const cookie = getCookie(c, cookieOf(c).name);
  const pending = pendingSchema.safeParse(cookie && (await verifyToken(env.SIGNING_KEYS, "login", cookie, now))).data;
  if (!pending || !(await sameSecret(pending.state, c.req.query("state") ?? ""))) {
    throw invalid("this sign-in was not started in this browser, or it expired: start again", "login_state");
  }
  return pending;
}

/**
 * Returns the service's only cookie, which ties a sign-in to the browser that began it. It is Lax, because the browser
 * must send it when it returns from the provider's site. It has the prefix `__Host-`, so that no other host can set it.
 * It is not Secure over plain HTTP, which only developers' machines use.
 */
function cookieOf(c: Context<AppEnv>) {
  const secure = c.req.url.startsWith("https:");
  const options = { path: "/", httpOnly: true, sameSite: "Lax", secure } as const;
  return { name: secure ? "__Host-switchboard-login" : "switchboard-login", options };
}

/** The number of gates notified at a time. A provider's token may open many accounts. */
const AT_ONCE = 6;

/** Ends the caller's session in every account that its token opens. */
async function signOut(c: Context<AppEnv>): Promise<void> {
  const { account, subject, session } = c.get("principal");
  if (!session) return;
  const others = session.elsewhere;
  const existing = others.length > 0 ? await lookUps(c).named(others.map((other) => other.account)) : [];
  const there = others.filter((other) => existing.some(({ name }) => name === other.account));
  await pMap(there, (other) => accountGate(c.env, other.account).endSession(other.id, other.expiresAt), {
    concurrency: AT_ONCE,
  });
  await ownStore(c).note({ action: "sign_out", resource: "user", resource_id: subject });
  // The gate that admits this request comes last, so that the request can be retried if another gate failed.
  await accountGate(c.env, account).endSession(session.id, session.expiresAt);
}
