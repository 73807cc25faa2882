const encoder = new TextEncoder();

/** Returns the SHA-256 in lower-case hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares two strings in a time that does not depend on where they differ. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([a, b].map((s) => crypto.subtle.digest("SHA-256", encoder.encode(s))));
  const [x, y] = [new Uint8Array(left as ArrayBuffer), new Uint8Array(right as ArrayBuffer)];
  return x.reduce((difference, byte, i) => difference | (byte ^ (y[i] ?? 0)), 0) === 0;
}
