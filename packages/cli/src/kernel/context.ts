/** The context of every command: terminal, service and environment. */
import { homedir } from "node:os";
import type { Command } from "commander";
import { Client } from "../api/client.ts";
import { EXIT, Failure } from "./failure.ts";
import { chosen, readSettings, settingsPath } from "./settings.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface World {
  env: Record<string, string | undefined>;
  platform: string;
  home: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  fetch: typeof fetch;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Runs `act` when the user interrupts (Ctrl-C), or the process gets SIGTERM. */
  onInterrupt(act: () => void): void;
}

export const theWorld: World = {
  env: process.env,
  platform: process.platform,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
  now: () => Date.now(),
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  onInterrupt: (act) => {
    process.once("SIGINT", act);
    process.once("SIGTERM", act);
  },
};

export interface Session {
  world: World;
  terminal: Terminal;
  url: string;
  apiKey: string | null;
  /** The value of `--api-key`; null if it is not given. */
  givenKey: string | null;
  settingsFile: string;
  /** Returns a client for the signed-in user. @throws Failure if no user is signed in */
  client(): Client;
}

interface GlobalOptions {
  url?: string;
  apiKey?: string;
  json?: boolean;
}

/** Opens the session of a command. Its own options override the program's. */
export async function openSession(command: Command, world: World): Promise<Session> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const terminal = openTerminal(options.json === true, world, world.env);
  const settingsFile = settingsPath(world.env, world.platform, world.home);
  const { url, apiKey } = chosen(options, world.env, await readSettings(settingsFile));
  const connect = () => new Client({ url, apiKey, fetch: world.fetch, sleep: world.sleep });
  return {
    world,
    terminal,
    url,
    apiKey,
    givenKey: options.apiKey ?? null,
    settingsFile,
    client: () => {
      if (apiKey !== null) return connect();
      const message = `you are not signed in at ${url}; run switchboard login, or set SWITCHBOARD_API_KEY`;
      throw new Failure(EXIT.signIn, "not_signed_in", message);
    },
  };
}
