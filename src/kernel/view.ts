import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Authority, SCOPES } from "./scopes.ts";

/** The view of a caller with every scope and no limits. */
export const WHOLE_VIEW = "";

/**
 * Returns a key that stands for what a caller may see. A response, stream or cursor of one view is never given to a
 * caller with another view.
 */
export function viewOf({ role, scopes, agentIds }: Authority, allowedAddresses: readonly string[] | null): string {
  // All callers with every scope share a view, because an owner's extra privileges don't affect what is cached or
  // opened.
  const isWhole = scopes.length === SCOPES.length && agentIds === null && allowedAddresses === null;
  if (isWhole) return WHOLE_VIEW;
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([role, scopes, agentIds, allowedAddresses]))).subarray(0, 12));
}
