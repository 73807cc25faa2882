import { Navigate, type RouteDefinition, type RouteSectionProps } from "@solidjs/router";
import { type Component, lazy, Suspense } from "solid-js";
import { isOperator } from "./session/session.ts";
import { Skeleton } from "./ui/feedback.tsx";

type Screen = Component<RouteSectionProps>;

/**
 * Returns a screen that shows a skeleton until its script is loaded. If it suspended, the router would wait for the
 * script with the old address, and whatever rendered in the meantime would keep that address.
 */
function screen(load: () => Promise<{ default: Screen }>) {
  const Loaded = lazy(load);
  const shown: Screen = (props) => (
    <Suspense fallback={<Skeleton />}>
      <Loaded {...props} />
    </Suspense>
  );
  return Object.assign(shown, { preload: Loaded.preload });
}

/** Loads one of several screens that a module exports. */
const named = (load: () => Promise<Screen>) => screen(async () => ({ default: await load() }));
/** Returns the routes of a list and of its side panels, by the rest of their addresses. */
const listed = (path: string, list: Screen, panels: Record<string, Screen>): RouteDefinition => ({
  path,
  component: list,
  children: [{ path: "/" }, ...Object.entries(panels).map(([rest, component]) => ({ path: rest, component }))],
});

const AGENT: RouteDefinition = {
  path: "/agents/:id",
  component: screen(() => import("./screens/agents/agent.tsx")),
  children: [
    { path: "/", component: screen(() => import("./screens/agents/prompt/prompt.tsx")) },
    { path: "/settings", component: screen(() => import("./screens/agents/settings/settings.tsx")) },
    { path: "/analysis", component: screen(() => import("./screens/agents/analysis/analysis.tsx")) },
    listed(
      "/tests",
      screen(() => import("./screens/agents/tests/tests.tsx")),
      {
        "/new": named(async () => (await import("./screens/agents/tests/test-panel.tsx")).NewTest),
        "/runs/:runId": screen(() => import("./screens/agents/tests/run-panel.tsx")),
        "/:testId": screen(() => import("./screens/agents/tests/test-panel.tsx")),
      },
    ),
    { path: "/versions", component: screen(() => import("./screens/agents/versions/versions.tsx")) },
    { path: "/knowledge", component: screen(() => import("./screens/agents/knowledge/knowledge.tsx")) },
    { path: "/widget", component: screen(() => import("./screens/agents/widget/widget.tsx")) },
    { path: "/talk", component: screen(() => import("./screens/agents/talk/talk.tsx")) },
  ],
};

const CAMPAIGN: RouteDefinition = {
  path: "/campaigns/:id",
  component: screen(() => import("./screens/campaigns/campaign.tsx")),
  children: [
    {
      path: ["/", "/contacts/:contactId"],
      component: screen(() => import("./screens/campaigns/board/board.tsx")),
    },
    { path: "/plan", component: screen(() => import("./screens/campaigns/plan/plan.tsx")) },
    { path: "/import", component: screen(() => import("./screens/campaigns/import/import-report.tsx")) },
    { path: "/settings", component: screen(() => import("./screens/campaigns/settings/settings.tsx")) },
  ],
};

const ACCOUNT: RouteDefinition[] = [
  { path: "/", component: screen(() => import("./screens/overview/overview.tsx")) },
  { path: "/agents", component: screen(() => import("./screens/agents/agents.tsx")) },
  { path: "/agents/new", component: screen(() => import("./screens/agents/new-agent.tsx")) },
  AGENT,
  listed(
    "/marketplace",
    screen(() => import("./screens/marketplace/marketplace.tsx")),
    {
      "/:id": screen(() => import("./screens/marketplace/template-panel.tsx")),
    },
  ),
  listed(
    "/tools",
    screen(() => import("./screens/tools/tools.tsx")),
    {
      "/new": screen(() => import("./screens/tools/new-tool.tsx")),
      "/:id/:part?": screen(() => import("./screens/tools/tool-panel.tsx")),
    },
  ),
  listed(
    "/playbooks",
    screen(() => import("./screens/playbooks/playbooks.tsx")),
    {
      "/new": named(async () => (await import("./screens/playbooks/playbook-panel.tsx")).NewPlaybook),
      "/:id": screen(() => import("./screens/playbooks/playbook-panel.tsx")),
    },
  ),
  listed(
    "/knowledge",
    screen(() => import("./screens/knowledge/documents.tsx")),
    { "/:id": screen(() => import("./screens/knowledge/document-panel.tsx")) },
  ),
  listed(
    "/faqs",
    screen(() => import("./screens/faqs/faqs.tsx")),
    {
      "/new": named(async () => (await import("./screens/faqs/faq-panel.tsx")).NewFaq),
      "/:id": screen(() => import("./screens/faqs/faq-panel.tsx")),
    },
  ),
  listed(
    "/integrations",
    screen(() => import("./screens/integrations/integrations.tsx")),
    {
      "/:id": screen(() => import("./screens/integrations/integration-panel.tsx")),
    },
  ),
  listed(
    "/numbers",
    screen(() => import("./screens/telephony/numbers.tsx")),
    {
      "/new": screen(() => import("./screens/telephony/new-number.tsx")),
      "/:id": screen(() => import("./screens/telephony/number-panel.tsx")),
    },
  ),
  listed(
    "/carriers",
    screen(() => import("./screens/telephony/carriers.tsx")),
    {
      "/new": screen(() => import("./screens/telephony/new-carrier.tsx")),
      "/:id": screen(() => import("./screens/telephony/carrier-panel.tsx")),
    },
  ),
  listed(
    "/calls",
    screen(() => import("./screens/calls/calls.tsx")),
    {
      "/new": screen(() => import("./screens/calls/place-call.tsx")),
      "/:id": screen(() => import("./screens/calls/call-panel.tsx")),
    },
  ),
  listed(
    "/conversations",
    screen(() => import("./screens/conversations/conversations.tsx")),
    {
      "/:id": screen(() => import("./screens/conversations/conversation-panel.tsx")),
    },
  ),
  listed(
    "/recordings",
    screen(() => import("./screens/recordings/recordings.tsx")),
    {
      "/:id": screen(() => import("./screens/recordings/recording-panel.tsx")),
    },
  ),
  listed(
    "/do-not-call",
    screen(() => import("./screens/do-not-call/do-not-call.tsx")),
    {
      "/add": screen(() => import("./screens/do-not-call/add-numbers.tsx")),
    },
  ),
  listed(
    "/budgets",
    screen(() => import("./screens/budgets/budgets.tsx")),
    {
      "/new": named(async () => (await import("./screens/budgets/budget-panel.tsx")).NewBudget),
      "/:id": screen(() => import("./screens/budgets/budget-panel.tsx")),
    },
  ),
  { path: "/usage", component: screen(() => import("./screens/usage/usage.tsx")) },
  listed(
    "/prices",
    screen(() => import("./screens/prices/prices.tsx")),
    {
      "/:id": screen(() => import("./screens/prices/price-panel.tsx")),
    },
  ),
  listed(
    "/privacy",
    screen(() => import("./screens/privacy/privacy.tsx")),
    {
      "/forget": screen(() => import("./screens/privacy/erase-person.tsx")),
      "/:id": screen(() => import("./screens/privacy/receipt-panel.tsx")),
    },
  ),
  { path: "/call-settings", component: screen(() => import("./screens/call-settings/call-settings.tsx")) },
  { path: "/campaigns", component: screen(() => import("./screens/campaigns/list/campaigns.tsx")) },
  { path: "/campaigns/new", component: screen(() => import("./screens/campaigns/new/new-campaign.tsx")) },
  CAMPAIGN,
  listed(
    "/api-keys",
    screen(() => import("./screens/api-keys/api-keys.tsx")),
    {
      "/new": named(async () => (await import("./screens/api-keys/api-key-panel.tsx")).NewApiKey),
      "/:id": screen(() => import("./screens/api-keys/api-key-panel.tsx")),
    },
  ),
  listed(
    "/widget-keys",
    screen(() => import("./screens/widget-keys/widget-keys.tsx")),
    {
      "/new": named(async () => (await import("./screens/widget-keys/widget-key-panel.tsx")).NewWidgetKey),
      "/:id": screen(() => import("./screens/widget-keys/widget-key-panel.tsx")),
    },
  ),
  listed(
    "/webhooks",
    screen(() => import("./screens/webhooks/webhooks.tsx")),
    {
      "/new": screen(() => import("./screens/webhooks/new-webhook.tsx")),
      "/:id/:part?": screen(() => import("./screens/webhooks/webhook-panel.tsx")),
    },
  ),
  { path: "/confirmations/:id", component: screen(() => import("./screens/confirmations/confirmation.tsx")) },
  { path: "/account", component: screen(() => import("./screens/account/account.tsx")) },
  { path: "/sign-in-policy", component: screen(() => import("./screens/sign-in-policy/sign-in-policy.tsx")) },
  listed(
    "/members",
    screen(() => import("./screens/members/members.tsx")),
    {
      "/invite": screen(() => import("./screens/members/invite.tsx")),
      "/:id": screen(() => import("./screens/members/member-panel.tsx")),
    },
  ),
  { path: "/limits", component: screen(() => import("./screens/limits/limits.tsx")) },
  {
    path: ["/audit-log", "/audit-log/:id"],
    component: screen(() => import("./screens/audit-log/audit-log.tsx")),
  },
];

/** The screens of the service's operators, who have none of the account screens. */
const OPERATOR: RouteDefinition[] = [
  { path: "/", component: () => <Navigate href="/accounts" /> },
  listed(
    "/accounts",
    screen(() => import("./screens/operator/accounts.tsx")),
    {
      "/new": screen(() => import("./screens/operator/new-account.tsx")),
      "/:id": screen(() => import("./screens/operator/account-panel.tsx")),
    },
  ),
  { path: "/service", component: screen(() => import("./screens/operator/service.tsx")) },
  {
    path: ["/operator-audit-log", "/operator-audit-log/:id"],
    component: screen(() => import("./screens/audit-log/operator-audit-log.tsx")),
  },
];

const EVERYBODY: RouteDefinition[] = [
  { path: "/profile", component: screen(() => import("./screens/profile/profile.tsx")) },
  { path: "*", component: screen(() => import("./screens/not-found.tsx")) },
];

/** Returns the routes of all screens for signed-in users. */
export const routes = (): RouteDefinition[] => [...(isOperator() ? OPERATOR : ACCOUNT), ...EVERYBODY];
