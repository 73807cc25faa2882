/** Stores addresses and keys, and chooses which of them a command uses. */
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "./failure.ts";
import { isObject } from "./json.ts";

export const DEFAULT_URL = "http://localhost:8787";

type Environment = Record<string, string | undefined>;

/** The stored settings. Each key is sent only to the address it was given for. */
export interface Settings {
  /** The address of the last sign-in. */
  url: string | null;
  keys: Record<string, string>;
}

/** Returns the path of the settings file in the system's usual place (XDG, macOS, Windows). */
export function settingsPath(env: Environment, platform: string, home: string): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "switchboard", "settings.json");
  if (platform === "win32")
    return join(env.APPDATA || join(home, "AppData", "Roaming"), "switchboard", "settings.json");
  if (platform === "darwin") return join(home, "Library", "Application Support", "switchboard", "settings.json");
  return join(home, ".config", "switchboard", "settings.json");
}

/** Normalizes an address: scheme, host, port and path without a trailing slash. @throws Failure */
export function normalUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Failure(
      EXIT.usage,
      "invalid_url",
      `“${text}” is not the address of a service, which begins with https://`,
    );
  }
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, "");
}

/** Reads the settings; empty if the file is missing. @throws Failure for a file with other content */
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

/** Writes the settings file atomically, readable only by its owner. */
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

/** Chooses the service and key from options, then the environment, then the file; null for none. */
export function chosen(
  options: { url?: string | undefined; apiKey?: string | undefined },
  env: Environment,
  kept: Settings,
): { url: string; apiKey: string | null } {
  const url = normalUrl(options.url || env.SWITCHBOARD_URL || kept.url || DEFAULT_URL);
  return { url, apiKey: options.apiKey || env.SWITCHBOARD_API_KEY || kept.keys[url] || null };
}

/** Returns the account named in an API key, sk_live_<account>_<secret>; "" if there is none. */
export const accountOf = (apiKey: string): string => /^sk_[a-z]+_(.+)_[^_]+$/.exec(apiKey)?.[1] ?? "";
