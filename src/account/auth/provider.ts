import { createRemoteJWKSet, customFetch as joseFetch } from "jose";
import * as oauth from "oauth4webapi";
import { ApiError, unavailable } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { HOUR_MS } from "../../kernel/time.ts";

const METADATA_REUSE_MS = HOUR_MS;
/** The pause after a failure of the provider, ms, during which requests fail fast. */
const REST_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** The shortest interval between two reads of the keys that unknown keys cause, ms. */
const KEY_COOLDOWN_MS = 5_000;
/** Keys are refreshed after ten minutes, and when a token has an unknown key. */
const KEY_AGES = { timeoutDuration: TIMEOUT_MS, cacheMaxAge: 600_000, cooldownDuration: KEY_COOLDOWN_MS };

type KeySet = ReturnType<typeof createRemoteJWKSet>;
/** The parts of a provider, which are fetched separately and can fail separately. */
type Part = "metadata" | "keys" | "tokens";

/** An isolate's cache of a provider's metadata and keys, which are found by OIDC discovery. */
export class Provider {
  readonly #issuer: URL;
  #discovered: { server: oauth.AuthorizationServer; keys: KeySet; until: number } | undefined;
  readonly #restUntil: Record<Part, number> = { metadata: 0, keys: 0, tokens: 0 };

  constructor(issuer: string) {
    this.#issuer = new URL(issuer);
  }

  /**
   * Returns the provider's metadata and keys; during an outage, the ones that were read last. The promise is not
   * cached, because a request on Workers cannot wait for another one's I/O.
   * @throws ApiError 503 if none have been read yet
   */
  async discover(): Promise<{ server: oauth.AuthorizationServer; keys: KeySet }> {
    if (this.#discovered && Date.now() < this.#discovered.until) return this.#discovered;
    try {
      const response = await oauth.discoveryRequest(this.#issuer, this.requestOptions("metadata"));
      const server = await oauth.processDiscoveryResponse(this.#issuer, response);
      if (!server.jwks_uri) throw new TypeError("the provider's metadata has no jwks_uri");
      const keys =
        this.#discovered?.server.jwks_uri === server.jwks_uri
          ? this.#discovered.keys
          : createRemoteJWKSet(new URL(server.jwks_uri), { ...KEY_AGES, [joseFetch]: this.#fetch("keys") });
      this.#discovered = { server, keys, until: Date.now() + METADATA_REUSE_MS };
    } catch (error) {
      if (!this.#discovered) throw this.failed("metadata", error);
      this.#discovered.until = Date.now() + REST_MS;
    }
    return this.#discovered;
  }

  /** Returns options for oauth4webapi, which allow plain HTTP only to this machine. */
  requestOptions(part: Part) {
    return {
      [oauth.customFetch]: this.#fetch(part),
      [oauth.allowInsecureRequests]: ["localhost", "127.0.0.1", "[::1]"].includes(this.#issuer.hostname),
      signal: () => AbortSignal.timeout(TIMEOUT_MS),
    };
  }

  /** Records that a part of the provider failed, and returns the error for the caller. */
  failed(part: Part, cause: unknown): ApiError {
    if (cause instanceof ApiError) return cause;
    this.#restUntil[part] = Date.now() + REST_MS;
    logError("identity provider", cause, { issuer: this.#issuer.href, part });
    return notReached("the identity provider cannot be reached", REST_MS);
  }

  /** Returns the error for an unknown key during the cooldown. The key may be new. */
  unknownKey(): ApiError {
    return notReached("the identity provider's current keys do not include the token's key", KEY_COOLDOWN_MS);
  }

  #fetch(part: Part) {
    return async (url: string, init: object): Promise<Response> => {
      if (Date.now() < this.#restUntil[part]) throw notReached("the identity provider cannot be reached", REST_MS);
      try {
        const response = await fetch(url, init);
        if (response.status < 500) return response;
        await response.body?.cancel();
        throw new TypeError(`${url} answered ${response.status}`);
      } catch (error) {
        throw this.failed(part, error);
      }
    };
  }
}

/**
 * Creates an error with the status 503 instead of 401, because neither the token nor its bearer is at fault and a retry
 * can succeed.
 */
function notReached(message: string, retryAfterMs: number): ApiError {
  return unavailable("identity_unavailable", message, retryAfterMs);
}
