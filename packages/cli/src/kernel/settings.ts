/** Where the address and the keys are kept, and which of them a command uses. */
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "./failure.ts";
import { isObject } from "./json.ts";

export const DEFAULT_URL = "http://localhost:8787";

type Environment = Record<string, string | undefined>;

/** What is stored: each key belongs to the address it was given for, and is sent nowhere else. */
export interface Settings {
  /** The address that was signed in to last. */
  url: string | null;
  /** API keys by address. */
  keys: Record<string, string>;
}

/** The settings' file, where the system keeps such things (XDG, macOS, Windows). */
export function settingsPath(env: Environment, platform: string, home: string): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "switchboard", "settings.json");
  if (platform === "win32")
    return join(env.APPDATA || join(home, "AppData", "Roaming"), "switchboard", "settings.json");
  if (platform === "darwin") return join(home, "Library", "Application Support", "switchboard", "settings.json");
  return join(home, ".config", "switchboard", "settings.json");
}

/** An address as keys are kept under: scheme, host and port, and a path without its slash. @throws Failure */
export function normalUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Failure(EXIT.usage, "invalid_url", `“${text}” is not the address of a service; it begins with https://`);
  }
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, "");
}

/** The settings in the file; empty if there is none. @throws Failure for a file with other content */
export async function readSettings(path: string): Promise<Settings> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new Failure(EXIT.failed, "settings", `${path} cannot be read: ${error.code}`);
  });
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    throw new Failure(EXIT.failed, "settings", `${path} is not JSON; delete it and run: switchboard login`);
  }
  if (!isObject(kept)) return { url: null, keys: {} };
  const entries = isObject(kept.keys) ? Object.entries(kept.keys) : [];
  const keys = Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  return { url: typeof kept.url === "string" ? kept.url : null, keys };
}

/** Writes the file whole or not at all, for its owner's eyes alone. */
export async function writeSettings(path: string, settings: Settings): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Failure(EXIT.failed, "settings", `${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** The service and key that a command uses, null for none: from options, then the environment, then the file. */
export function chosen(
  options: { url?: string | undefined; apiKey?: string | undefined },
  env: Environment,
  kept: Settings,
): { url: string; apiKey: string | null } {
  const url = normalUrl(options.url || env.SWITCHBOARD_URL || kept.url || DEFAULT_URL);
  return { url, apiKey: options.apiKey || env.SWITCHBOARD_API_KEY || kept.keys[url] || null };
}

/** The account named in an API key, sk_live_<account>_<secret>; "" if there is none. */
export const accountOf = (apiKey: string): string => /^sk_[a-z]+_(.+)_[^_]+$/.exec(apiKey)?.[1] ?? "";
