import { contactsCsv, ready, upload } from "../campaigns/support.ts";
import { recordingOf } from "../recordings/support.ts";
import type { Answer, Tenant } from "../support/client.ts";

/**
 * How to make, in one account, the rows an endpoint's path names, so that another account can try to reach them. One
 * line per endpoint: `METHOD /path` → the values of its parameters in order, and the body to send if it needs one.
 */
export interface ForeignRow {
  params: (owner: Tenant) => Promise<string[]>;
  body?: unknown;
}

/** An endpoint that names no row of an account, and what keeps its accounts apart instead. */
export type NoRow = { none: "list" | "create" | "operator" | "public" };

const list: NoRow = { none: "list" };
const create: NoRow = { none: "create" };
const operator: NoRow = { none: "operator" };
const open: NoRow = { none: "public" };

/** The id of what the owner just made. */
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
const blockedNumber = async ({ user }: Tenant) => {
  const e164 = "+13035550110";
  await user.post("/api/v1/do-not-call", { numbers: [e164] });
  return [e164];
};
const recording = async (owner: Tenant) => {
  const [callId = ""] = await phoneCall(owner);
  return [(await recordingOf(owner.server, callId)).id];
};
const apiKey = async ({ key }: Tenant) => [key.id];

/** Every endpoint of the service; the test fails on one that is not here. */
export const CASES: Record<string, ForeignRow | NoRow> = {
  "GET /.well-known/jwks.json": open,
  "GET /api/accounts": open,
  "GET /api/accounts/validate/{account}": open,
  "POST /api/login": open,
  "GET /api/login": open,
  "GET /openapi.json": open,
  "GET /docs": open,

  "GET /api/admin/v1/accounts": operator,
  "POST /api/admin/v1/accounts": operator,
  "GET /api/admin/v1/accounts/{account}": operator,
  "PATCH /api/admin/v1/accounts/{account}": operator,
  "GET /api/admin/v1/accounts/{account}/users": operator,
  "POST /api/admin/v1/accounts/{account}/users": operator,
  "DELETE /api/admin/v1/accounts/{account}/users/{userId}": operator,

  "GET /api/v1/agents": list,
  "POST /api/v1/agents": create,
  "GET /api/v1/agents/{id}": { params: agent },
  "PATCH /api/v1/agents/{id}": { params: agent, body: { name: "mine now" } },
  "DELETE /api/v1/agents/{id}": { params: agent },

  "GET /api/v1/api-keys": list,
  "POST /api/v1/api-keys": create,
  "PATCH /api/v1/api-keys/{id}": { params: apiKey, body: { disabled: true } },
  "DELETE /api/v1/api-keys/{id}": { params: apiKey },

  "GET /api/v1/telephony/numbers": list,
  "POST /api/v1/telephony/numbers": create,
  "PATCH /api/v1/telephony/numbers/{id}": { params: phoneNumber, body: { agent_id: null } },
  "DELETE /api/v1/telephony/numbers/{id}": { params: phoneNumber },
  "GET /api/v1/telephony/providers": list,
  "POST /api/v1/telephony/providers": create,
  "DELETE /api/v1/telephony/providers/{id}": { params: credentials },
  "POST /api/v1/telephony/providers/{id}/verify": { params: credentials },

  "POST /api/v1/calls/originate": create,
  "GET /api/v1/calls": list,
  "GET /api/v1/calls/{id}": { params: phoneCall },
  "POST /api/v1/calls/{id}/hangup": { params: phoneCall },
  "POST /api/telephony/webhooks/{provider}/{account}/{call_id}": open,
  "POST /api/telephony/inbound/{provider}/{account}": open,
  "GET /api/v1/call-limits": list,

  "GET /api/v1/do-not-call": list,
  "POST /api/v1/do-not-call": create,
  "DELETE /api/v1/do-not-call/{e164}": { params: blockedNumber },

  "GET /api/v1/recordings": list,
  "GET /api/v1/recordings/{id}": { params: recording },
  "GET /api/v1/recordings/{id}/url": { params: recording },
  "DELETE /api/v1/recordings/{id}": { params: recording },
  "GET /api/recordings/{account}/{id}": open,

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
  "GET /api/v1/campaigns/{id}/contacts/{contactId}": { params: contact },
  "GET /api/v1/campaigns/{id}/events": { params: campaign },
  "GET /api/v1/campaigns/{id}/export": { params: campaign },
  "GET /api/v1/campaigns/{id}/rejects": { params: campaign },
  "GET /api/v1/campaigns/{id}/history": { params: campaign },
  "GET /api/v1/campaigns/{id}/plan": { params: campaign },
};
