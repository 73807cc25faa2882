import { base64url } from "jose";
import type { Bindings, CredentialHolder } from "../../kernel/http/context.ts";
import { credentialHolder } from "../../kernel/http/credential-holder.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import { signText } from "../../kernel/secrets/tokens.ts";
import { MINUTE_MS } from "../../kernel/time.ts";

const PURPOSE = "recording-playback";
const LIFETIME_MS = 15 * MINUTE_MS;

type Secrets = Pick<Bindings, "SIGNING_KEYS">;

/** The recording that an address plays. */
interface Played {
  account: string;
  id: string;
}

/** Returns the address below `base` that plays a recording until `expiresAt` (ms), while its requester has access. */
export async function playbackUrl(env: Secrets, base: string, played: Played, holder: CredentialHolder, now: number) {
  const expiresAt = now + LIFETIME_MS;
  const by = base64url.encode(JSON.stringify(holder));
  const signature = await sign(env, played, String(expiresAt), by);
  const { account, id } = played;
  return {
    url: `${base}/api/recordings/${account}/${id}?expires=${expiresAt}&by=${by}&signature=${signature}`,
    expiresAt,
  };
}

/**
 * Returns the holder for whom the address was signed; null if it is forged, belongs to another recording, or has
 * expired.
 */
export async function playsFor(
  env: Secrets,
  { account, id, expires, by, signature }: Played & { expires: string; by: string; signature: string },
  now: number,
): Promise<CredentialHolder | null> {
  const isGenuine = await sameSecret(signature, await sign(env, { account, id }, expires, by));
  if (!isGenuine || Number(expires) <= now) return null;
  return credentialHolder.parse(JSON.parse(new TextDecoder().decode(base64url.decode(by))));
}

function sign({ SIGNING_KEYS }: Secrets, { account, id }: Played, expires: string, by: string): Promise<string> {
  return signText(SIGNING_KEYS, PURPOSE, `${account}/${id}/${expires}/${by}`);
}
