import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";

/** Fresh values for every secret the Worker needs. */
export async function freshSecrets(): Promise<{ ENCRYPTION_KEYS: string; SIGNING_KEYS: string }> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: randomBytes(6).toString("hex"), alg: "ES256" };
  return {
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SIGNING_KEYS: JSON.stringify([jwk]),
  };
}
