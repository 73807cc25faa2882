import { base64url } from "jose";
import { sameSecret } from "./hashing.ts";

/** The number of PBKDF2 rounds. It is the maximum that Workers allow. */
const ROUNDS = 100_000;
const PLAIN = "pbkdf2-sha256";
const PEPPERED = "pbkdf2-sha256-hmac";
const encoder = new TextEncoder();

/**
 * The result of checking a password. `outdated` means that it is right, but was hashed with old parameters. `sealed`
 * means that it was hashed with a pepper that is not configured, so it cannot be checked.
 */
export type PasswordVerdict = "right" | "outdated" | "wrong" | "sealed";

interface Pepper {
  id: string;
  key: CryptoKey;
}

/**
 * Hashes a password as `pbkdf2-sha256$rounds$salt$hash`, or with a pepper as
 * `pbkdf2-sha256-hmac$rounds$salt$hash$pepper`, where the hash is the HMAC of the plain one. The pepper is not in the
 * database, and without it passwords cannot be guessed. `peppers` is PASSWORD_PEPPER: comma-separated secrets, of which
 * the first one hashes and all verify.
 */
export async function hashPassword(password: string, peppers?: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const [[pepper], hash] = await Promise.all([pepperRing(peppers), pbkdf2(password, salt, ROUNDS)]);
  const fields = [String(ROUNDS), base64url.encode(salt)];
  if (!pepper) return [PLAIN, ...fields, base64url.encode(hash)].join("$");
  return [PEPPERED, ...fields, base64url.encode(await hmac(pepper.key, hash)), pepper.id].join("$");
}

/**
 * Checks a password against a hash. Without a hash (an unknown user) the result is wrong, but takes the same time, so
 * that response times don't reveal which users exist.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  peppers?: string,
): Promise<PasswordVerdict> {
  const [scheme, rounds, salt, hash = "", pepperId] = stored?.split("$") ?? [];
  const saltBytes = salt ? new Uint8Array(base64url.decode(salt)) : new Uint8Array(16);
  const ring = await pepperRing(peppers);
  const plain = await pbkdf2(password, saltBytes, Number(rounds ?? ROUNDS));
  const pepper = ring.find(({ id }) => id === pepperId);
  if (scheme === PEPPERED && !pepper) return "sealed";
  const computed = scheme === PEPPERED && pepper ? await hmac(pepper.key, plain) : plain;
  if (!(await sameSecret(base64url.encode(computed), hash))) return "wrong";
  return pepper === ring[0] && Number(rounds) === ROUNDS ? "right" : "outdated";
}

async function pepperRing(peppers = ""): Promise<Pepper[]> {
  const secrets = peppers
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
  return Promise.all(
    secrets.map(async (secret) => {
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
      const id = base64url.encode(
        (await hmac(key, encoder.encode("which pepper") as Uint8Array<ArrayBuffer>)).slice(0, 6),
      );
      return { id, key };
    }),
  );
}

async function hmac(key: CryptoKey, bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
}

async function pbkdf2(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  rounds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(password), "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256));
}
