import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
/** How long it may take to start, or its port to become free, ms: generous, a slow machine is no failure. */
const START_TIMEOUT_MS = 120_000;

/** The whole service as `npm start` runs it, in a process group of its own that can be killed at any moment. */
export class Service {
  readonly port: number;
  /** Where its state is. */
  readonly stateDir: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  #killed = false;
  #output = "";

  private constructor(port: number, stateDir: string, env: Record<string, string>) {
    this.port = port;
    this.stateDir = stateDir;
    this.#env = env;
    // Being a group of its own, it would not get the signal that ends us.
    process.once("exit", () => this.kill());
  }

  /** On a fresh state and a free port, not started yet. */
  static async prepare(env: Record<string, string>): Promise<Service> {
    return new Service(await freePort(), await mkdtemp(join(tmpdir(), "switchboard-")), env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it on the state the last run left; resolves when it can be reached, or was killed before. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["src/dev/start.ts"], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        BUILT_WORKER: inject("worker"),
        ...this.#env,
        PORT: String(this.port),
        STATE_DIR: this.stateDir,
        PUBLIC_URL: this.url,
        // What it would tidy up at its end goes with its state.
        TMPDIR: this.stateDir,
        RATE_LIMITS: "off",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
      },
    });
    this.#child = child;
    this.#killed = false;
    this.#output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => {
        this.#output += text;
      });
    const failed = () => child.exitCode !== null;
    if (!(await this.reached(failed)) && !this.#killed) throw new Error(`the service does not start:\n${this.#output}`);
  }

  /** Waits until it can be reached; gives whether it can. */
  async reached(failed = () => false): Promise<boolean> {
    for (const until = Date.now() + START_TIMEOUT_MS; !(await this.#listens()); await sleep(50)) {
      if (this.#killed || failed() || Date.now() > until) return false;
    }
    return true;
  }

  /** Ends every process of it on the spot; nothing of it gets to say or write another word. */
  kill(): void {
    if (this.#child?.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#killed = true;
    process.kill(-this.#child.pid, "SIGKILL");
  }

  /** Resolves when a killed one is gone and its port free. */
  async gone(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    this.#child = null;
    for (const until = Date.now() + START_TIMEOUT_MS; await this.#listens(); await sleep(20)) {
      if (Date.now() > until) throw new Error(`port ${this.port} does not become free`);
    }
  }

  /** Ends it for good, and its state with it. */
  async remove(): Promise<void> {
    this.kill();
    await this.gone();
    await rm(this.stateDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, "127.0.0.1");
      const say = (is: boolean) => {
        socket.destroy();
        resolve(is);
      };
      socket.once("connect", () => say(true));
      socket.once("error", () => say(false));
    });
  }
}

/** Below the ports that connections go out from: one of those could be connected with itself, and seem to be served. */
const PORTS = { from: 20_000, to: 32_000 };

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await Promise.race([
      once(server, "listening").then(() => true),
      once(server, "error").then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
