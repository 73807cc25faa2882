import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { admitVisitor, isOpen, keyDisabled, unknownKey } from "../../account/visitors/policy.ts";
import { maySignIn, signerRead } from "../../account/visitors/signer.ts";
import { assemble, widgetReads } from "../../account/visitors/widget-lookup.ts";
import { assertOpen } from "../../kernel/db/account-store.ts";
import { widgetKeys } from "../../kernel/db/schema/index.ts";
import { spendOnce } from "../../kernel/db/spend-once.ts";
import { runtimeUrl } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import { answerHeader, jsonResponse } from "../../kernel/http/headers.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { accountOfWidgetKey } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { readConfig } from "./config.ts";
import { CONFIG_LIFETIME_S, parseClientKey } from "./config-cache.ts";
import { allowCaller, allowOrigin, forPages, pageOf, requireOrigin } from "./cors.ts";
import { introspectSession } from "./introspect-session.ts";
import { noteUse } from "./key-use.ts";
import { mintVisitorToken } from "./mint-visitor-token.ts";
import { refreshSession } from "./refresh-session.ts";
import { type VisitorContext, visitorContext } from "./visitor-context.ts";
import type { shownConfig } from "./visitor-contract.ts";
import * as contract from "./visitor-contract.ts";
import { issueSession, newFamily, readVisitorToken, rememberUntil } from "./visitor-session.ts";

/**
 * Mounts the routes for customers' pages, their backends and media runtimes. Each costs one D1 round trip; config often
 * none.
 */
export function mountVisitorRoutes(app: OpenAPIHono<AppEnv>): void {
  app.use("/api/v1/widget/*", forPages);

  serve(app, contract.guest, ({ c, body }) => beginGuestSession(visitorContext(c), body.client_key));

  serve(
    app,
    contract.userToken,
    ({ env, store, principal, body, now }) =>
      mintVisitorToken({ env, store, principal, now }, { clientKey: body.client_key, userId: body.user_id }),
    idempotent("an unused token expires within two minutes"),
  );

  serve(app, contract.exchange, ({ c, body }) => exchangeVisitorToken(visitorContext(c), body.visitor_token));

  serve(app, contract.refresh, ({ c, body }) => refreshSession(visitorContext(c), body.refresh_token));

  serve(
    app,
    contract.introspect,
    ({ env, store, body, now }) => introspectSession({ env, store, now }, body.token),
    idempotent("it only reads"),
  );

  serve(app, contract.config, async ({ c, env, query, now }) => {
    const key = await parseClientKey(query.client_key);
    if (key === null) throw unknownKey();
    const page = pageOf(c);
    requireOrigin(page);
    const entry = await readConfig(c, key.account, key.hash, now);
    if (!entry.widget) throw unknownKey();
    const { allowlist, shown } = entry.widget;
    allowOrigin(page, allowlist);
    if (!shown) throw unknownKey();
    const age = Math.max(0, Math.floor((now - entry.at) / 1000));
    answerHeader(c, "cache-control", `public, max-age=${CONFIG_LIFETIME_S - age}`);
    return jsonResponse(c, configText(shown, env), 200);
  });
}

const texts = new WeakMap<object, string>();

/** Returns a widget's configuration as it is sent: validated and serialized once while it is cached. */
function configText(shown: z.output<typeof shownConfig>, env: Bindings): string {
  const cached = texts.get(shown);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(contract.config.response?.parse({ ...shown, runtime_url: runtimeUrl(env) }));
  texts.set(shown, text);
  return text;
}

/**
 * Begins a session for an anonymous visitor of a page. @throws ApiError if the key or its agent does not allow guests
 * there
 */
async function beginGuestSession(context: VisitorContext, clientKey: string) {
  const { env, page, now } = context;
  const account = accountOfWidgetKey(clientKey);
  if (account === null) throw unknownKey();
  const origin = requireOrigin(page);
  const store = context.openStore(account);
  const isKey = eq(widgetKeys.hash, await sha256Hex(clientKey));
  const [accountStatus, ...found] = await store.read(store.accountStatus(), ...widgetReads(store, isKey));
  assertOpen(accountStatus);
  const widget = assemble(...found);
  if (!widget) throw unknownKey();
  const { key } = widget;
  allowOrigin(page, key.domain_allowlist);
  if (!isOpen(widget)) throw unknownKey();
  const agent = admitVisitor(widget, "guest");
  if (!(await noteUse(store, key, now))) throw unknownKey();
  const sub = crypto.randomUUID();
  const visitor = { sub, account, agent_id: agent.id, visitor_type: "guest", key_id: key.id, origin } as const;
  return issueSession(env.SIGNING_KEYS, visitor, newFamily(now), now);
}

const badToken = () => invalidField("visitor_token", "token_invalid", "is invalid, has expired or was already used");

/** Begins a session for the user in a backend's token, which can be used once. @throws ApiError 400, 403 */
async function exchangeVisitorToken(context: VisitorContext, token: string) {
  const { env, page, now } = context;
  const claims = await readVisitorToken(env.SIGNING_KEYS, token, now);
  if (!claims) throw badToken();
  const { sub, account, key_id } = claims;
  const store = context.openStore(account);
  const [accountStatus, signer, spent, , ...found] = await store.record(
    store.accountStatus(),
    signerRead(store, claims.made_by),
    ...spendOnce(store, claims.jti, rememberUntil(claims), now),
    ...widgetReads(store, eq(widgetKeys.id, key_id)),
  );
  assertOpen(accountStatus);
  const widget = assemble(...found);
  if (!widget) throw keyDisabled();
  const origin = allowCaller(page, widget.key.domain_allowlist, undefined);
  if (!isOpen(widget)) throw keyDisabled();
  if (spent.length === 0 || !maySignIn(signer, widget.key.agent_id, now)) throw badToken();
  const agent = admitVisitor(widget, "user");
  const visitor = { sub, account, agent_id: agent.id, visitor_type: "user", key_id, origin } as const;
  return issueSession(env.SIGNING_KEYS, visitor, newFamily(now, claims.made_by), now);
}
