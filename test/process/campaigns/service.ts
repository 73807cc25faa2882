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

/** Timeout for its port to become free, ms. It is long enough for a slow machine. */
const TIMEOUT_MS = 120_000;
const HOST = "127.0.0.1";
/** Node announces every process that it spawns on this channel. */
const SPAWNED = "child_process";
/**
 * The service that is being started. Others may spawn processes at the same time, and the wrong one must not be killed.
 */
const starting = new AsyncLocalStorage<Service>();

/**
 * The service on its own port and state, as `npm start` configures it. The runtime's process, which holds all state,
 * can be killed at any moment.
 */
export class Service {
  readonly port: number;
  /** The folder of its state. */
  readonly stateDir: string;
  readonly #variables: Variables;
  #runtime: Miniflare | null = null;
  /** The runtime's process, as soon as it is spawned. */
  #process: ChildProcess | null = null;
  #isMigrated = false;
  #killed = false;

  private constructor(port: number, stateDir: string, settings: Variables) {
    this.port = port;
    this.stateDir = stateDir;
    this.#variables = localSettings({ ...settings, PUBLIC_URL: this.url }, `http://localhost:${port}`);
    process.once("exit", () => this.kill());
  }

  /** Prepares a service with a new state and a free port, without starting it. */
  static async prepare(env: Record<string, string>): Promise<Service> {
    const settings = { ...(await variables({})), ...(await freshSecrets()), RATE_LIMITS: "off", ...env };
    return new Service(await freePort(), await mkdtemp(join(tmpdir(), "switchboard-")), settings);
  }

  /** The process that serves it; null if it isn't running. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get url(): string {
    return `http://${HOST}:${this.port}`;
  }

  /** Starts it with the state of the last run. Resolves when it can be reached or was killed. */
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
    // It was killed too late for the starting code to notice.
    if (this.#killed) await this.#dispose();
  }

  async #prepareDatabase(runtime: Miniflare): Promise<void> {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await seedOperator(db);
    this.#isMigrated = true;
  }

  /** Returns its database and buckets, bypassing its API. */
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

  /** Waits until it can be reached, and returns whether it can. */
  async reached(): Promise<boolean> {
    for (const until = Date.now() + TIMEOUT_MS; !(await this.#listens()); await sleep(50)) {
      if (this.#killed || Date.now() > until) return false;
    }
    return true;
  }

  /** Kills its process immediately. */
  kill(): void {
    if (!this.#process) return;
    this.#killed = true;
    this.#process.kill("SIGKILL");
    // Otherwise a new process would replace the killed one.
    this.#dispose().catch(() => undefined);
  }

  /** Resolves when the killed process has ended and its port is free. */
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

  /** Ends it permanently and deletes its state. */
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
 * `fetch` with a new connection per request. The service may just have closed an idle connection, or it may belong to a
 * killed process; a busy machine notices that too late.
 */
export const freshFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("connection", "close");
  return fetch(input, Object.assign({}, init, { headers }));
};

/** Below the range of outgoing ports. A port in that range could be connected to itself and appear to be in service. */
const PORTS = { from: 20_000, to: 32_000 };

/** Returns a port that is currently free. */
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
