import { sha256 } from "@noble/hashes/sha2.js";
import { stringify, v7 as uuidv7 } from "uuid";

/** The instant in a UUIDv7 (RFC 9562, 5.7), ms since 1970; null for any other text. */
export function instantOf(id: string): number | null {
  if (!UUID_V7.test(id)) return null;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The lowest UUIDv7 of an instant, ms, or of one after it: ids of before are lower. */
export function firstIdAt(at: number): string {
  const hex = Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** A new id of the same instant as `id`: what belongs to a call lives where the call does. */
export function idBeside(id: string): string {
  return uuidv7({ msecs: instantOf(id) ?? Date.now() });
}

/** The same UUIDv7 for the same instant (ms) and parts, so that a repeated report has the same id. */
export function derivedId(at: number, ...parts: (string | number)[]): string {
  const bytes = sha256(new TextEncoder().encode(JSON.stringify(parts))).slice(0, 16);
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(at / 256 ** (5 - i)) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return stringify(bytes);
}
