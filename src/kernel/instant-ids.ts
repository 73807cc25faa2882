import { sha256 } from "@noble/hashes/sha2.js";
import { stringify, v7 as uuidv7 } from "uuid";

/** Returns the time in a UUIDv7 (RFC 9562, 5.7), ms since 1970; null for any other text. */
export function instantOf(id: string): number | null {
  if (!UUID_V7.test(id)) return null;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Returns the lowest UUIDv7 of this time (ms). Ids from before this time have lower values. */
export function firstIdAt(at: number): string {
  const hex = Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Returns a new id with the same time as `id`, so that records that belong to a call are stored in the call's ledger
 * volume.
 */
export function idBeside(id: string): string {
  return uuidv7({ msecs: instantOf(id) ?? Date.now() });
}

/** Derives a UUIDv7 from a time (ms) and parts, so that a repeated report gets the same id. */
export function derivedId(at: number, ...parts: (string | number)[]): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify(parts))).slice(0, 16);
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(at / 256 ** (5 - i)) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return stringify(bytes);
}
