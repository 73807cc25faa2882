import { Webhook as Signer } from "standardwebhooks";
import { z } from "zod";
import { webhookContext } from "../../kernel/db/seal-contexts.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { DAY_MS } from "../../kernel/time.ts";

/** A signing secret and when it expires; null for the current secret. */
export interface SigningSecret {
  secret: string;
  /** ISO 8601. */
  until: string | null;
}

/** How long the previous secret also signs after a rotation, ms. */
const ROTATION_MS = DAY_MS;
/**
 * The most secrets that sign at a time. After more rotations, the oldest stop early, because a header has no more
 * signatures.
 */
const MOST_SECRETS = 3;
const SECRET_BYTES = 32;

const stored = z.array(z.object({ secret: z.string(), until: z.string().nullable() }));

type Keys = Pick<Env, "ENCRYPTION_KEYS">;

/** Creates a secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}

/** Seals the secrets for their webhook. @throws VaultUnavailable */
export function sealSecrets({ ENCRYPTION_KEYS }: Keys, account: string, id: string, secrets: SigningSecret[]) {
  return new Vault(ENCRYPTION_KEYS).seal(secrets, webhookContext(account, id));
}

/** Opens the secrets of a webhook, the current one first. @throws VaultUnavailable */
export async function openSecrets({ ENCRYPTION_KEYS }: Keys, account: string, id: string, sealed: string) {
  return stored.parse(await new Vault(ENCRYPTION_KEYS).open(sealed, webhookContext(account, id)));
}

/** Adds a new secret at `now` (ms), and limits how long the previous ones sign. */
export function rotated(secrets: readonly SigningSecret[], secret: string, now: number): SigningSecret[] {
  const until = new Date(now + ROTATION_MS).toISOString();
  const before = secrets.map((old) => (old.until === null ? { secret: old.secret, until } : old));
  return [{ secret, until: null }, ...signing(before, now)].slice(0, MOST_SECRETS);
}

export function signing(secrets: readonly SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now);
}

/** Returns the headers of a message as Standard Webhooks specifies them, signed by each secret at `now` (ms). */
export function signedHeaders(
  secrets: readonly SigningSecret[],
  { id, body }: { id: string; body: string },
  now: number,
): Record<string, string> {
  const at = new Date(now);
  const signatures = signing(secrets, now).map(({ secret }) => new Signer(secret).sign(id, at, body));
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}
