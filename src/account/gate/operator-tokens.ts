import type { LookUps } from "../../kernel/db/look-ups.ts";
import type { OperatorTerms } from "../../kernel/http/credential.ts";
import { isAllowedFrom } from "../allowed-addresses.ts";
import { StatusCache } from "./status-cache.ts";

/** An operator's token in the gate's cache. `expiresAt` is in ms. */
interface CachedToken {
  id: string;
  name: string;
  terms: OperatorTerms;
  allowedAddresses: readonly string[];
  expiresAt: number;
}

/** Checks operators' tokens at the gate of their account, with a short-lived cache. */
export class OperatorTokens {
  readonly #lookUps: LookUps;
  readonly #cached = new StatusCache<CachedToken | null>();

  constructor(lookUps: LookUps) {
    this.#lookUps = lookUps;
  }

  /** Invalidates the cache after a token was created or revoked. */
  invalidate(): void {
    this.#cached.invalidate();
  }

  /**
   * Checks the token with this hash, presented from this address at `now` (ms). The address is null if it need not be
   * checked.
   */
  async judge(hash: string, address: string | null, now: number) {
    const token = await this.#cached.get(hash, now, () => this.#lookUp(hash, now));
    if (!token || token.expiresAt <= now) return { outcome: "unknown" } as const;
    const { id, name, terms, allowedAddresses } = token;
    if (address !== null && !isAllowedFrom(allowedAddresses, address))
      return { outcome: "address_not_allowed" } as const;
    return { outcome: "ok", id, name, terms, allowedAddresses } as const;
  }

  async #lookUp(hash: string, now: number): Promise<CachedToken | null> {
    const token = await this.#lookUps.operatorToken(hash, now);
    if (!token) return null;
    const { id, name, scopes, accounts, allowed_addresses: allowedAddresses, expires_at } = token;
    return { id, name, terms: { scopes, accounts }, allowedAddresses, expiresAt: Date.parse(expires_at) };
  }
}
