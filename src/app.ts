import { OpenAPIHono } from "@hono/zod-openapi";
import { apiKeys } from "./account/api-keys/routes.ts";
import { auditLog } from "./account/audit-log/routes.ts";
import { admit, enter } from "./account/auth/admission.ts";
import { embeddedIdentity } from "./account/auth/embedded-routes.ts";
import { identity } from "./account/auth/routes.ts";
import { ownSessions } from "./account/auth/session-routes.ts";
import { budgets } from "./account/budgets/routes.ts";
import { confirmations } from "./account/confirmations/routes.ts";
import { health } from "./account/health/routes.ts";
import { inServiceReads } from "./account/in-service/reads.ts";
import { invitations } from "./account/invitations/routes.ts";
import { members } from "./account/members/routes.ts";
import { memberships } from "./account/memberships/routes.ts";
import { metrics } from "./account/metrics/routes.ts";
import { accounts } from "./account/operators/routes.ts";
import { operatorTokens } from "./account/operators/tokens-routes.ts";
import { ownAccount } from "./account/own-account/routes.ts";
import { privacy } from "./account/privacy/routes.ts";
import { quotas } from "./account/quotas/routes.ts";
import { secondFactor } from "./account/second-factor/routes.ts";
import { signInPolicy } from "./account/sign-in-policy/routes.ts";
import { backups } from "./account-data/backup/routes.ts";
import { accountDeletions } from "./account-data/deletion/routes.ts";
import { erasures } from "./account-data/erasures/routes.ts";
import { attachments } from "./agent/agents/attachments.ts";
import { agents } from "./agent/agents/routes.ts";
import { faqs } from "./agent/faqs/routes.ts";
import { integrations } from "./agent/integrations/routes.ts";
import { knowledge } from "./agent/knowledge/routes.ts";
import { marketplace } from "./agent/marketplace/routes.ts";
import { models } from "./agent/models/routes.ts";
import { playbooks } from "./agent/playbooks/routes.ts";
import { agentTests } from "./agent/tests/routes.ts";
import { tools } from "./agent/tools/routes.ts";
import { agentVersions } from "./agent/versions/routes.ts";
import { campaigns } from "./campaign/routes.ts";
import { agentSessions } from "./conversation/agent-sessions/routes.ts";
import { runtimeRoutes } from "./conversation/runtime/routes.ts";
import { admitRuntime } from "./conversation/runtime/session/admit-runtime.ts";
import { testRuns } from "./conversation/test-runs/routes.ts";
import { widget } from "./conversation/widget/routes.ts";
import { serveConsole } from "./kernel/http/console-page.ts";
import type { AppEnv } from "./kernel/http/context.ts";
import { serveDocs } from "./kernel/http/docs.ts";
import { renderError } from "./kernel/http/errors.ts";
import { serveOpenApi } from "./kernel/http/openapi.ts";
import { RememberingRouter } from "./kernel/http/remembering-router.ts";
import { aliasedPath } from "./kernel/http/request-path.ts";
import { requestScope } from "./kernel/http/request-scope.ts";
import { serveStaticFiles } from "./kernel/http/static-files.ts";
import { TAGS } from "./kernel/http/tags.ts";
import { unmatched } from "./kernel/http/unmatched.ts";
import { mcp } from "./mcp/routes.ts";
import { callLimits } from "./phone/call-limits/routes.ts";
import { callSettings } from "./phone/call-settings/routes.ts";
import { calls } from "./phone/calls/routes.ts";
import { doNotCall } from "./phone/do-not-call/routes.ts";
import { effect } from "./phone/effect/routes.ts";
import { inbound } from "./phone/inbound/routes.ts";
import { recordings } from "./phone/recordings/routes.ts";
import { telephony } from "./phone/telephony/routes.ts";
import { voices } from "./phone/voices/routes.ts";
import { conversations } from "./records/conversations/routes.ts";
import { events } from "./records/events/routes.ts";
import { EVENTS } from "./records/events/types.ts";
import { prices } from "./records/prices/routes.ts";
import { usage } from "./records/usage/routes.ts";
import { webhooks } from "./records/webhooks/routes.ts";

/** The whole service: every slice, mounted in one application. */
export const app = new OpenAPIHono<AppEnv>({ getPath: aliasedPath, router: new RememberingRouter() });

// Static files come first. They set their own headers, as they do when the platform serves them before the Worker.
serveStaticFiles(app);

// Runtimes authenticate for one session, all other clients with account credentials.
app.use(requestScope({ runtime: admitRuntime, account: admit, reader: enter }, inServiceReads));

for (const slice of [
  accounts,
  operatorTokens,
  accountDeletions,
  backups,
  embeddedIdentity,
  identity,
  ownSessions,
  memberships,
  ownAccount,
  secondFactor,
  signInPolicy,
  members,
  invitations,
  apiKeys,
  confirmations,
  auditLog,
  agents,
  attachments,
  agentVersions,
  agentSessions,
  tools,
  playbooks,
  faqs,
  knowledge,
  agentTests,
  testRuns,
  marketplace,
  integrations,
  telephony,
  calls,
  inbound,
  callLimits,
  callSettings,
  effect,
  models,
  voices,
  quotas,
  budgets,
  privacy,
  erasures,
  doNotCall,
  recordings,
  campaigns,
  conversations,
  prices,
  usage,
  events,
  webhooks,
  runtimeRoutes,
  widget,
  health,
  mcp((request, c) => app.fetch(request, c.env, c.executionCtx)),
  metrics,
])
  app.route("/", slice);

serveOpenApi(app, TAGS, EVENTS);
serveDocs(app);
serveConsole(app);

app.notFound(unmatched(app.routes));
app.onError(renderError);
