import { sha256Hex } from "../../kernel/secrets/hashing.ts";

const CODES = 10;
const CHARS = 10;
/** Characters that people don't confuse with others. There are 32, so that each random byte selects one evenly. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Returns new recovery codes, such as `k7mq2-x9fhd`, of 50 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(CHARS));
    const text = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return `${text.slice(0, CHARS / 2)}-${text.slice(CHARS / 2)}`;
  });
}

/** Returns the stored form of a user's code, regardless of spaces and case; null if it cannot be a code. */
export async function recoveryHash(user: string, code: string): Promise<string | null> {
  const text = code.toLowerCase().replace(/[\s-]/g, "");
  return text.length === CHARS ? sha256Hex(`${user} ${text}`) : null;
}
