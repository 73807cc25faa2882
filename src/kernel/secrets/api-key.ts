const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** The pattern of account names. Every key contains one. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Creates `<prefix>_<32 random base62 characters><6 of CRC-32>`. With the checksum, mistyped keys are refused without
 * I/O.
 */
export function mintSecret(prefix: string): string {
  const head = `${prefix}_${randomBase62(RANDOM_LENGTH)}`;
  return head + checksum(head);
}

export type ParsedApiKey = { shape: "malformed" } | { shape: "api_key"; account: string; genuine: boolean };

/** Parses `sk_live_<account>_<rest>`. */
export function parseApiKey(token: string): ParsedApiKey {
  const parsed = parse("sk_live_", token);
  return parsed ? { shape: "api_key", ...parsed } : { shape: "malformed" };
}

export const OPERATOR_TOKEN_PREFIX = "op_live";

/** Parses `op_live_<rest>`; returns null if the text does not have this form. */
export function parseOperatorToken(token: string): { genuine: boolean } | null {
  const [, rest] = /^op_live_([0-9A-Za-z]+)$/.exec(token) ?? [];
  return rest === undefined ? null : { genuine: isGenuine(token, rest) };
}

/** Returns the account in `pk_live_<account>_<rest>`; null if the key cannot be genuine. */
export function accountOfWidgetKey(key: string): string | null {
  const parsed = parse("pk_live_", key);
  return parsed?.genuine ? parsed.account : null;
}

/** Splits at the last underscore, because account names may contain underscores. */
function parse(prefix: string, token: string): { account: string; genuine: boolean } | null {
  if (!token.startsWith(prefix)) return null;
  const [, account, rest] = /^(.+)_([0-9A-Za-z]+)$/.exec(token.slice(prefix.length)) ?? [];
  if (!account || !rest || !ACCOUNT_NAME.test(account)) return null;
  return { account, genuine: isGenuine(token, rest) };
}

/** Checks the length and checksum of the key's last part. */
function isGenuine(token: string, rest: string): boolean {
  if (rest.length !== RANDOM_LENGTH + CHECKSUM_LENGTH) return false;
  return checksum(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}

function randomBase62(length: number): string {
  let out = "";
  while (out.length < length) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes are skipped, because they would favor some characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < 248 && out.length < length) out += BASE62[byte % 62];
    }
  }
  return out;
}

function checksum(text: string): string {
  let value = crc32(new TextEncoder().encode(text));
  let out = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62[value % 62] + out;
    value = Math.floor(value / 62);
  }
  return out;
}

/** Returns the CRC-32 (ISO 3309) as an unsigned number. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
