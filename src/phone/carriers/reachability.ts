import { z } from "zod";
import { fetchOut } from "../../kernel/egress/fetch-out.ts";
import { EgressRefused } from "../../kernel/egress/open-out.ts";
import { baseOf, knowsItsAddress } from "../../kernel/http/base-url.ts";
import type { Provider } from "./carrier.ts";
import { parseJson } from "./http.ts";
import { type Addresses, isReachable, isReal, speaksText } from "./no-runtime.ts";
import type { Verdict } from "./numbers/numbers.ts";

/** Timeout of a check, and bytes read of the answer. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4_096;
/** Statuses with which a runtime refuses a client without a session, which show that it is running. */
const REFUSALS = [400, 401, 403];

const healthy = z.object({ ok: z.literal(true) });

/** Dependencies of checks of addresses; `arrivedAt` is the host of the request itself. */
export interface Surroundings {
  env: Addresses;
  provider: Provider;
  arrivedAt: string;
  fetch: typeof fetch;
  /** Timeout of a check; five seconds if omitted. */
  timeout_ms?: number;
}

/**
 * Checks whether the carrier can report to this service, as far as that can be determined from inside. PUBLIC_URL must
 * be a public https address that leads here. A request that came in through it proves that; otherwise its /healthz is
 * requested. A Worker on Cloudflare may be unable to reach itself, so a failure is reported with advice instead.
 */
export async function webhookReachable({
  env,
  provider,
  arrivedAt,
  fetch,
  timeout_ms = TIMEOUT_MS,
}: Surroundings): Promise<Verdict> {
  if (provider === "sandbox") return yes("The sandbox is part of this service, so its reports need no public address.");
  if (!knowsItsAddress(env)) return no("PUBLIC_URL is not set: set it to this service's public address.");
  const base = baseOf(env);
  if (!isReal(env, provider)) return yes(`The carrier's API is on this machine or network, so it uses ${base}.`);
  if (!isReachable(base, "https:"))
    return no(`PUBLIC_URL is ${base}: the carrier can only reach a public https address.`);
  const { host } = new URL(base);
  if (host === arrivedAt) return yes(`PUBLIC_URL (${base}) leads here: this request arrived through it.`);
  const request = { method: "GET", url: `${base}/healthz`, headers: {}, body: null };
  // The operator's address may have any port, unlike an account's.
  const limits = { rules: { allowed: [host], own: [] }, fetch, timeout_ms, max_bytes: MAX_BYTES };
  const instead =
    "Run this check through that address instead: a request that arrives through it shows that it leads here.";
  try {
    const { status, text } = await fetchOut(request, limits);
    if (status === 200 && healthy.safeParse(parseJson(text)).success) return yes(`PUBLIC_URL (${base}) answers.`);
    return no(`PUBLIC_URL (${base}) answered GET /healthz with ${status}, unlike this service. ${instead}`);
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    return no(`PUBLIC_URL (${base}) could not be reached from here: ${error.message}. ${instead}`);
  }
}

/** Checks whether a runtime can be reached: the built-in one at PUBLIC_URL, or the configured one. */
export async function runtimeReachable(
  { env, provider, fetch, timeout_ms = TIMEOUT_MS }: Surroundings,
  webhook: Promise<Verdict>,
): Promise<Verdict> {
  const url = env.VOICE_RUNTIME_URL;
  if (provider === "sandbox") return yes("The sandbox uses the service's own runtime.");
  if (url === "" && speaksText(env, provider)) {
    return (await webhook).ok
      ? yes("The service's own runtime handles calls, at the same address as the webhooks.")
      : no("The service's own runtime handles calls, at PUBLIC_URL: see webhook_reachable.");
  }
  if (url === "")
    return no(`There is nothing to connect calls to: ${provider} streams audio, and VOICE_RUNTIME_URL is not set.`);
  if (!URL.canParse(url) || !/^wss?:$/.test(new URL(url).protocol))
    return no("VOICE_RUNTIME_URL is not a ws or wss address.");
  if (isReal(env, provider) && !isReachable(url, "wss:"))
    return no("The carrier cannot reach the media runtime: VOICE_RUNTIME_URL must be a public wss address.");
  return openRuntime(url, fetch, timeout_ms);
}

/** Opens the runtime's WebSocket as a carrier would and closes it at once. */
async function openRuntime(url: string, fetcher: typeof fetch, timeoutMs: number): Promise<Verdict> {
  const headers = { upgrade: "websocket" };
  const signal = AbortSignal.timeout(timeoutMs);
  const address = url.replace(/^ws/, "http");
  const response = await fetcher(address, { headers, signal, redirect: "manual" }).catch(() => null);
  if (response === null)
    return no(`The media runtime (VOICE_RUNTIME_URL) did not answer within ${timeoutMs / 1_000} s.`);
  const { status, webSocket } = response;
  if (webSocket) {
    webSocket.accept();
    webSocket.close(1000, "reachable");
    return yes("The media runtime (VOICE_RUNTIME_URL) accepts connections.");
  }
  await response.body?.cancel();
  if (REFUSALS.includes(status))
    return yes(`The media runtime (VOICE_RUNTIME_URL) answers, and refuses connections without a session (${status}).`);
  return no(`The media runtime (VOICE_RUNTIME_URL) answered a WebSocket request with ${status}.`);
}

const yes = (detail: string): Verdict => ({ ok: true, detail });
const no = (detail: string): Verdict => ({ ok: false, detail });
