import type { Bindings } from "../../kernel/http/context.ts";
import { sameSecret } from "../../kernel/secrets/hashing.ts";
import { signText } from "../../kernel/secrets/tokens.ts";
import { MINUTE_MS } from "../../kernel/time.ts";

const PURPOSE = "recording-playback";
/** Lifetime of a playback address, ms. */
const LIFETIME_MS = 15 * MINUTE_MS;

type Secrets = Pick<Bindings, "SIGNING_KEYS">;

/** The address below `base` that plays a recording until `expiresAt` (ms). */
export async function playbackUrl(env: Secrets, base: string, account: string, id: string, now: number) {
  const expiresAt = now + LIFETIME_MS;
  const signature = await sign(env, account, id, String(expiresAt));
  return { url: `${base}/api/recordings/${account}/${id}?expires=${expiresAt}&signature=${signature}`, expiresAt };
}

/** Whether we signed the address for this recording and it has not expired. */
export async function mayPlay(
  env: Secrets,
  { account, id, expires, signature }: { account: string; id: string; expires: string; signature: string },
  now: number,
): Promise<boolean> {
  const genuine = await sameSecret(signature, await sign(env, account, id, expires));
  return genuine && Number(expires) > now;
}

function sign({ SIGNING_KEYS }: Secrets, account: string, id: string, expires: string): Promise<string> {
  return signText(SIGNING_KEYS, PURPOSE, `${account}/${id}/${expires}`);
}
