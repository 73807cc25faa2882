import { type Answer, call, type Tenant, tenant } from "./client.ts";

export const SHOP = "https://shop.example";

export interface CreatedKey {
  id: string;
  key: string;
  last8: string;
  agent_id: string | null;
  domain_allowlist: string[];
  created_at: string;
}

export interface Session {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  visitor: { id: string; type: string };
  agent_id: string;
}

export interface WidgetTenant extends Tenant {
  agentId: string;
  key: Tenant["key"];
  widgetKey: CreatedKey;
}

/** Creates an account with an agent that accepts guests, and a widget key for SHOP that is pinned to the agent. */
export async function widgetTenant(domain_allowlist: string[] = [SHOP]): Promise<WidgetTenant> {
  const who = await tenant();
  const body = { name: "Ada", greeting_message: "Hello there.", auth_mode: "public" };
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", body);
  const agentId = agent.body.id;
  const key = await who.server.post<CreatedKey>("/api/v1/widget-keys", {
    name: "shop",
    agent_id: agentId,
    domain_allowlist,
  });
  if (key.status !== 201) throw new Error(`widget key not created: ${key.status} ${JSON.stringify(key.body)}`);
  return { ...who, agentId, widgetKey: key.body };
}

/** Creates a visitor's browser at `origin`; null stands for a caller that sends no Origin header. */
export function page(origin: string | null = SHOP) {
  const headers: Record<string, string> = origin === null ? {} : { origin };
  const post = <T = Session>(path: string, body: unknown): Promise<Answer<T>> =>
    call<T>("POST", `/api/v1/widget/${path}`, { headers, body });
  return {
    post,
    guest: (client_key: unknown) => post("auth/guest", { client_key }),
    exchange: (visitor_token: unknown) => post("auth/exchange", { visitor_token }),
    refresh: (refresh_token: unknown) => post("auth/refresh", { refresh_token }),
    config: <T = WidgetConfig>(client_key: string) =>
      call<T>("GET", `/api/v1/widget/config?client_key=${client_key}`, { headers }),
  };
}

export interface WidgetConfig {
  agent: { id: string; name: string; greeting_message: string } | null;
  settings: Record<string, string>;
  auth_mode: string;
  enabled: boolean;
  guests: boolean;
  runtime_url: string | null;
}

/** Returns a visitor token, which the account's backend requests for one of its users. */
export async function visitorToken({ server, widgetKey }: WidgetTenant, user_id = "user-7"): Promise<string> {
  const body = { client_key: widgetKey.key, user_id };
  const answer = await server.post<{ visitor_token: string }>("/api/v1/widget/auth/user-token", body);
  if (answer.status !== 200) throw new Error(`no visitor token: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.visitor_token;
}

/** Returns what a media runtime learns about a session. */
export async function introspect({ server }: Pick<Tenant, "server">, token: string): Promise<Record<string, unknown>> {
  return (await server.post<Record<string, unknown>>("/api/v1/widget/auth/introspect", { token })).body;
}

/** Returns the claims of a JWT without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/")));
}
