import { exports } from "cloudflare:workers";
import { vi } from "vitest";
import { BASE, type Tenant } from "../../../support/client.ts";
import { type Frame, openRuntime, type RuntimeSocket } from "../../../support/runtime.ts";
import { claimsOf, page, SHOP, type WidgetTenant, widgetTenant } from "../../../support/widget.ts";

export const GREETING = "Hello there. How can I help you today?";
export const AUDIO = new TextEncoder().encode("ID3 not really an mp3");
export const KEY = "elevenlabs-key-9f2";

type Vendor = (signal: AbortSignal) => Response | Promise<Response>;

/** Returns an mp3 as vendors send it. */
export const mp3 = (body: BodyInit = AUDIO): Response =>
  new Response(body, { headers: { "content-type": "audio/mpeg" } });

/** A request to a vendor. */
export interface Asked {
  url: string;
  key: string | null;
  text: string;
  language: string;
}

/** Answers every request to a voice vendor and records it. */
export function vendorAnswers(vendor: Vendor = () => mp3()): Asked[] {
  const requests: Asked[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { text, language_code } = await request.json<{ text: string; language_code: string }>();
    requests.push({ url: request.url, key: request.headers.get("xi-api-key"), text, language: language_code });
    return vendor(request.signal);
  });
  return requests;
}

/** Installs the vendor of the agent's voice with the account's own key. */
export async function ownVoice({ server }: Pick<Tenant, "server">, agentId: string, agent = {}): Promise<void> {
  const { status } = await server.post("/api/v1/integrations/elevenlabs/install", { secrets: { api_key: KEY } });
  if (status !== 200) throw new Error(`elevenlabs is not installed: ${status}`);
  const fields = { voice_provider: "elevenlabs", voice_id: "JBFqnCBsd6RMkjVDRZzb", greeting_message: GREETING };
  const saved = await server.patch(`/api/v1/agents/${agentId}`, Object.assign(fields, agent));
  if (saved.status !== 200) throw new Error(`the agent is not saved: ${JSON.stringify(saved.body)}`);
}

export interface Listener {
  who: WidgetTenant;
  token: string;
  key: string;
  socket: RuntimeSocket;
  /** The frames up to the end of the greeting. */
  frames: Frame[];
}

/** Creates a greeted visitor of an agent with its own voice. */
export async function listener(agent = {}): Promise<Listener> {
  const who = await widgetTenant();
  await ownVoice(who, who.agentId, agent);
  return visits(who);
}

/** Creates another visitor of the same agent. */
export async function visits(who: WidgetTenant): Promise<Listener> {
  const { access_token: token } = (await page().guest(who.widgetKey.key)).body;
  const { socket, frames } = await greeted(token);
  return { who, token, key: String(claimsOf(token).fam), socket, frames };
}

export async function greeted(access_token: string): Promise<{ socket: RuntimeSocket; frames: Frame[] }> {
  const socket = await openRuntime();
  socket.send({ type: "session", access_token });
  return { socket, frames: await socket.until(({ type }) => type === "message") };
}

export const addressesIn = (frames: Frame[]): string[] =>
  frames.flatMap(({ speech }) => (typeof speech === "string" ? [speech] : []));

/** Requests a part as a page does. */
export async function hear(address: string | undefined, headers: Record<string, string> = { origin: SHOP }) {
  const response = await exports.default.fetch(new Request(`${BASE}${address}`, { headers }));
  const bytes = await response.arrayBuffer().then(
    (all) => new Uint8Array(all),
    () => null,
  );
  return { status: response.status, code: response.headers.get("x-error-code"), headers: response.headers, bytes };
}

/** Returns the status and code of a requested part on one line. */
export async function outcome(address: string | undefined, headers?: Record<string, string>): Promise<string> {
  const { status, code } = await hear(address, headers);
  return code === null ? String(status) : `${status} ${code}`;
}
