import { env } from "cloudflare:workers";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { ring } from "../../phone/inbound/support.ts";
import { Client, type Tenant } from "../../support/client.ts";
import { ownTools } from "../../support/own-tools.ts";
import { runtimeFor } from "../../support/runtime.ts";

export interface Version {
  number: number | null;
  hash: string;
  note: string | null;
  created_at: string | null;
  published_at: string | null;
  published_by: string | null;
  live: boolean;
}

/** The agent, as a runtime gets it. */
export interface Snapshot {
  agent: Record<string, unknown> & { version: number | null; prompt_id: string | null };
  faqs: { name: string; content: string }[];
  playbooks: { name: string; content: string }[];
  tools: { name: string; description: string }[];
  unavailable_tools: { name: string; reason: string }[];
}

export const agentPath = (id: string) => `/api/v1/agents/${id}`;
export const versionsPath = (id: string) => `${agentPath(id)}/versions`;

export async function newAgent(client: Client, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await client.post<{ id: string }>("/api/v1/agents", { name: "Reception", ...fields });
  if (status !== 201) throw new Error(`no agent: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

export async function versionsOf(client: Client, id: string): Promise<Version[]> {
  return (await client.get<{ versions: Version[] }>(`${versionsPath(id)}?limit=100`)).body.versions;
}

/** Opens a session to try the agent, with its draft or a version. */
export async function tries(who: Tenant, id: string, version?: number | "draft" | "live"): Promise<Snapshot> {
  const sent = version === undefined ? {} : { version };
  const { status, body } = await who.server.post<{ access_token: string }>(`${agentPath(id)}/session`, sent);
  if (status !== 200) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
  const session = await runtimeFor(who, body.access_token).get<Snapshot>("/api/runtime/v1/session");
  if (session.status !== 200) throw new Error(`no snapshot: ${session.status} ${JSON.stringify(session.body)}`);
  return Object.assign({}, session.body, { tools: ownTools(session.body.tools) });
}

/** Calls the agent's number. Returns the call's answer, and the custom runtime that holds the call. */
export async function calls(who: Tenant & { agent_id: string }, from_number = "+13035550106") {
  const { body } = await ring(who, { from_number });
  const call = { call_id: body.call_id, account: who.account, agent_id: who.agent_id, campaign_id: null };
  const token = await issueRuntimeToken(env.SIGNING_KEYS, call, 7200, Date.now());
  const client = new Client({ authorization: `Bearer ${token}` });
  return { answer: body, call_id: body.call_id, client };
}

/** Returns the agent that holds an inbound call. */
export async function held(who: Tenant & { agent_id: string }, from_number?: string): Promise<Snapshot> {
  const { client, answer } = await calls(who, from_number);
  const { status, body } = await client.get<Snapshot>("/api/runtime/v1/session");
  if (status !== 200) throw new Error(`no snapshot: ${status} ${JSON.stringify(body)} ${JSON.stringify(answer)}`);
  return body;
}
