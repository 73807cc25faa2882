import { env } from "cloudflare:workers";
import { signText } from "../../../src/kernel/secrets/tokens.ts";
import { SANDBOX_WEBHOOK } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { BASE, call, type Tenant, tenant } from "../../support/client.ts";

export const NUMBER = "+12025550100";

/** Creates an account with an active agent, with these fields, and a number pinned to it. */
export async function answering(fields: Record<string, unknown> = {}) {
  const who = await tenant();
  const order = { name: "Reception", status: "active", ...fields };
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", order);
  const agent_id = agent.body.id;
  const number = await who.server.post<{ id: string }>("/api/v1/telephony/numbers", {
    e164: NUMBER,
    provider: "sandbox",
    agent_id,
  });
  return { ...who, agent_id, number_id: number.body.id };
}

export interface Document {
  action: string;
  sentence?: string;
  call_id: string;
  session_token: string;
  webhook_url: string;
}

/** Sends a signed inbound call of the sandbox. */
export async function ring({ account }: Pick<Tenant, "account">, fields: Record<string, unknown> = {}) {
  const path = `/api/telephony/inbound/sandbox/${account}`;
  const raw = JSON.stringify({
    provider_call_id: crypto.randomUUID(),
    from_number: "+13035550106",
    to_number: NUMBER,
    ...fields,
  });
  const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${path}\n${raw}`);
  return call<Document>("POST", path, { headers: { "x-sandbox-signature": signature }, raw });
}
