import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";

const FOLDER = join(import.meta.dirname, "peer");

/** What the peer is told: the place of its database, the keys it signs with, what its answers look like. */
interface Orders {
  stateDir: string;
  signingKeys: string;
  schemas: Record<string, unknown>;
}

/**
 * Starts the peer on a copy of the service's database, with the packages of its own lock file, which are installed the
 * first time. @throws Error with a sentence where they cannot be had
 */
export async function startPeer({ stateDir, signingKeys, schemas }: Orders): Promise<{ base: string; stop(): void }> {
  await install();
  const database = join(stateDir, "peer.sqlite");
  await copyDatabase(stateDir, database);
  const orders = join(stateDir, "peer.json");
  await writeFile(orders, JSON.stringify({ database, signingKeys, schemas }));
  const server = spawn(process.execPath, [join(FOLDER, "server.js"), orders], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => server.kill());
  return { base: await firstLine(server), stop: () => void server.kill() };
}

async function install(): Promise<void> {
  const installed = await stat(join(FOLDER, "node_modules/.package-lock.json")).catch(() => null);
  const locked = await stat(join(FOLDER, "package-lock.json"));
  if (installed && installed.mtimeMs >= locked.mtimeMs) return;
  console.log("  installing the peer (Fastify, better-sqlite3)");
  try {
    await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FOLDER });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`the peer's packages could not be installed: ${stderr?.trim() || error}`);
  }
}

/** The service's D1 as one file, whatever of it is still in the journal. */
async function copyDatabase(stateDir: string, target: string): Promise<void> {
  const folder = join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  const files = await readdir(folder);
  const [name] = files.filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  if (!name) throw new Error(`no D1 database in ${folder}`);
  for (const end of ["", "-wal"])
    if (files.includes(name + end)) await copyFile(join(folder, name + end), target + end);
  const copy = new DatabaseSync(target);
  copy.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  copy.close();
}

async function firstLine(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error("the peer has no output");
  const lines = createInterface(server.stdout);
  const stopped = once(server, "exit").then(([code]) => {
    throw new Error(`the peer stopped with ${code}`);
  });
  stopped.catch(() => undefined);
  const [line] = (await Promise.race([once(lines, "line"), stopped])) as [string];
  return line;
}
