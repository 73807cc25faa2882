import { vi } from "vitest";
import { confirmationOf } from "../account/confirmations/support.ts";
import { erased } from "../account-data/erasures/support.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { recordingOf } from "../phone/recordings/support.ts";
import { held } from "../records/conversations/support.ts";
import type { Answer, Tenant } from "../support/client.ts";
import { person } from "../support/person.ts";

/**
 * How to create, in one account, the rows that an endpoint's path names, so that another account can try to reach them.
 * Each endpoint has one line: `METHOD /path` → the values of its parameters in order, and the body to send if it needs
 * one.
 */
export interface ForeignRow {
  params: (owner: Tenant) => Promise<string[]>;
  body?: unknown;
}

/** An endpoint that names no row of an account, and what separates its accounts instead. */
export type NoRow = { none: "list" | "create" | "shared" | "operator" | "public" | "runtime" };

const list: NoRow = { none: "list" };
const create: NoRow = { none: "create" };
const shared: NoRow = { none: "shared" };
const operator: NoRow = { none: "operator" };
const open: NoRow = { none: "public" };
/** The token itself determines its session. */
const session: NoRow = { none: "runtime" };

/** Returns the id of the resource that the owner just created. */
async function made(answer: Promise<Answer<{ id?: string; call_id?: string }>>): Promise<string> {
  const { status, body } = await answer;
  const id = body.id ?? body.call_id;
  if (status >= 300 || id === undefined) throw new Error(`nothing was made: ${status} ${JSON.stringify(body)}`);
  return id;
}

const agent = async ({ user }: Tenant) => [await made(user.post("/api/v1/agents", { name: "theirs" }))];
const phoneNumber = async ({ user }: Tenant) => [
  await made(user.post("/api/v1/telephony/numbers", { e164: "+12025550100", provider: "sandbox" })),
];
const credentials = async ({ user }: Tenant) => [
  await made(user.post("/api/v1/telephony/providers", { provider: "sandbox", credentials: {} })),
];
const phoneCall = async (owner: Tenant) => {
  const order = { ...(await ready(owner)), to_number: "+13035550110" };
  return [await made(owner.user.post("/api/v1/calls/originate", order))];
};
const campaign = async ({ user }: Tenant) => [await made(upload(user, contactsCsv(1)))];
const contact = async (owner: Tenant) => {
  const [id = ""] = await campaign(owner);
  const { contacts } = (await owner.user.get<{ contacts: { id: string }[] }>(`/api/v1/campaigns/${id}/contacts`)).body;
  return [id, contacts[0]?.id ?? ""];
};
const widgetKey = async ({ user }: Tenant) => [await made(user.post("/api/v1/widget-keys", { name: "theirs" }))];
const tool = async ({ user }: Tenant) => [await made(user.post("/api/v1/tools", { name: "theirs" }))];
const playbook = async ({ user }: Tenant) => [await made(user.post("/api/v1/playbooks", { name: "theirs" }))];
const budget = async ({ user }: Tenant) => {
  const body = { scope: "account", period: "day", unit: "tokens", limit: 9, action: "warn" };
  return [await made(user.post("/api/v1/budgets", body))];
};
const webhook = async ({ user }: Tenant) => [
  await made(user.post("/api/v1/webhooks", { url: "https://shop.example/hook", types: ["*"] })),
];
const webhookDelivery = async (owner: Tenant) => {
  const [id = ""] = await webhook(owner);
  // Only the delivery is needed, not its response.
  vi.stubGlobal("fetch", async () => new Response());
  const delivery = await made(owner.user.post(`/api/v1/webhooks/${id}/test`)).finally(() => vi.unstubAllGlobals());
  return [id, delivery];
};
const faq = async ({ user }: Tenant) => [await made(user.post("/api/v1/faqs", { name: "theirs" }))];
const withFaq = async (owner: Tenant) => {
  const [[id = ""], [faqId = ""]] = [await agent(owner), await faq(owner)];
  await made(owner.user.post(`/api/v1/agents/${id}/faqs`, { faq_id: faqId }));
  return [id, faqId];
};
const document = async ({ user }: Tenant) => [
  await made(user.post("/api/v1/knowledge", { title: "theirs", text: "Open on Mondays." })),
];
const withDocument = async (owner: Tenant) => {
  const [[id = ""], [documentId = ""]] = [await agent(owner), await document(owner)];
  await made(owner.user.post(`/api/v1/agents/${id}/knowledge`, { document_id: documentId }));
  return [id, documentId];
};
const withPlaybook = async (owner: Tenant) => {
  const [[id = ""], [playbookId = ""]] = [await agent(owner), await playbook(owner)];
  await made(owner.user.post(`/api/v1/agents/${id}/playbooks`, { playbook_id: playbookId }));
  return [id, playbookId];
};
const withTool = async (owner: Tenant) => {
  const [id = ""] = await agent(owner);
  await tool(owner);
  await owner.user.put(`/api/v1/agents/${id}/tools`, { tool_name: "theirs" });
  return [id, "theirs"];
};
const withPrompt = async (owner: Tenant) => {
  const [id = ""] = await agent(owner);
  const { prompts } = (await owner.user.get<{ prompts: { id: string }[] }>(`/api/v1/agents/${id}/prompts`)).body;
  return [id, prompts[0]?.id ?? ""];
};
const withVersion = async (owner: Tenant) => {
  const [id = ""] = await agent(owner);
  await owner.user.post(`/api/v1/agents/${id}/publish`);
  return [id, "1"];
};
const withTwoSides = async (owner: Tenant) => [...(await withVersion(owner)), "draft"];
const GOODBYE = { name: "theirs", steps: [{ says: "Goodbye" }] };
const agentTest = async (owner: Tenant) => {
  const [id = ""] = await agent(owner);
  return [id, await made(owner.user.post(`/api/v1/agents/${id}/tests`, GOODBYE))];
};
const testRun = async (owner: Tenant) => {
  const [id = ""] = await agentTest(owner);
  return [await made(owner.user.post(`/api/v1/agents/${id}/test-runs`))];
};
const blockedNumber = async ({ user }: Tenant) => {
  const e164 = "+13035550110";
  await user.post("/api/v1/do-not-call", { numbers: [e164] });
  return [e164];
};
const erasure = async (owner: Tenant) => {
  const { id } = await erased(owner, { visitor_id: "somebody" });
  return [id];
};
const recording = async (owner: Tenant) => {
  const [callId = ""] = await phoneCall(owner);
  return [(await recordingOf(owner.server, callId)).id];
};
const conversation = async (owner: Tenant) => [await held(owner)];
const ownSession = async ({ account }: Tenant) => {
  const { client } = await person(account);
  const { sessions } = (await client.get<{ sessions: { id: string }[] }>("/api/sessions")).body;
  return [sessions[0]?.id ?? ""];
};
const member = async ({ account }: Tenant) => [(await person(account)).id];
const invitation = async ({ user }: Tenant) => [
  await made(user.post("/api/v1/invitations", { email: "invited@people.example", role: "viewer" })),
];
const confirmation = async (owner: Tenant) => [(await confirmationOf(owner)).id];
const apiKey = async ({ key }: Tenant) => [key.id];

/** Every endpoint of the service. The test fails if one is missing. */
export const CASES: Record<string, ForeignRow | NoRow> = {
  "GET /.well-known/jwks.json": open,
  "GET /api/accounts": open,
  "GET /api/accounts/validate/{account}": open,
  "POST /api/login": open,
  "GET /api/login": open,
  "GET /api/login/callback": open,
  "GET /openapi.json": open,
  "GET /": open,
  "GET /api/v1": open,
  "GET /healthz": open,
  "GET /readyz": open,

  "POST /api/admin/v1/rekey": operator,
  "GET /api/admin/v1/tokens": operator,
  "POST /api/admin/v1/tokens": operator,
  "DELETE /api/admin/v1/tokens/{id}": operator,
  "GET /api/admin/v1/audit-log": operator,
  "GET /api/admin/v1/usage": operator,
  "GET /api/admin/v1/plans": operator,
  "GET /api/admin/v1/accounts": operator,
  "POST /api/admin/v1/accounts": operator,
  "GET /api/admin/v1/accounts/{account}": operator,
  "PATCH /api/admin/v1/accounts/{account}": operator,
  "DELETE /api/admin/v1/accounts/{account}": operator,
  "GET /api/admin/v1/accounts/{account}/deletion": operator,
  "POST /api/admin/v1/accounts/{account}/deletion/cancel": operator,
  "POST /api/admin/v1/accounts/{account}/backup": operator,
  "POST /api/admin/v1/accounts/{account}/backup/pages": operator,
  "GET /api/admin/v1/accounts/{account}/backup/files/{bucket}/{file}": operator,
  "PUT /api/admin/v1/accounts/{account}/restore": operator,
  "PUT /api/admin/v1/accounts/{account}/restore/pages": operator,
  "PUT /api/admin/v1/accounts/{account}/restore/files/{bucket}/{file}": operator,
  "POST /api/admin/v1/accounts/{account}/restore/removals": operator,
  "PUT /api/admin/v1/accounts/{account}/restore/erasures/{erasure}": operator,
  "POST /api/admin/v1/accounts/{account}/restore/finish": operator,
  "GET /api/admin/v1/accounts/{account}/users": operator,
  "POST /api/admin/v1/accounts/{account}/users": operator,
  "DELETE /api/admin/v1/accounts/{account}/users/{userId}": operator,
  "POST /api/admin/v1/accounts/{account}/users/{userId}/sign-out": operator,

  "POST /api/login/second-factor": open,
  "POST /api/password/reset": open,
  "GET /api/second-factor": list,
  "POST /api/second-factor": create,
  "POST /api/second-factor/confirm": create,
  "POST /api/second-factor/recovery-codes": create,
  "DELETE /api/second-factor": create,
  "GET /api/session": list,
  "POST /api/session/refresh": open,
  "GET /api/sessions": list,
  "DELETE /api/sessions/{id}": { params: ownSession },
  "GET /api/v1/sign-in-policy": list,
  "GET /api/v1/members": list,
  "PATCH /api/v1/members/{id}": { params: member, body: { role: "viewer" } },
  "DELETE /api/v1/members/{id}": { params: member },
  "POST /api/v1/members/{id}/reset-link": { params: member },
  "GET /api/v1/invitations": list,
  "POST /api/v1/invitations": create,
  "POST /api/v1/invitations/{id}/resend": { params: invitation },
  "DELETE /api/v1/invitations/{id}": { params: invitation },
  "POST /api/invitations/lookup": open,
  "POST /api/invitations/accept": open,
  "PATCH /api/v1/sign-in-policy": create,

  "POST /api/logout": create,
  "POST /api/memberships/join": create,
  "POST /api/password": create,

  "GET /api/v1/agents": list,
  "POST /api/v1/agents": create,
  "GET /api/v1/agents/{id}": { params: agent },
  "PATCH /api/v1/agents/{id}": { params: agent, body: { name: "mine now" } },
  "DELETE /api/v1/agents/{id}": { params: agent },

  "POST /api/v1/agents/{id}/faqs": { params: agent, body: { faq_id: "any" } },
  "DELETE /api/v1/agents/{id}/faqs/{faqId}": { params: withFaq },
  "POST /api/v1/agents/{id}/playbooks": { params: agent, body: { playbook_id: "any" } },
  "DELETE /api/v1/agents/{id}/playbooks/{playbookId}": { params: withPlaybook },
  "GET /api/v1/agents/{id}/tools": { params: agent },
  "POST /api/v1/agents/{id}/tools": { params: agent, body: { tool_name: "any" } },
  "PUT /api/v1/agents/{id}/tools": { params: agent, body: { tool_name: "any" } },
  "DELETE /api/v1/agents/{id}/tools/{toolName}": { params: withTool },
  "POST /api/v1/agents/{id}/order": { params: agent, body: { tools: [] } },
  "GET /api/v1/agents/{id}/prompts": { params: agent },
  "GET /api/v1/agents/{id}/effect": { params: agent },
  "GET /api/v1/agents/{id}/versions": { params: agent },
  "GET /api/v1/agents/{id}/versions/{number}": { params: withVersion },
  "GET /api/v1/agents/{id}/versions/{from}/diff/{to}": { params: withTwoSides },
  "POST /api/v1/agents/{id}/publish": { params: agent, body: {} },
  "POST /api/v1/agents/{id}/versions/{number}/restore": { params: withVersion },
  "POST /api/v1/agents/{id}/session": { params: agent },
  "POST /api/v1/agents/{id}/prompts/{promptId}/activate": { params: withPrompt },

  "GET /api/v1/agents/{id}/tests": { params: agent },
  "POST /api/v1/agents/{id}/tests": { params: agent, body: GOODBYE },
  "GET /api/v1/agents/{id}/tests/{testId}": { params: agentTest },
  "PATCH /api/v1/agents/{id}/tests/{testId}": { params: agentTest, body: { name: "mine now" } },
  "DELETE /api/v1/agents/{id}/tests/{testId}": { params: agentTest },
  "POST /api/v1/conversations/{id}/to-test": { params: conversation },
  "GET /api/v1/agents/{id}/test-runs": { params: agent },
  "POST /api/v1/agents/{id}/test-runs": { params: agent },
  "GET /api/v1/test-runs/{id}": { params: testRun },
  "GET /api/v1/test-runs/{id}/events": { params: testRun },
  "POST /api/v1/test-runs/{id}/events/ticket": { params: testRun },
  "GET /api/test-runs/{id}/events": open,

  "GET /api/v1/tools": list,
  "POST /api/v1/tools": create,
  "GET /api/v1/tools/{id}": { params: tool },
  "PUT /api/v1/tools/{id}": { params: tool, body: { description: "mine now" } },
  "DELETE /api/v1/tools/{id}": { params: tool },
  "POST /api/v1/tools/{id}/run": { params: tool, body: { arguments: {} } },
  "GET /api/v1/tools/{id}/runs": { params: tool },
  "GET /api/v1/playbooks": list,
  "POST /api/v1/playbooks": create,
  "GET /api/v1/playbooks/{id}": { params: playbook },
  "PUT /api/v1/playbooks/{id}": { params: playbook, body: { description: "mine now" } },
  "DELETE /api/v1/playbooks/{id}": { params: playbook },
  "POST /api/v1/agents/{id}/knowledge": {
    params: agent,
    body: { document_id: "019aa5bf-d8c1-7a36-8e52-90b7f4d2c11e" },
  },
  "DELETE /api/v1/agents/{id}/knowledge/{documentId}": { params: withDocument },
  "GET /api/v1/knowledge": list,
  "POST /api/v1/knowledge": create,
  "POST /api/v1/knowledge/search": list,
  "GET /api/v1/knowledge/unanswered": list,
  "GET /api/v1/knowledge/{id}": { params: document },
  "PATCH /api/v1/knowledge/{id}": { params: document, body: { title: "mine now" } },
  "DELETE /api/v1/knowledge/{id}": { params: document },
  "GET /api/v1/knowledge/{id}/content": { params: document },
  "GET /api/v1/knowledge/{id}/chunks": { params: document },
  "GET /api/v1/knowledge/{id}/pages": { params: document },
  "GET /api/v1/knowledge/{id}/original": { params: document },
  "POST /api/v1/knowledge/{id}/refresh": { params: document },
  "GET /api/v1/faqs": list,
  "POST /api/v1/faqs": create,
  "GET /api/v1/faqs/{id}": { params: faq },
  "PUT /api/v1/faqs/{id}": { params: faq, body: { title: "mine now" } },
  "DELETE /api/v1/faqs/{id}": { params: faq },

  // Templates and integrations are the same for every account. What an account installs of them is in its own rows.
  "GET /api/v1/marketplace/agents": list,
  "GET /api/v1/marketplace/agents/{id}": shared,
  "POST /api/v1/marketplace/agents/{id}/install": shared,
  "GET /api/v1/marketplace/categories": list,
  "GET /api/v1/integrations": list,
  "GET /api/v1/integrations/{id}": shared,
  "POST /api/v1/integrations/{id}/install": shared,
  "POST /api/v1/integrations/{id}/uninstall": shared,
  "POST /api/v1/integrations/{id}/verify": shared,
  "POST /api/v1/voices/preview": shared,
  "GET /api/v1/mcp-connections": list,
  "GET /api/v1/native-tools": list,
  "GET /api/v1/audit-log": list,

  "GET /api/v1/api-keys": list,
  "POST /api/v1/api-keys": create,
  "PATCH /api/v1/api-keys/{id}": { params: apiKey, body: { disabled: true } },
  "DELETE /api/v1/api-keys/{id}": { params: apiKey },

  "GET /api/v1/widget-keys": list,
  "POST /api/v1/widget-keys": create,
  "GET /api/v1/widget-keys/{id}/key": { params: widgetKey },
  "PATCH /api/v1/widget-keys/{id}": { params: widgetKey, body: { disabled: true } },
  "DELETE /api/v1/widget-keys/{id}": { params: widgetKey },
  "GET /api/v1/widget-settings": list,
  "PATCH /api/v1/widget-settings": create,
  "GET /api/v1/agents/{id}/widget-settings": { params: agent },
  "PATCH /api/v1/agents/{id}/widget-settings": { params: agent, body: { widget_enabled: false } },
  "POST /api/v1/widget/auth/guest": open,
  "POST /api/v1/widget/auth/user-token": create,
  "POST /api/v1/widget/auth/exchange": open,
  "POST /api/v1/widget/auth/refresh": open,
  "POST /api/v1/widget/auth/introspect": create,
  "GET /api/v1/widget/config": open,
  "GET /api/v1/widget/speech/{ticket}": open,

  "GET /api/v1/telephony/numbers": list,
  "POST /api/v1/telephony/numbers": create,
  "GET /api/v1/telephony/numbers/{id}": { params: phoneNumber },
  "PATCH /api/v1/telephony/numbers/{id}": { params: phoneNumber, body: { agent_id: null } },
  "DELETE /api/v1/telephony/numbers/{id}": { params: phoneNumber },
  "POST /api/v1/telephony/numbers/{id}/check": { params: phoneNumber },
  "GET /api/v1/telephony/providers": list,
  "POST /api/v1/telephony/providers": create,
  "DELETE /api/v1/telephony/providers/{id}": { params: credentials },
  "POST /api/v1/telephony/providers/{id}/verify": { params: credentials },
  "POST /api/v1/telephony/providers/{id}/numbers": { params: credentials },

  "POST /api/v1/calls/originate": create,
  "GET /api/v1/calls": list,
  "GET /api/v1/calls/export": list,
  "GET /api/v1/calls/statistics": list,
  "GET /api/v1/calls/{id}": { params: phoneCall },
  "POST /api/v1/calls/{id}/hangup": { params: phoneCall },
  "POST /api/telephony/webhooks/{provider}/{account}/{call_id}": open,
  "POST /api/telephony/inbound/{provider}/{account}": open,
  "POST /api/v1/sandbox/calls": create,
  "GET /api/v1/call-limits": list,
  "GET /api/v1/models": list,
  "GET /api/v1/voices": list,
  "GET /api/v1/quotas": list,
  "GET /api/v1/usage": list,
  "GET /api/v1/prices": list,
  "PATCH /api/v1/prices": create,
  "GET /api/v1/budgets": list,
  "POST /api/v1/budgets": create,
  "GET /api/v1/budgets/{id}": { params: budget },
  "PATCH /api/v1/budgets/{id}": { params: budget, body: { limit: 1 } },
  "DELETE /api/v1/budgets/{id}": { params: budget },
  "GET /api/v1/privacy": list,
  "PATCH /api/v1/privacy": create,
  "GET /api/v1/confirmations/{id}": { params: confirmation },
  "POST /api/v1/confirmations/{id}/approve": { params: confirmation },
  "POST /api/v1/confirmations/{id}/decline": { params: confirmation },
  "GET /api/v1/erasures": list,
  "POST /api/v1/erasures": create,
  "GET /api/v1/erasures/{id}": { params: erasure },
  "GET /api/v1/account": list,
  "PATCH /api/v1/account": create,
  "GET /api/v1/call-settings": list,
  "PATCH /api/v1/call-settings": create,

  "GET /api/v1/do-not-call": list,
  "POST /api/v1/do-not-call": create,
  "DELETE /api/v1/do-not-call/{e164}": { params: blockedNumber },

  "GET /api/v1/recordings": list,
  "GET /api/v1/recordings/{id}": { params: recording },
  "GET /api/v1/recordings/{id}/url": { params: recording },
  "DELETE /api/v1/recordings/{id}": { params: recording },
  "GET /api/recordings/{account}/{id}": open,

  "GET /runtime": open,
  "GET /runtime/{provider}/{account}/{credentials}/{call}": open,
  "GET /api/runtime/v1/session": session,
  "POST /api/runtime/v1/session/events": session,
  "POST /api/runtime/v1/session/hangup": session,
  "POST /api/runtime/v1/session/tools/{name}": session,
  "POST /api/runtime/v1/session/transfer": session,

  "GET /api/v1/webhooks": list,
  "POST /api/v1/webhooks": create,
  "GET /api/v1/webhooks/{id}": { params: webhook },
  "PATCH /api/v1/webhooks/{id}": { params: webhook, body: { enabled: false } },
  "DELETE /api/v1/webhooks/{id}": { params: webhook },
  "POST /api/v1/webhooks/{id}/rotate-secret": { params: webhook },
  "POST /api/v1/webhooks/{id}/test": { params: webhook },
  "GET /api/v1/webhooks/{id}/deliveries": { params: webhook },
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/resend": { params: webhookDelivery },
  "POST /api/v1/webhooks/{id}/resend": { params: webhook, body: { since: "2026-11-21T00:00:00Z" } },
  "GET /metrics": open,
  "GET /api/v1/events": list,
  "POST /mcp": list,
  "GET /api/v1/events/stream": list,
  "POST /api/v1/events/stream/ticket": create,
  "GET /api/events/stream": open,
  "GET /api/v1/event-types": shared,
  "GET /api/v1/conversations": list,
  "GET /api/v1/conversations/export": list,
  "GET /api/v1/conversations/{id}": { params: conversation },
  "GET /api/v1/conversations/{id}/transcript": { params: conversation },
  "GET /api/v1/conversations/{id}/trace": { params: conversation },
  "GET /api/v1/conversations/{id}/events": { params: conversation },
  "DELETE /api/v1/conversations/{id}": { params: conversation },
  "POST /api/v1/conversations/{id}/analyze": { params: conversation },
  "POST /api/v1/conversations/{id}/undo-opt-out": { params: conversation },

  "GET /api/v1/campaigns": list,
  "POST /api/v1/campaigns": create,
  "GET /api/v1/campaigns/{id}": { params: campaign },
  "PATCH /api/v1/campaigns/{id}": { params: campaign, body: { name: "mine now" } },
  "DELETE /api/v1/campaigns/{id}": { params: campaign },
  "POST /api/v1/campaigns/{id}/start": { params: campaign },
  "POST /api/v1/campaigns/{id}/pause": { params: campaign },
  "POST /api/v1/campaigns/{id}/resume": { params: campaign },
  "POST /api/v1/campaigns/{id}/stop": { params: campaign },
  "GET /api/v1/campaigns/{id}/contacts": { params: campaign },
  "POST /api/v1/campaigns/{id}/contacts": { params: campaign },
  "GET /api/v1/campaigns/{id}/contacts/{contactId}": { params: contact },
  "PATCH /api/v1/campaigns/{id}/contacts/{contactId}": { params: contact, body: { variables: { name: "mine now" } } },
  "POST /api/v1/campaigns/{id}/contacts/{contactId}/cancel": { params: contact },
  "POST /api/v1/campaigns/{id}/redial": { params: campaign, body: { outcomes: ["busy"] } },
  "POST /api/v1/campaigns/{id}/clone": { params: campaign, body: { contacts: "all" } },
  "GET /api/v1/campaigns/{id}/events": { params: campaign },
  "POST /api/v1/campaigns/{id}/events/ticket": { params: campaign },
  "GET /api/campaigns/{id}/events": open,
  "GET /api/v1/campaigns/{id}/export": { params: campaign },
  "GET /api/v1/campaigns/{id}/rejects": { params: campaign },
  "GET /api/v1/campaigns/{id}/duplicates": { params: campaign },
  "GET /api/v1/campaigns/{id}/history": { params: campaign },
  "GET /api/v1/campaigns/{id}/outcomes": { params: campaign },
  "GET /api/v1/campaigns/{id}/plan": { params: campaign },
};
