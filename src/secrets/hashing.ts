import { base64url } from "jose";

/** PBKDF2 rounds: the most that Workers allow. */
const ITERATIONS = 100_000;
const encoder = new TextEncoder();

/** SHA-256 as lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Equality of two strings in time that does not depend on where they differ. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([a, b].map((s) => crypto.subtle.digest("SHA-256", encoder.encode(s))));
  const [x, y] = [new Uint8Array(left as ArrayBuffer), new Uint8Array(right as ArrayBuffer)];
  return x.reduce((difference, byte, i) => difference | (byte ^ (y[i] ?? 0)), 0) === 0;
}

/** A password as `pbkdf2-sha256$rounds$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const hash = await pbkdf2(password, salt, ITERATIONS);
  return `pbkdf2-sha256$${ITERATIONS}$${base64url.encode(salt)}$${base64url.encode(hash)}`;
}

/** Whether the password is the one hashed. With no hash (unknown user) it takes just as long and is false. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, rounds, salt, hash] = stored?.split("$") ?? [];
  const saltBytes = salt ? new Uint8Array(base64url.decode(salt)) : new Uint8Array(16);
  const computed = await pbkdf2(password, saltBytes, Number(rounds ?? ITERATIONS));
  return sameSecret(base64url.encode(computed), hash ?? "");
}

async function pbkdf2(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(password), "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, 256),
  );
}
