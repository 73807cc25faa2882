import type { Bindings } from "./context.ts";
import { ApiError } from "./errors.ts";

type Address = Pick<Bindings, "PUBLIC_URL">;

/**
 * Returns the service's public address. It always comes from the configuration, never from the Host header, which the
 * client chooses.
 * @throws ApiError 503 if PUBLIC_URL is not an address
 */
export function baseOf(env: Address): string {
  if (knowsItsAddress(env)) return env.PUBLIC_URL.replace(/\/+$/, "");
  const message = "PUBLIC_URL must be this service's public address, such as https://api.example.com";
  throw new ApiError(503, "public_url_missing", message);
}

/** The last checked PUBLIC_URL. A deployment has one, which would otherwise be parsed several times per request. */
let checked = { url: "", isAddress: false };

export function knowsItsAddress({ PUBLIC_URL: url }: Address): boolean {
  if (checked.url !== url) checked = { url, isAddress: /^https?:$/.test(URL.parse(url)?.protocol ?? "") };
  return checked.isAddress;
}

/**
 * Returns the address of the media runtime: the configured one, otherwise this service's own; null if there is neither.
 */
export function runtimeUrl(env: Pick<Bindings, "VOICE_RUNTIME_URL" | "PUBLIC_URL">): string | null {
  if (env.VOICE_RUNTIME_URL) return env.VOICE_RUNTIME_URL;
  return knowsItsAddress(env) ? `${baseOf(env).replace(/^http/, "ws")}/runtime` : null;
}

/**
 * Refuses a request to a host that is missing from ALLOWED_HOSTS, if that is set. Otherwise another site could point
 * its own name at this machine and read its responses (DNS rebinding).
 * @throws ApiError 421 (RFC 9110, 15.5.20)
 */
export function assertHost({ ALLOWED_HOSTS }: Pick<Bindings, "ALLOWED_HOSTS">, url: string): void {
  if (ALLOWED_HOSTS === "") return;
  const { hostname } = new URL(url);
  if (ALLOWED_HOSTS.split(",").some((host) => host.trim().toLowerCase() === hostname)) return;
  throw new ApiError(421, "misdirected_request", `this service does not serve the host ${hostname}`);
}
