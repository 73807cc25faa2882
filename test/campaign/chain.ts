import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Returns the line at which an exported history is inconsistent (docs/campaign-history.md); null if it is consistent.
 */
export function broken(ndjson: string): number | null {
  let previous = "";
  for (const [i, line] of ndjson.trimEnd().split("\n").entries()) {
    const { entry, previous_hash, hash } = JSON.parse(line);
    const expected = bytesToHex(sha256(utf8ToBytes(`${previous}\n${JSON.stringify(entry)}`)));
    if (entry[0] !== i + 1 || previous_hash !== previous || hash !== expected) return i + 1;
    previous = hash;
  }
  return null;
}
