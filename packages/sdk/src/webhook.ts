import type { Schema } from "./types.ts";

const MOST_AGE_S = 300;

type Delivered<E> = E extends { type: infer Type; data: infer Data }
  ? { id: string; type: Type; timestamp: string; account: string; data: Data }
  : never;

/** The content of a webhook: an event with its account, or the message of a test. */
export type WebhookEvent = Delivered<Schema<"Event"> | { type: "webhook.test"; data: { webhook_id: string } }>;

/** The delivery is not from the service, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

type HeadersLike = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/**
 * Returns the event that a webhook delivers after verifying its signature (Standard Webhooks 1.0). Pass the body
 * unparsed.
 * @param secret `whsec_…`; several while one is rotated @param nowS the time, in seconds
 * @throws WebhookVerificationError
 */
export async function verifyWebhook<Event = WebhookEvent>(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  nowS = Date.now() / 1000,
): Promise<Event> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError("a webhook-id, webhook-timestamp or webhook-signature header is missing");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowS - Number(timestamp)) > MOST_AGE_S)
    throw new WebhookVerificationError("the timestamp is too far from the present time");
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const head = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const candidates = signatures.split(" ").flatMap((one) => (one.startsWith("v1,") ? [decoded(one.slice(3))] : []));
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const raw = decoded(one.replace(/^whsec_/, ""));
    if (!raw || raw.length === 0) throw new TypeError("the secret is not a webhook's secret (whsec_…)");
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    // WebCrypto compares in constant time.
    for (const candidate of candidates)
      if (candidate && (await crypto.subtle.verify("HMAC", key, candidate, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  }
  throw new WebhookVerificationError("no signature matches");
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : Array.isArray(found) ? found[0] : undefined;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
