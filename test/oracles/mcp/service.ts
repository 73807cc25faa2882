import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "../../../src/dev/preflight.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** The service as `npm start` runs it. */
export interface Service {
  origin: string;
  /** The demo account's API key. */
  key: string;
}

/** Starts the service for the tests of a file; the returned values are filled in once they begin. */
export function startedService(variables: Record<string, string> = {}): Service {
  const started: Service = { origin: "", key: "" };
  let service: ChildProcess;
  let state: string;
  beforeAll(async () => {
    const port = await freePort();
    state = await mkdtemp(join(tmpdir(), "oracles-"));
    const env = Object.assign({}, process.env, { PORT: String(port), STATE_DIR: state }, variables);
    service = spawn(process.execPath, ["src/dev/start.ts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
    Object.assign(started, { origin: `http://localhost:${port}`, key: await printedKey(service) });
  });
  afterAll(async () => {
    if (service.exitCode === null) {
      const ended = new Promise((done) => service.once("close", done));
      service.kill("SIGTERM");
      await ended;
    }
    await rm(state, { recursive: true, force: true });
  });
  return started;
}

/** Returns the API key that the service prints once it is ready. */
function printedKey(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let printed = "";
    child.stdout?.on("data", (piece: Buffer) => {
      printed += piece.toString();
      const [shown] = /sk_live_\w+/.exec(printed) ?? [];
      if (shown && printed.includes("Ctrl+C")) found(shown);
    });
    child.once("close", () => failed(new Error("the service did not start")));
  });
}
