import type { OpenAPIHono } from "@hono/zod-openapi";
import { and, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Context } from "hono";
import type { AccountStore } from "../db/account-store.ts";
import { spentTokens, widgetKeys } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { ApiError, invalid } from "../http/errors.ts";
import { accountOfWidgetKey } from "../secrets/api-key.ts";
import { sha256Hex } from "../secrets/hashing.ts";
import { readConfig } from "./config.ts";
import { CONFIG_LIFETIME_S } from "./config-cache.ts";
import { allowOrigin, forPages, notAllowed, requireOrigin } from "./cors.ts";
import { familyRead, rotate } from "./families.ts";
import { admits } from "./origins.ts";
import { admitAgain, admitVisitor, isOpen, sessionRefusal } from "./policy.ts";
import * as contract from "./visitor-contract.ts";
import {
  issueSession,
  issueVisitorToken,
  newFamily,
  nextToken,
  readRefreshToken,
  readSession,
  readVisitorToken,
  rememberUntil,
  VISITOR_TOKEN_LIFETIME_S,
} from "./visitor-session.ts";
import { assemble, type WidgetKeyRow, widgetReads } from "./widget-lookup.ts";

/** A key's last use is written at most this often, ms. */
const LAST_USE_EVERY_MS = 60_000;
/** How many forgotten tokens one use of another clears away: more than it adds, and never a long list. */
const SWEEP_ROWS = 100;

const unknownKey = () => new ApiError(403, "client_key_unknown", "client_key is not known or disabled");
const notOurKey = () => invalid("client_key: no enabled widget key of this account", "client_key_unknown");
const keyDisabled = () => invalid("the widget key is disabled", "key_disabled");
const badVisitorToken = () => invalid("visitor_token is not valid, has expired or was used before", "token_invalid");
const badRefreshToken = () => invalid("refresh_token is not valid, has expired or was used before", "token_invalid");

/** What customers' pages, their backends and media runtimes call. Each costs one D1 round trip; config often none. */
export function mountVisitorRoutes(app: OpenAPIHono<AppEnv>): void {
  app.use("/api/v1/widget/*", forPages);

  serve(app, contract.guest, async ({ c, env, body, now }) => {
    const account = accountOfWidgetKey(body.client_key);
    if (account === null) throw unknownKey();
    requireOrigin(c);
    const store = visitorStore(c, account);
    const isKey = eq(widgetKeys.hash, await sha256Hex(body.client_key));
    const widget = assemble(...(await store.read(...widgetReads(store, isKey))));
    if (!widget) throw unknownKey();
    const { key } = widget;
    allowOrigin(c, key.domain_allowlist);
    if (!isOpen(widget)) throw unknownKey();
    const agent = admitVisitor(widget, "guest");
    await noteUse(store, key, now);
    const sub = crypto.randomUUID();
    const visitor = {
      sub,
      account,
      agent_id: agent.id,
      visitor_type: "guest",
      key_id: key.id,
      origin: requireOrigin(c),
    } as const;
    return issueSession(env.SIGNING_KEYS, visitor, newFamily(now), now);
  });

  serve(app, contract.userToken, async ({ env, store, body, now }) => {
    if (accountOfWidgetKey(body.client_key) !== store.account) throw notOurKey();
    const isKey = eq(widgetKeys.hash, await sha256Hex(body.client_key));
    const [[key]] = await store.read(store.select(widgetKeys, { where: isKey }));
    if (!key || key.disabled_at !== null) throw notOurKey();
    await noteUse(store, key, now);
    const who = { sub: body.user_id, account: store.account, key_id: key.id };
    return {
      visitor_token: await issueVisitorToken(env.SIGNING_KEYS, who, now),
      expires_in: VISITOR_TOKEN_LIFETIME_S,
    };
  });

  serve(app, contract.exchange, async ({ c, env, body, now }) => {
    const claims = await readVisitorToken(env.SIGNING_KEYS, body.visitor_token, now);
    if (!claims) throw badVisitorToken();
    const { sub, account, key_id } = claims;
    const store = visitorStore(c, account);
    const [spent, , ...found] = await store.record(
      ...spend(store, claims, now),
      ...widgetReads(store, eq(widgetKeys.id, key_id)),
    );
    const widget = assemble(...found);
    if (!widget) throw keyDisabled();
    const origin = allowPage(c, widget.key, undefined);
    if (!isOpen(widget)) throw keyDisabled();
    if (spent.length === 0) throw badVisitorToken();
    const agent = admitVisitor(widget, "user");
    const visitor = { sub, account, agent_id: agent.id, visitor_type: "user", key_id, origin } as const;
    return issueSession(env.SIGNING_KEYS, visitor, newFamily(now), now);
  });

  serve(app, contract.refresh, async ({ c, env, body, now }) => {
    const claims = await readRefreshToken(env.SIGNING_KEYS, body.refresh_token, now);
    if (!claims) throw badRefreshToken();
    const store = visitorStore(c, claims.account);
    const next = nextToken(claims, now);
    const [rotated, , spent, ...found] = await store.record(
      ...rotate(store, claims, next),
      // What a release without families wrote down.
      store.select(spentTokens, { where: eq(spentTokens.id, claims.jti) }),
      ...widgetReads(store, eq(widgetKeys.id, claims.key_id), claims.agent_id),
    );
    const widget = assemble(...found);
    if (!widget) throw keyDisabled();
    const origin = allowPage(c, widget.key, claims.origin);
    if (!isOpen(widget)) throw keyDisabled();
    if (rotated.length === 0 || spent.length > 0) throw badRefreshToken();
    admitAgain(widget, claims);
    const { fam, auth_time } = claims;
    return issueSession(env.SIGNING_KEYS, { ...claims, origin }, { fam, auth_time, next }, now);
  });

  serve(app, contract.introspect, async ({ env, store, body, now }) => {
    const session = await readSession(env.SIGNING_KEYS, body.token, now);
    if ("refused" in session) return { active: false as const, reason: session.refused };
    const { sub, account, agent_id, visitor_type, key_id, fam = "", origin, exp } = session;
    const inactive = <R extends string>(reason: R) => ({ active: false as const, reason });
    if (account !== store.account) return inactive("invalid");
    const [[family], ...found] = await store.read(
      familyRead(store, fam),
      ...widgetReads(store, eq(widgetKeys.id, key_id), agent_id),
    );
    const widget = assemble(...found);
    if (!isOpen(widget)) return inactive("key_disabled");
    const hasEnded = family?.current === null;
    if (hasEnded || (origin && !admits(widget.key.domain_allowlist, origin))) return inactive("invalid");
    const refusal = sessionRefusal(widget, session);
    if (refusal === "widget_disabled" || refusal === "guest_not_allowed") return inactive(refusal);
    if (refusal) return inactive("invalid");
    return { active: true as const, sub, visitor_type, agent_id, expires_at: new Date(exp * 1000).toISOString() };
  });

  serve(app, contract.config, async ({ c, env, query, now }) => {
    const account = accountOfWidgetKey(query.client_key);
    if (account === null) throw unknownKey();
    requireOrigin(c);
    const entry = await readConfig(c, account, await sha256Hex(query.client_key), now);
    if (!entry.widget) throw unknownKey();
    const { allowlist, shown } = entry.widget;
    allowOrigin(c, allowlist);
    if (!shown) throw unknownKey();
    const age = Math.max(0, Math.floor((now - entry.at) / 1000));
    c.header("cache-control", `public, max-age=${CONFIG_LIFETIME_S - age}`);
    return { ...shown, runtime_url: env.VOICE_RUNTIME_URL || null };
  });
}

function visitorStore(c: Context<AppEnv>, account: string): AccountStore {
  return c.get("lookUps").visitorStore(account, c.get("requestId"), "latest");
}

/** The token's one use, which only the first of two at once gets, and the end of what need not be remembered. */
function spend(store: AccountStore, claims: { jti: string; exp: number }, now: number) {
  const past = sql`(SELECT id FROM spent_tokens WHERE account = ${store.account} AND expires_at < ${new Date(now).toISOString()} LIMIT ${SWEEP_ROWS})`;
  return [
    store.insertNew(spentTokens, { id: claims.jti, expires_at: rememberUntil(claims) }),
    store.delete(spentTokens, inArray(spentTokens.id, past)),
  ] as const;
}

/**
 * A page must be on the list. A caller without an Origin is no page: its token speaks for it, with the origin of the
 * page it was made for, if any. Gives the origin that the session goes on with.
 */
function allowPage(c: Context<AppEnv>, { domain_allowlist }: WidgetKeyRow, claimed: string | undefined) {
  if (c.req.header("origin") !== undefined) {
    allowOrigin(c, domain_allowlist);
    return requireOrigin(c);
  }
  if (claimed !== undefined && !admits(domain_allowlist, claimed)) throw notAllowed();
  return claimed;
}

/** Notes that the key is in use, durably as its deletion asks for it, and at most once a minute. */
async function noteUse(store: AccountStore, key: WidgetKeyRow, now: number): Promise<void> {
  const before = new Date(now - LAST_USE_EVERY_MS).toISOString();
  if (key.last_used_at !== null && key.last_used_at > before) return;
  const stale = or(isNull(widgetKeys.last_used_at), lt(widgetKeys.last_used_at, before));
  const isKey = and(eq(widgetKeys.id, key.id), stale) ?? eq(widgetKeys.id, key.id);
  await store.record(store.update(widgetKeys, { last_used_at: new Date(now).toISOString() }, isKey));
}
