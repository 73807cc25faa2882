import { sha256 } from "@noble/hashes/sha2.js";
import { base64url } from "jose";

/**
 * Where a page of a list ends, as its clients send it back: the position behind a few bytes of a hash over it and the
 * list, so that one of another list, one that was made up and one that was cut are told from it. It is no secret.
 */
export function cursorOf(list: readonly string[], position: string): string {
  return base64url.encode(new Uint8Array([...checkOf(list, position), ...encoder.encode(position)]));
}

/** The position of a cursor of this list; null for anything else. */
export function positionOf(list: readonly string[], cursor: string): string | null {
  // No bytes make one character more than a multiple of four.
  if (cursor.length > MAX_CHARS || cursor.length % 4 === 1 || !/^[\w-]+$/.test(cursor)) return null;
  const position = new TextDecoder().decode(base64url.decode(cursor).subarray(CHECK_BYTES));
  return cursorOf(list, position) === cursor ? position : null;
}

const MAX_CHARS = 1_000;
const CHECK_BYTES = 6;
const encoder = new TextEncoder();

function checkOf(list: readonly string[], position: string): Uint8Array {
  return sha256(encoder.encode(JSON.stringify([...list, position]))).subarray(0, CHECK_BYTES);
}
