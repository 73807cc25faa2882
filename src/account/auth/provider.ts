import { createRemoteJWKSet, customFetch as joseFetch } from "jose";
import * as oauth from "oauth4webapi";
import { ApiError } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { HOUR_MS } from "../../kernel/time.ts";

/** How long the provider's metadata is reused, ms; its keys have their own ages below. */
const METADATA_REUSE_MS = HOUR_MS;
/** How long a provider that failed is left alone, ms: while it is down, requests answer at once. */
const REST_MS = 5_000;
/** How long the provider may take to answer, ms. */
const TIMEOUT_MS = 5_000;
/** How long after the keys were read they are not read again for a key not seen yet, ms. */
const KEY_COOLDOWN_MS = 5_000;
/** Keys are read anew after ten minutes, and for a key not seen yet. */
const KEY_AGES = { timeoutDuration: TIMEOUT_MS, cacheMaxAge: 600_000, cooldownDuration: KEY_COOLDOWN_MS };

type KeySet = ReturnType<typeof createRemoteJWKSet>;
/** What of a provider is asked for, and can fail by itself. */
type Part = "metadata" | "keys" | "tokens";

/** The identity provider of one issuer as this isolate knows it: its metadata and its keys, found by OIDC discovery. */
export class Provider {
  readonly #issuer: URL;
  #known: { server: oauth.AuthorizationServer; keys: KeySet; until: number } | undefined;
  readonly #restUntil: Record<Part, number> = { metadata: 0, keys: 0, tokens: 0 };

  constructor(issuer: string) {
    this.#issuer = new URL(issuer);
  }

  /**
   * Its metadata and keys. @throws ApiError 503 while it cannot be reached. What was known before is used on through
   * an outage. A promise is never kept: on Workers one request may not wait for another's I/O.
   */
  async discover(): Promise<{ server: oauth.AuthorizationServer; keys: KeySet }> {
    if (this.#known && Date.now() < this.#known.until) return this.#known;
    try {
      const response = await oauth.discoveryRequest(this.#issuer, this.requestOptions("metadata"));
      const server = await oauth.processDiscoveryResponse(this.#issuer, response);
      if (!server.jwks_uri) throw new TypeError("the provider's metadata has no jwks_uri");
      const keys =
        this.#known?.server.jwks_uri === server.jwks_uri
          ? this.#known.keys
          : createRemoteJWKSet(new URL(server.jwks_uri), { ...KEY_AGES, [joseFetch]: this.#fetch("keys") });
      this.#known = { server, keys, until: Date.now() + METADATA_REUSE_MS };
    } catch (error) {
      if (!this.#known) throw this.failed("metadata", error);
      this.#known.until = Date.now() + REST_MS;
    }
    return this.#known;
  }

  /** How oauth4webapi talks to it: in plain text only on this very machine. */
  requestOptions(part: Part) {
    return {
      [oauth.customFetch]: this.#fetch(part),
      [oauth.allowInsecureRequests]: ["localhost", "127.0.0.1", "[::1]"].includes(this.#issuer.hostname),
      signal: () => AbortSignal.timeout(TIMEOUT_MS),
    };
  }

  /** Notes that a part of the provider does not work as it should, and gives the error for the caller. */
  failed(part: Part, cause: unknown): ApiError {
    if (cause instanceof ApiError) return cause;
    this.#restUntil[part] = Date.now() + REST_MS;
    logError("identity provider", cause, { issuer: this.#issuer.href, part });
    return unavailable("the identity provider cannot be reached", REST_MS);
  }

  /** The error for a token by a key not seen yet while the keys may not be read again: it may well be a new one. */
  unknownKey(): ApiError {
    return unavailable("the identity provider's current keys do not include the token's key", KEY_COOLDOWN_MS);
  }

  #fetch(part: Part) {
    return async (url: string, init: object): Promise<Response> => {
      if (Date.now() < this.#restUntil[part]) throw unavailable("the identity provider cannot be reached", REST_MS);
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

/** Neither the token nor its bearer is to blame, and a later try can succeed: 503, not 401. */
function unavailable(message: string, retryAfterMs: number): ApiError {
  return new ApiError(503, "identity_unavailable", message, { "retry-after": String(retryAfterMs / 1000) });
}
