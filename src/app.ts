import { OpenAPIHono } from "@hono/zod-openapi";
import { accounts } from "./accounts/routes.ts";
import { agentSessions } from "./agent-sessions/routes.ts";
import { attachments } from "./agents/attachments.ts";
import { agents } from "./agents/routes.ts";
import { apiKeys } from "./api-keys/routes.ts";
import { auditLog } from "./audit-log/routes.ts";
import { admit } from "./auth/admission.ts";
import { embeddedIdentity } from "./auth/embedded-routes.ts";
import { identity } from "./auth/routes.ts";
import { callLimits } from "./call-limits/routes.ts";
import { callSettings } from "./call-settings/routes.ts";
import { calls } from "./calls/routes.ts";
import { campaigns } from "./campaigns/routes.ts";
import { conversations } from "./conversations/routes.ts";
import { LookUps } from "./db/look-ups.ts";
import { doNotCall } from "./do-not-call/routes.ts";
import { accountStore } from "./durable/account-stores.ts";
import { idempotencyStore } from "./durable/objects.ts";
import { faqs } from "./faqs/routes.ts";
import { health } from "./health/routes.ts";
import { aliasedPath } from "./http/aliases.ts";
import { assertHost } from "./http/base-url.ts";
import { serveConsole } from "./http/console-page.ts";
import type { Admit, AppEnv } from "./http/context.ts";
import { serveDocs } from "./http/docs.ts";
import { renderError } from "./http/errors.ts";
import { finishHeaders } from "./http/headers.ts";
import { serveOpenApi } from "./http/openapi.ts";
import { serveStaticFiles } from "./http/static-files.ts";
import { unmatched } from "./http/unmatched.ts";
import { inbound } from "./inbound/routes.ts";
import { integrations } from "./integrations/routes.ts";
import { marketplace } from "./marketplace/routes.ts";
import { models } from "./models/routes.ts";
import { playbooks } from "./playbooks/routes.ts";
import { quotas } from "./quotas/routes.ts";
import { recordings } from "./recordings/routes.ts";
import { runtime } from "./runtime/routes.ts";
import { admitSession } from "./runtime/session/admit-session.ts";
import { TAGS } from "./tags.ts";
import { telephony } from "./telephony/routes.ts";
import { tools } from "./tools/routes.ts";
import { widget } from "./widget/routes.ts";

/** The whole service: every slice behind one door. */
export const app = new OpenAPIHono<AppEnv>({ getPath: aliasedPath });

/** Made once an isolate: to make one costs more than to ask it. */
const lookUps = new WeakMap<Env, LookUps>();
function lookUpsOf(env: Env): LookUps {
  const made = lookUps.get(env) ?? new LookUps(env.DB);
  lookUps.set(env, made);
  return made;
}

/** A runtime comes in by its session's token, everybody else as somebody of an account. */
const admitAny: Admit = (c, endpoint) => (endpoint.access === "runtime" ? admitSession(c) : admit(c, endpoint));

// Before anything is said of a request: a file has its own headers, as where it is served before the Worker.
serveStaticFiles(app);

app.use(async (c, next) => {
  c.set("requestId", crypto.randomUUID());
  c.set("now", Date.now());
  c.set("admit", admitAny);
  c.set("lookUps", lookUpsOf(c.env as Env));
  c.set("idempotencyKeys", (account, id) => idempotencyStore(c.env, account, id));
  c.set("openStore", (account, author, copy) => accountStore(c.env as Env, account, author, copy));
  await next();
  finishHeaders(c);
});
app.use((c, next) => {
  assertHost(c.env, c.req.url);
  return next();
});

for (const slice of [
  accounts,
  embeddedIdentity,
  identity,
  apiKeys,
  auditLog,
  agents,
  attachments,
  agentSessions,
  tools,
  playbooks,
  faqs,
  marketplace,
  integrations,
  telephony,
  calls,
  inbound,
  callLimits,
  callSettings,
  models,
  quotas,
  doNotCall,
  recordings,
  campaigns,
  conversations,
  runtime,
  widget,
  health,
])
  app.route("/", slice);

serveOpenApi(app, TAGS);
serveDocs(app);
serveConsole(app);

app.notFound(unmatched(app.routes));
app.onError(renderError);
