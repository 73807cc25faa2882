import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { signText } from "../../../src/kernel/secrets/tokens.ts";
import { webhookUrl } from "../../../src/phone/calls/webhook-url.ts";
import type { Provider } from "../../../src/phone/carriers/carrier.ts";
import { SANDBOX_WEBHOOK } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { ready } from "../../campaign/support.ts";
import { type Answer, BASE, type Client, call, operator, type Tenant, tenant } from "../../support/client.ts";

export interface Call {
  call_id: string;
  status: string;
  direction: string;
  agent_id: string;
  campaign_id: string | null;
  from_number: string;
  to_number: string;
  provider: string;
  provider_call_id: string | null;
  created_at: string;
  connected_at: string | null;
  ended_at: string | null;
  duration_ms: number | null;
  end_reason: string | null;
  recorded: boolean;
  recording_id: string | null;
  conversation_id: string | null;
  variables: Record<string, string>;
  metadata: Record<string, unknown>;
}
export interface Calls {
  calls: Call[];
  total: number;
  limit: number;
  offset: number;
}

/** Creates an account that can place calls: an active agent and a sandbox number. */
export async function caller(settings: Record<string, unknown> = {}) {
  const who = await tenant(settings);
  return { ...who, ...(await ready(who)) };
}
export type Caller = Awaited<ReturnType<typeof caller>>;

export function originate(
  { server, agent_id, from_number }: Pick<Caller, "server" | "agent_id" | "from_number">,
  to_number: string,
  more: Record<string, unknown> = {},
): Promise<Answer<Call>> {
  return server.post<Call>("/api/v1/calls/originate", { agent_id, from_number, to_number, ...more });
}

/** Sets the agent's transfer targets by label. */
export async function setTargets(
  { server, agent_id }: Pick<Caller, "server" | "agent_id">,
  targets: Record<string, string>,
): Promise<void> {
  const transfer_targets = Object.entries(targets).map(([label, number]) => ({ label, number }));
  expect((await server.patch(`/api/v1/agents/${agent_id}`, { transfer_targets })).status).toBe(200);
}

export async function getCall(server: Client, id: string): Promise<Call> {
  return (await server.get<Call>(`/api/v1/calls/${id}`)).body;
}

/** Returns the call once its record matches `until`. */
export function settled(server: Client, id: string, until: (call: Call) => boolean): Promise<Call> {
  return vi.waitFor(
    async () => {
      const found = await getCall(server, id);
      expect(until(found), JSON.stringify(found)).toBe(true);
      return found;
    },
    { interval: 10 },
  );
}
export const isOver = ({ ended_at }: Call) => ended_at !== null;

/** Returns the address where a carrier, by default the sandbox, reports about one of its calls. */
export async function webhookPath(
  { account }: Pick<Tenant, "account">,
  call_id: string,
  campaign_id: string | null = null,
  at: { provider: Provider; credentials_id: string | null } = { provider: "sandbox", credentials_id: null },
): Promise<string> {
  const { provider, credentials_id } = at;
  const address = await webhookUrl(env, provider, { account, call_id, campaign_id, credentials_id });
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

/** Sends a signed report of the sandbox about a call, by default at that call's address. */
export async function report(
  { account }: Pick<Tenant, "account">,
  callId: string,
  event: Record<string, unknown>,
  signed: { path?: string; at?: string } = {},
): Promise<Answer> {
  const path = signed.at ?? (await webhookPath({ account }, callId));
  const body = JSON.stringify({
    provider_call_id: callId,
    answered_by: null,
    reason: "",
    recording: null,
    ...event,
  });
  const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${signed.path ?? path}\n${body}`);
  const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
  return call("POST", path, { headers, raw: body });
}

/** Sets the account's caps as an operator. */
export async function setCaps(account: string, caps: Record<string, number>): Promise<void> {
  const answer = await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { caps });
  expect(answer.status).toBe(200);
}

/** Returns how many calls the account's caps count as running. */
export async function running(server: Client): Promise<number> {
  type Limits = { concurrent_calls: { used: number } };
  return (await server.get<Limits>("/api/v1/call-limits")).body.concurrent_calls.used;
}

/** Restarts one object with other variables, as if it had been deployed with them. */
export async function withVars<T extends Rpc.DurableObjectBranded>(
  object: DurableObjectStub<T>,
  vars: Partial<Record<keyof Env, string>>,
): Promise<void> {
  await runInDurableObject(object as unknown as DurableObjectStub, (instance) => {
    const { env: before } = instance as unknown as { env: Env };
    Object.assign(instance, { env: { ...before, ...vars } });
  });
}

export const sandboxOf = ({ account }: Pick<Tenant, "account">) => env.SANDBOX_CARRIER.getByName(account);

/** Makes the account's sandbox ring and talk for an hour each, so that its calls stay as they are. */
export function slowly(who: Pick<Tenant, "account">, vars: Partial<Record<keyof Env, string>> = {}): Promise<void> {
  return withVars(sandboxOf(who), { SANDBOX_RING_MS: "3600000", SANDBOX_TALK_MS: "3600000", ...vars });
}
