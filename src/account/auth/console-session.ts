import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AccountRow, UserRow } from "../../kernel/db/look-ups.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { clientOf } from "../../kernel/http/rate-limits.ts";
import { lookUps } from "../../kernel/http/stores.ts";
import { signToken, verifyToken } from "../../kernel/secrets/tokens.ts";
import type { SessionTerms } from "../gate/console-sessions.ts";
import type { JoinedSession } from "../gate/joined-sessions.ts";
import type { Ticket } from "../gate/sign-in-tickets.ts";
import { issueSessionToken } from "./console-token.ts";
import { embeddedLogin } from "./embedded-login.ts";
import type { session as sessionSchema } from "./session.ts";

type Session = z.output<typeof sessionSchema>;

/** The session's user and account. */
interface SignedIn {
  account: Pick<AccountRow, "name" | "display_name">;
  user: UserRow;
}

interface SignIn {
  /**
   * When the session began (ms) by the gate's clock. That is before the user was looked up, so that a later password
   * change ends the session.
   */
  begunAt: number;
  /** Whether the user gave a code of their second factor. */
  secondFactor: boolean;
}

/**
 * Begins a renewable session for an authenticated user; null if a concurrent request has spent the ticket of the
 * sign-in.
 */
export async function beginSession(
  c: Context<AppEnv>,
  who: SignedIn,
  signIn: SignIn,
  ticket: Ticket | null = null,
): Promise<Session | null> {
  const { account, user } = who;
  const [id, refreshToken] = [uuidv7({ msecs: c.get("now") }), crypto.randomUUID()];
  const session = Object.assign(clientIn(c), { id, user: user.id, refreshToken }, signIn);
  const terms = await accountGate(c.env, account.name).beginSession(session, ticket);
  return terms && pairOf(c, who, { id, refreshToken }, terms, []);
}

const refreshClaims = z.object({ sub: z.string(), account: z.string(), sid: z.uuid(), jti: z.string() });

/**
 * Renews a session with its refresh token, which can be used once. A second use ends the session.
 * @throws ApiError 401, 403, 429
 */
export async function refreshSession(c: Context<AppEnv>, token: string): Promise<Session> {
  refuseBlocked(c, "authentication");
  const claims = embeddedLogin(c.env)
    ? refreshClaims.safeParse(await verifyToken(c.env.SIGNING_KEYS, "console-refresh", token, c.get("now"))).data
    : undefined;
  if (!claims) {
    await countFailure(c, "authentication");
    throw notRenewed();
  }
  const { sub: user, account: name, sid: id, jti: presented } = claims;
  const next = crypto.randomUUID();
  const request = Object.assign(clientIn(c), { id, user, presented, next });
  const answer = await accountGate(c.env, name).refreshSession(request);
  if (answer.outcome === "account_closed") throw new ApiError(403, "account_closed", "the account is disabled");
  if (answer.outcome !== "renewed") throw notRenewed();
  const found = await lookUps(c).sessionUser(name, user);
  if (!found.account || !found.user) throw notRenewed();
  const who = { account: found.account, user: found.user };
  const joined = await filter(answer.joined, (one) => isStillJoined(c, one));
  return pairOf(c, who, { id, refreshToken: next }, answer.terms, joined);
}

async function pairOf(
  c: Context<AppEnv>,
  { account, user }: SignedIn,
  { id, refreshToken }: { id: string; refreshToken: string },
  terms: SessionTerms,
  joined: JoinedSession[],
): Promise<Session> {
  const now = c.get("now");
  const owner = { id: user.id, email: user.email, account: account.name };
  const leftS = Math.max(0, Math.floor((terms.endsAt - now) / 1000));
  const claims = { sub: user.id, account: account.name, sid: id, jti: refreshToken };
  const [access_token, refresh_token] = await Promise.all([
    issueSessionToken(c.env, owner, Object.assign({ id }, terms), joined, now),
    signToken(c.env.SIGNING_KEYS, "console-refresh", claims, leftS, now),
  ]);
  return {
    access_token,
    refresh_token,
    token_type: "Bearer",
    expires_in: terms.tokenLifetimeS,
    account: account.name,
    accounts: [account, ...(await accountsOf(c, joined))],
    user,
  };
}

export async function accountsOf(c: Context<AppEnv>, joined: JoinedSession[]) {
  return joined.length === 0 ? [] : lookUps(c).named(joined.map(({ account }) => account));
}

/** Renews a joined session. Returns whether it is still valid, which its own account decides. */
function isStillJoined(c: Context<AppEnv>, { account, id, user, begunAt }: JoinedSession): Promise<boolean> {
  const session = { id, user, embedded: true, issuedAt: begunAt };
  return accountGate(c.env, account).sessionGoesOn(session, "renewed");
}

async function filter<T>(all: T[], isKept: (one: T) => Promise<boolean>): Promise<T[]> {
  const verdicts = await Promise.all(all.map(isKept));
  return all.filter((_, i) => verdicts[i]);
}

/** Returns the device and address of the request. */
function clientIn(c: Context<AppEnv>) {
  return { device: deviceOf(c.req.header("user-agent") ?? ""), address: clientOf(c) };
}

const notRenewed = () =>
  new ApiError(401, "token_invalid", "the session has ended, or this refresh token was already used: sign in again");

/** User-agent patterns, most specific first: Edge also contains `Chrome`. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const MOST_CHARS = 64;

/** Describes the device of a User-Agent header in a few words such as `Firefox on Linux`; "" if it is unknown. */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  // Other clients start the header with their own name, such as `curl/8.5.0`.
  const [, product = ""] = /^([\w.+-]+(?:\/[\w.+-]+)?)/.exec(userAgent.trim()) ?? [];
  return (browser ?? system ?? product).slice(0, MOST_CHARS);
}

function nameIn(patterns: [RegExp, string][], userAgent: string): string | undefined {
  return patterns.find(([pattern]) => pattern.test(userAgent))?.[1];
}
