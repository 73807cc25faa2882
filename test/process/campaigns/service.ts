import { AsyncLocalStorage } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { inject } from "vitest";
import { localSettings } from "../../../src/dev/local-settings.ts";
import { migrate } from "../../../src/dev/migrate.ts";
import { startRuntime, type Variables, variables } from "../../../src/dev/runtime.ts";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { seedOperator } from "../../../src/dev/seed.ts";

/** How long its port may take to become free, ms: generous, a slow machine is no failure. */
const TIMEOUT_MS = 120_000;
const HOST = "127.0.0.1";
/** Node announces every process that it spawns here. */
const SPAWNED = "child_process";
/** Which service is being started: others spawn processes at the same time, and one must not be killed for another. */
const starting = new AsyncLocalStorage<Service>();

/**
 * The service on a port and a state of its own, as `npm start` configures it, in a process that can be killed at any
 * moment: that of the runtime, which holds all state.
 */
export class Service {
  readonly port: number;
  /** Where its state is. */
  readonly stateDir: string;
  readonly #variables: Variables;
  #runtime: Miniflare | null = null;
  /** The runtime's process, from the moment it is spawned. */
  #process: ChildProcess | null = null;
  #isMigrated = false;
  #killed = false;

  private constructor(port: number, stateDir: string, settings: Variables) {
    this.port = port;
    this.stateDir = stateDir;
    this.#variables = localSettings({ ...settings, PUBLIC_URL: this.url }, `http://localhost:${port}`);
    process.once("exit", () => this.kill());
  }

  /** On a fresh state and a free port, not started yet. */
  static async prepare(env: Record<string, string>): Promise<Service> {
    const settings = { ...(await variables({})), ...(await freshSecrets()), RATE_LIMITS: "off", ...env };
    return new Service(await freePort(), await mkdtemp(join(tmpdir(), "switchboard-")), settings);
  }

  /** The process that serves it, null while none does. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get url(): string {
    return `http://${HOST}:${this.port}`;
  }

  /** Starts it on the state the last run left; resolves when it can be reached, or was killed before. */
  async start(): Promise<void> {
    this.#killed = false;
    const noteProcess = (message: unknown) => {
      if (starting.getStore() === this) this.#process = (message as { process: ChildProcess }).process;
    };
    subscribe(SPAWNED, noteProcess);
    try {
      const listen = { host: HOST, port: this.port };
      const { stateDir } = this;
      const runtime = await starting.run(this, () =>
        startRuntime({ script: inject("worker"), variables: this.#variables, listen, stateDir }),
      );
      this.#runtime = runtime;
      if (!this.#isMigrated) await this.#prepareDatabase(runtime);
    } catch (error) {
      if (!this.#killed) throw error;
    } finally {
      unsubscribe(SPAWNED, noteProcess);
    }
    // Killed too late to be noticed by what starts it.
    if (this.#killed) await this.#dispose();
  }

  async #prepareDatabase(runtime: Miniflare): Promise<void> {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await seedOperator(db);
    this.#isMigrated = true;
  }

  /** What it stores in the database and its buckets, past its API. */
  async stores() {
    const runtime = this.#runtime;
    if (!runtime) throw new Error("the service does not run");
    const [database, recordings, conversations] = await Promise.all([
      runtime.getD1Database("DB"),
      runtime.getR2Bucket("RECORDINGS"),
      runtime.getR2Bucket("CONVERSATIONS"),
    ]);
    return { database, buckets: [recordings, conversations] };
  }

  /** Runs its cron now. */
  async runCron(): Promise<void> {
    const worker = await this.#runtime?.getWorker();
    await worker?.scheduled({ scheduledTime: new Date(), cron: "*/10 * * * *" });
  }

  /** Waits until it can be reached; gives whether it can. */
  async reached(): Promise<boolean> {
    for (const until = Date.now() + TIMEOUT_MS; !(await this.#listens()); await sleep(50)) {
      if (this.#killed || Date.now() > until) return false;
    }
    return true;
  }

  /** Ends its process on the spot, before it says or writes another word. */
  kill(): void {
    if (!this.#process) return;
    this.#killed = true;
    this.#process.kill("SIGKILL");
    // Else a new process would be started in the place of the killed one.
    this.#dispose().catch(() => undefined);
  }

  /** Resolves when a killed one is gone and its port free. */
  async gone(): Promise<void> {
    const killed = this.#process;
    if (killed && killed.exitCode === null && killed.signalCode === null) await once(killed, "exit");
    this.#process = null;
    for (const until = Date.now() + TIMEOUT_MS; await this.#listens(); await sleep(20)) {
      if (Date.now() > until) throw new Error(`port ${this.port} does not become free`);
    }
  }

  async #dispose(): Promise<void> {
    const runtime = this.#runtime;
    this.#runtime = null;
    await runtime?.dispose();
  }

  /** Ends it permanently, with its state. */
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

/**
 * `fetch`, each request over a connection of its own: one that was left open may just have been closed by the service, or
 * be of a process that was killed, which a busy machine notices too late.
 */
export const freshFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("connection", "close");
  return fetch(input, Object.assign({}, init, { headers }));
};

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
