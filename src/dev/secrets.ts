import { randomBytes } from "node:crypto";
import { appendFile, chmod, readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { exportJWK, generateKeyPair } from "jose";

/** Generates a value for every secret that the Worker needs. */
export async function freshSecrets(): Promise<{ ENCRYPTION_KEYS: string; SIGNING_KEYS: string }> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: freshId(), alg: "ES256" };
  return {
    ENCRYPTION_KEYS: `${freshId()}:${randomBytes(32).toString("base64")}`,
    SIGNING_KEYS: JSON.stringify([jwk]),
  };
}

/** Generates the id of a key. Keys are found by their ids, so a new key must not reuse one. */
function freshId(): string {
  return randomBytes(6).toString("hex");
}

/** Adds missing secrets to the `.dev.vars` file, which wrangler reads too, and keeps existing ones. */
export async function ensureDevVars(file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  const present = parseEnv(text);
  const missing = Object.entries(await freshSecrets()).filter(([name]) => present[name] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map(([name, value]) => `${name}='${value}'\n`).join("");
  await appendFile(file, text === "" || text.endsWith("\n") ? lines : `\n${lines}`, { mode: 0o600 });
  await chmod(file, 0o600);
}
