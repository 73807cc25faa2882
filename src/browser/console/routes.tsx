import { Route } from "@solidjs/router";
import { lazy, Show } from "solid-js";
import { AgentRoutes } from "./screens/agents/routes.tsx";
import { ApiKeyRoutes } from "./screens/api-keys/routes.tsx";
import { AuditLogRoutes } from "./screens/audit-log/routes.tsx";
import { CallSettingsRoutes } from "./screens/call-settings/routes.tsx";
import { CallRoutes } from "./screens/calls/routes.tsx";
import { CampaignRoutes } from "./screens/campaigns/routes.tsx";
import { ConversationRoutes } from "./screens/conversations/routes.tsx";
import { DoNotCallRoutes } from "./screens/do-not-call/routes.tsx";
import { FaqRoutes } from "./screens/faqs/routes.tsx";
import { IntegrationRoutes } from "./screens/integrations/routes.tsx";
import { LimitsRoutes } from "./screens/limits/routes.tsx";
import { MarketplaceRoutes } from "./screens/marketplace/routes.tsx";
import { OperatorRoutes } from "./screens/operator/routes.tsx";
import { OverviewRoutes } from "./screens/overview/routes.tsx";
import { PlaybookRoutes } from "./screens/playbooks/routes.tsx";
import { ProfileRoutes } from "./screens/profile/routes.tsx";
import { RecordingRoutes } from "./screens/recordings/routes.tsx";
import { TelephonyRoutes } from "./screens/telephony/routes.tsx";
import { ToolRoutes } from "./screens/tools/routes.tsx";
import { WidgetKeyRoutes } from "./screens/widget-keys/routes.tsx";
import { isOperator } from "./session/session.ts";

/**
 * Every screen, loaded when it is gone to: those of an account, or the operators'; the others' are nowhere. A route with
 * `/:id` inside another shows a row in its list's side panel.
 */
export function Routes() {
  return (
    <>
      <Show when={isOperator()} fallback={<AccountRoutes />}>
        <OperatorRoutes />
      </Show>
      <AuditLogRoutes />
      <ProfileRoutes />
      <Route path="*" component={lazy(() => import("./screens/not-found.tsx"))} />
    </>
  );
}

function AccountRoutes() {
  return (
    <>
      <OverviewRoutes />
      <AgentRoutes />
      <MarketplaceRoutes />
      <ToolRoutes />
      <PlaybookRoutes />
      <FaqRoutes />
      <IntegrationRoutes />
      <TelephonyRoutes />
      <CallRoutes />
      <ConversationRoutes />
      <RecordingRoutes />
      <DoNotCallRoutes />
      <CallSettingsRoutes />
      <CampaignRoutes />
      <ApiKeyRoutes />
      <WidgetKeyRoutes />
      <LimitsRoutes />
    </>
  );
}
