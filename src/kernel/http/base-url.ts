import type { Bindings } from "./context.ts";
import { ApiError } from "./errors.ts";

type Address = Pick<Bindings, "PUBLIC_URL">;

/**
 * The address this service is reached at from outside. It is what is configured and nothing else: the Host header is
 * whatever a client wrote there. @throws ApiError 503 where PUBLIC_URL is no address
 */
export function baseOf(env: Address): string {
  if (knowsItsAddress(env)) return env.PUBLIC_URL.replace(/\/+$/, "");
  const message = "PUBLIC_URL must be this service's public address, such as https://api.example.com";
  throw new ApiError(503, "public_url_missing", message);
}

/** Whether PUBLIC_URL is a URL. */
export function knowsItsAddress({ PUBLIC_URL }: Address): boolean {
  return URL.canParse(PUBLIC_URL) && /^https?:$/.test(new URL(PUBLIC_URL).protocol);
}

/**
 * Where agents are reached: the configured media runtime, otherwise this service's own; null if that has no address.
 */
export function runtimeUrl(env: Pick<Bindings, "VOICE_RUNTIME_URL" | "PUBLIC_URL">): string | null {
  if (env.VOICE_RUNTIME_URL) return env.VOICE_RUNTIME_URL;
  return knowsItsAddress(env) ? `${baseOf(env).replace(/^http/, "ws")}/runtime` : null;
}

/**
 * Refuses a request for a host that is not among ALLOWED_HOSTS, where any are named. A page of another site could point
 * its own name at this machine, and so read what is served here (DNS rebinding).
 * @throws ApiError 421 (RFC 9110, 15.5.20)
 */
export function assertHost({ ALLOWED_HOSTS }: Pick<Bindings, "ALLOWED_HOSTS">, url: string): void {
  if (ALLOWED_HOSTS === "") return;
  const { hostname } = new URL(url);
  if (ALLOWED_HOSTS.split(",").some((host) => host.trim().toLowerCase() === hostname)) return;
  throw new ApiError(421, "misdirected_request", `this service does not serve the host ${hostname}`);
}
