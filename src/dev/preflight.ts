import { once } from "node:events";
import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { publicKeySet } from "../kernel/secrets/tokens.ts";
import { Vault } from "../kernel/secrets/vault.ts";
import type { Variables } from "./runtime.ts";

/** The addresses of `localhost`. Another program at either of them would receive our requests. */
const ADDRESSES = ["127.0.0.1", "::1"];

/** Parses a port. @throws Error with a sentence */
export function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`PORT must be a port number such as 8788, not ${text}`);
  return port;
}

/** Finds a port that is free at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, ADDRESSES[0]);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

export function portInUse(port: number): Error {
  return new Error(
    `port ${port} is in use; stop the program that uses it, or start on another port: PORT=8788 npm start`,
  );
}

/** @throws Error with a sentence if something already listens on this machine */
export async function assertFree(port: number): Promise<void> {
  for (const address of ADDRESSES) {
    const code = await listenError(port, address);
    if (code === "EADDRINUSE") throw portInUse(port);
    // A machine without IPv6 does not have that address.
    if (code && address === ADDRESSES[0]) throw new Error(`port ${port} cannot be used (${code})`);
  }
}

function listenError(port: number, address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, address, () => probe.close(() => resolve(undefined)));
  });
}

/**
 * Checks that the state can be written; otherwise the runtime would just wait for a long time.
 * @throws Error with a sentence
 */
export async function assertWritable(stateDir: string): Promise<void> {
  try {
    for (const folder of [stateDir, join(stateDir, "v3")])
      await rmdir(await mkdtemp(join(await nearest(folder), "probe-")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`STATE_DIR ${stateDir} cannot be written (${code}); use another folder: STATE_DIR=… npm start`);
  }
}

/** Returns the folder, or its nearest ancestor that exists: a recursive mkdir would never end below /proc. */
async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  return found ? folder : nearest(dirname(folder));
}

/** Checks that there are keys to seal and sign with. @throws VaultUnavailable, SigningUnavailable with a sentence */
export async function assertKeys({ ENCRYPTION_KEYS, SIGNING_KEYS }: Variables): Promise<void> {
  if (!new Vault(ENCRYPTION_KEYS).available) throw new Error("ENCRYPTION_KEYS contains no keys");
  await publicKeySet(SIGNING_KEYS);
}
