import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Authority, SCOPES } from "./scopes.ts";

/** The view of a reader with every scope and no limits. */
export const WHOLE_VIEW = "";

/**
 * A key for an authority and the networks it is limited to. What was kept, opened or issued under one view is never
 * given to a caller with another.
 */
export function viewOf({ role, scopes, agentIds }: Authority, allowedAddresses: readonly string[] | null): string {
  // Owners' own privileges concern nothing that is kept or opened, so all callers with every scope share a view.
  const isWhole = scopes.length === SCOPES.length && agentIds === null && allowedAddresses === null;
  if (isWhole) return WHOLE_VIEW;
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([role, scopes, agentIds, allowedAddresses]))).subarray(0, 12));
}
