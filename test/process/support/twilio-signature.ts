import { createHmac } from "node:crypto";

/**
 * Returns Twilio's signature of a form: over the address and then every field with its values, sorted. SignalWire's is
 * the same. The tests in test/oracles compare it with the one that Twilio's library creates.
 */
export function twilioSignature(key: string, url: string, fields: Record<string, string | string[]> = {}): string {
  const signed = Object.keys(fields)
    .sort()
    .flatMap((name) => [...new Set([fields[name] ?? []].flat())].sort().map((value) => name + value));
  return createHmac("sha1", key)
    .update(url + signed.join(""))
    .digest("base64");
}
