import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Authority, SCOPES } from "./scopes.ts";

/** The caller view of a caller with every scope and no limits. */
export const UNLIMITED_CALLER_VIEW = "";

/**
 * Returns the caller view: a key for what a caller may see. A response, stream or cursor of one caller view is never
 * given to a caller with another.
 */
export function callerViewOf(
  { role, scopes, agentIds }: Authority,
  allowedAddresses: readonly string[] | null,
): string {
  // All callers with every scope share a caller view: an owner's extra privileges don't affect what is cached or opened.
  const isUnlimited = scopes.length === SCOPES.length && agentIds === null && allowedAddresses === null;
  if (isUnlimited) return UNLIMITED_CALLER_VIEW;
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([role, scopes, agentIds, allowedAddresses]))).subarray(0, 12));
}
