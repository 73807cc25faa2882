import { may, type Operation } from "./may.ts";

/**
 * Screens that require a permission, each with the operation that needs it. `:id` matches one part of an address.
 */
const NEEDED: Partial<Record<string, Operation>> = {
  "/agents/new": "createAgent",
  "/agents/:id/talk": "createAgentSession",
  "/agents/:id/tests/new": "createAgentTest",
  "/api-keys/new": "createApiKey",
  "/audit-log": "listAuditEntries",
  "/audit-log/:id": "listAuditEntries",
  "/budgets/new": "createBudget",
  "/calls/new": "originateCall",
  "/campaigns/new": "createCampaign",
  "/carriers/new": "createTelephonyProvider",
  "/do-not-call/add": "addDoNotCall",
  "/faqs/new": "createFaq",
  "/members": "listMembers",
  "/members/:id": "listMembers",
  "/members/invite": "createInvitation",
  "/numbers/new": "createPhoneNumber",
  "/playbooks/new": "createPlaybook",
  "/privacy/forget": "createErasure",
  "/sign-in-policy": "updateSignInPolicy",
  "/tools/new": "createTool",
  "/tools/:id/run": "runTool",
  "/webhooks/new": "createWebhook",
  "/widget-keys/new": "createWidgetKey",
};

const SCREENS = Object.entries(NEEDED).map(([address, operation]) => ({
  pattern: new RegExp(`^${address.replaceAll(":id", "[^/]+")}$`),
  operation,
}));

/**
 * Returns the operation that a screen needs, by its address within the console. Undefined if every user may open the
 * screen.
 */
export function neededAt(address: string): Operation | undefined {
  const [path = ""] = address.split(/[?#]/);
  return SCREENS.find(({ pattern }) => pattern.test(path))?.operation;
}

/** Checks whether the user may open a screen. Links to other screens are hidden. */
export function mayOpen(address: string): boolean {
  const needed = neededAt(address);
  return needed === undefined || may(needed);
}
