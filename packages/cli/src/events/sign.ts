/** Signs webhooks by Standard Webhooks 1.0 (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from "node:crypto";
import { usage } from "../kernel/failure.ts";

const SECRET_BYTES = 24;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/** Parses a given secret. @throws Failure if it is invalid */
export function secretOf(text: string): string {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(encoded, "base64");
  if (length < SECRET_BYTES || length > 64) throw usage("a secret must be whsec_ followed by 24 to 64 bytes in base64");
  return text;
}

/** Returns a delivery's headers. @param at the time of the attempt, ms */
export function signedHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
