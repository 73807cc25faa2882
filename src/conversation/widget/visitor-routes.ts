import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { unknownKey } from "../../account/visitors/policy.ts";
import { runtimeUrl } from "../../kernel/http/base-url.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { answerHeader, jsonResponse } from "../../kernel/http/headers.ts";
import { harmless, serve } from "../../kernel/http/serve.ts";
import { accountOfWidgetKey } from "../../kernel/secrets/api-key.ts";
import { beginGuestSession } from "./begin-guest-session.ts";
import { readConfig } from "./config.ts";
import { CONFIG_LIFETIME_S, hashOf } from "./config-cache.ts";
import { allowOrigin, forPages, pageOf, requireOrigin } from "./cors.ts";
import { exchangeVisitorToken } from "./exchange-visitor-token.ts";
import { introspectSession } from "./introspect-session.ts";
import { mintVisitorToken } from "./mint-visitor-token.ts";
import { refreshSession } from "./refresh-session.ts";
import { visitorContext } from "./visitor-context.ts";
import type { shownConfig } from "./visitor-contract.ts";
import * as contract from "./visitor-contract.ts";

/** What customers' pages, their backends and media runtimes call. Each costs one D1 round trip; config often none. */
export function mountVisitorRoutes(app: OpenAPIHono<AppEnv>): void {
  app.use("/api/v1/widget/*", forPages);

  serve(app, contract.guest, ({ c, body }) => beginGuestSession(visitorContext(c), body.client_key));

  serve(
    app,
    contract.userToken,
    ({ env, store, principal, body, now }) =>
      mintVisitorToken({ env, store, principal, now }, { clientKey: body.client_key, userId: body.user_id }),
    harmless("a token that nobody has seen runs out within two minutes"),
  );

  serve(app, contract.exchange, ({ c, body }) => exchangeVisitorToken(visitorContext(c), body.visitor_token));

  serve(app, contract.refresh, ({ c, body }) => refreshSession(visitorContext(c), body.refresh_token));

  serve(
    app,
    contract.introspect,
    ({ env, store, body, now }) => introspectSession({ env, store, now }, body.token),
    harmless("it only reads"),
  );

  serve(app, contract.config, async ({ c, env, query, now }) => {
    const account = accountOfWidgetKey(query.client_key);
    if (account === null) throw unknownKey();
    const page = pageOf(c);
    requireOrigin(page);
    const entry = await readConfig(c, account, await hashOf(query.client_key), now);
    if (!entry.widget) throw unknownKey();
    const { allowlist, shown } = entry.widget;
    allowOrigin(page, allowlist);
    if (!shown) throw unknownKey();
    const age = Math.max(0, Math.floor((now - entry.at) / 1000));
    answerHeader(c, "cache-control", `public, max-age=${CONFIG_LIFETIME_S - age}`);
    return jsonResponse(c, configText(shown, runtimeUrl(env)), 200);
  });
}

const texts = new WeakMap<object, string>();

/** A widget's configuration as sent: validated and serialized once for as long as it is cached. */
function configText(shown: z.output<typeof shownConfig>, runtime_url: string | null): string {
  const cached = texts.get(shown);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(contract.config.response?.parse({ ...shown, runtime_url }));
  texts.set(shown, text);
  return text;
}
