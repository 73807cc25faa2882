import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Authority, SCOPES } from "./scopes.ts";

/** The view of a reader with every scope and no limits. */
export const WHOLE_VIEW = "";

/**
 * Names an authority and the networks it is held to. What was kept, opened or handed out under one view is nobody's who
 * has another.
 */
export function viewOf({ role, scopes, agentIds }: Authority, allowedAddresses: readonly string[] | null): string {
  // What owners alone may do is neither kept nor opened: all others who may do everything are alike.
  const isWhole = scopes.length === SCOPES.length && agentIds === null && allowedAddresses === null;
  if (isWhole) return WHOLE_VIEW;
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([role, scopes, agentIds, allowedAddresses]))).subarray(0, 12));
}
