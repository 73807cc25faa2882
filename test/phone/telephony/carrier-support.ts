import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, type Client, type Tenant, tenant } from "../../support/client.ts";
import { numberCarriers } from "../../support/number-carriers/index.ts";
import type { NumberCarrier } from "../../support/number-carriers/stand-in.ts";

export const NUMBERS = "/api/v1/telephony/numbers";
export const PROVIDERS = "/api/v1/telephony/providers";
export const NUMBER = "+12025550100";

type Name = "owned" | "webhook_reachable" | "inbound_address" | "runtime_reachable";
export interface Check {
  name: Name;
  ok: boolean;
  detail: string;
}

/** Responses on the internet for a media runtime and for the service's own address. */
export interface Elsewhere {
  runtime: () => Response | Promise<Response>;
  health: () => Response | Promise<Response>;
}

/**
 * Creates an account with credentials of a carrier on the internet and one of its numbers. The network contains only
 * this carrier, a media runtime and the service itself.
 */
export async function lineAt(name: NumberCarrier["name"], credentials?: Record<string, string>) {
  const carrier = numberCarriers[name]();
  const who = await tenant();
  const elsewhere: Elsewhere = {
    runtime: () => new Response("Unauthorized", { status: 401 }),
    health: () => Response.json({ ok: true }),
  };
  const reached: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : String(input));
    if (origin === carrier.base || origin === "https://rest.nexmo.com") return carrier.fetch(input, init);
    reached.push(origin + pathname);
    if (pathname === "/healthz") return elsewhere.health();
    if (origin === "https://media.example") return elsewhere.runtime();
    throw new TypeError("nobody is there");
  });
  const vars = { [carrier.variable]: carrier.base, VOICE_RUNTIME_URL: "wss://media.example/ws" };
  const stored = await who.server.post<{ id: string }>(PROVIDERS, {
    provider: name,
    credentials: credentials ?? carrier.credentials,
  });
  const agent = await who.server.post<{ id: string }>("/api/v1/agents", { name: "Reception", status: "active" });
  const provider_id = stored.body.id;
  const register = async (more: object = {}) => {
    const number = { e164: NUMBER, credentials_id: provider_id, agent_id: agent.body.id, ...more };
    return (await who.server.post<{ id: string }>(NUMBERS, number)).body.id;
  };
  return {
    carrier,
    who,
    elsewhere,
    reached,
    provider_id,
    register,
    /** The address where the carrier must announce calls. */
    address: addressOf(name, who, provider_id),
    post: <T>(path: string, more: Partial<Env> = {}, base = BASE) =>
      post<T>(who.server, path, { ...vars, ...more }, base),
  };
}

export function addressOf(name: string, { account }: Tenant, credentials: string, base = BASE): string {
  return `${base}/api/telephony/inbound/${name}/${account}?credentials=${credentials}`;
}

/** Sends one request to the service with these variables. */
export async function post<T>(client: Client, path: string, vars: Partial<Env>, base = BASE) {
  const request = new Request(base + path, { method: "POST", headers: client.headers });
  const response = await app.fetch(request, { ...env, ...vars } as typeof env, createExecutionContext());
  const body = (await response.json()) as T;
  return { status: response.status, code: response.headers.get("x-error-code"), headers: response.headers, body };
}

export function byName({ checks }: { checks: Check[] }): Partial<Record<Name, Check>> {
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

/** Returns the audit entries about fixes. */
export async function fixes({ server }: Tenant) {
  const path = "/api/v1/audit-log?action=set_inbound";
  return (await server.get<{ entries: { resource: string; resource_id: string }[] }>(path)).body.entries;
}
