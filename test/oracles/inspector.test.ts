import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../src/dev/preflight.ts";

const ROOT = join(import.meta.dirname, "../..");
const INSPECTOR = join(import.meta.dirname, "node_modules/.bin/mcp-inspector");

let service: ChildProcess;
let state: string;
let origin: string;
let key: string;

beforeAll(async () => {
  const port = await freePort();
  state = await mkdtemp(join(tmpdir(), "inspected-"));
  origin = `http://localhost:${port}`;
  const env = Object.assign({}, process.env, { PORT: String(port), STATE_DIR: state });
  service = spawn(process.execPath, ["src/dev/start.ts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  key = await printedKey(service);
});
afterAll(async () => {
  if (service.exitCode === null) {
    const ended = new Promise((done) => service.once("close", done));
    service.kill("SIGTERM");
    await ended;
  }
  await rm(state, { recursive: true, force: true });
});

describe("the protocol's inspector, as a client", () => {
  for (const era of ["legacy", "modern"])
    it(`of the ${era} era finds no error in the tools, uses one and reads a guide`, async () => {
      const inspect = (...args: string[]) => inspector("--protocol-era", era, ...args);
      const { stdout, stderr } = await inspect("--method", "tools/list", "--strict");
      const { tools } = JSON.parse(stdout) as { tools: object[] };
      expect(tools.length).toBeGreaterThan(15);
      expect(stderr).toMatch(/^0 errors/m);
      const used = await inspect("--method", "tools/call", "--tool-name", "find_agents");
      expect(JSON.parse(used.stdout)).toMatchObject({ structuredContent: { agents: [{ name: "Reception" }] } });
      const uri = "switchboard://guides/guides/assistant";
      const read = await inspect("--method", "resources/read", "--uri", uri);
      expect(JSON.parse(read.stdout)).toMatchObject({ contents: [{ uri, mimeType: "text/markdown" }] });
    });
});

function inspector(...args: string[]) {
  const target = [`${origin}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
  return promisify(execFile)(process.execPath, [INSPECTOR, "--cli", ...target, ...args], {
    maxBuffer: 8 * 1024 * 1024,
  });
}

/** The API key that the service prints once it is ready. */
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
