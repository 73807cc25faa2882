import { vi } from "vitest";
import type { VoiceProvider } from "../../../src/agent/voices/vendors.ts";
import type { Tenant } from "../../support/client.ts";

/** Installs the account's own key at a voice vendor. */
export async function connect({ user }: Tenant, provider: VoiceProvider, api_key = "secret-key"): Promise<void> {
  const { status } = await user.post(`/api/v1/integrations/${provider}/install`, { secrets: { api_key } });
  if (status !== 200) throw new Error(`${provider} was not installed: ${status}`);
}

type Answer = Response | Promise<Response>;

/** A request that reached a vendor. */
interface Asked {
  url: string;
  headers: Headers;
  body: string;
}

/** Simulates the vendors on the internet. Returns the requests that reached them. */
export function vendors(answer: (request: Request) => Answer | undefined): Asked[] {
  const asked: Asked[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    asked.push({ url, headers, body: String(init?.body ?? "") });
    const response = await answer(request);
    if (!response) throw new TypeError(`nobody is at ${request.url}`);
    return response;
  });
  return asked;
}

/** The first bytes of an mp3 frame. */
export const MP3 = new Uint8Array([0xff, 0xfb, 0x90, 0x64]);
export const mp3 = (body: BodyInit = MP3) => new Response(body, { headers: { "content-type": "audio/mpeg" } });
