const encoder = new TextEncoder();

/** Returns the HMAC of a text in base64. */
export async function hmac(hash: "SHA-1" | "SHA-256", secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash }, false, ["sign"]);
  return base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

/** Returns a form's fields, with every value of a repeated one. */
export function fieldsOf(body: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) fields.set(name, [...(fields.get(name) ?? []), value]);
  return fields;
}

/** Returns an address as it is, without a port, and with its scheme's default port: carriers sign one or the other. */
export function portVariants(url: string): string[] {
  const [, scheme = "", host = "", rest = ""] =
    /^((?:https?|wss?):\/\/)([^/?#:]+|\[[^\]]*\])(?::\d+)?(.*)$/s.exec(url) ?? [];
  if (scheme === "") return [url];
  const implied = /^(https|wss):/.test(scheme) ? 443 : 80;
  return [...new Set([url, `${scheme}${host}${rest}`, `${scheme}${host}:${implied}${rest}`])];
}

export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Decodes strict, padded base64; undefined for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
