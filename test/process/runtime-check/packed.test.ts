import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRuntime } from "../../../examples/runtime/server.js";
import { freePort } from "../campaigns/service.ts";

const ROOT = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-runtime-check-"));
  const pack = ["pack", "--workspace", "packages/runtime-check", "--pack-destination", folder, "--offline"];
  await run("npm", pack, { cwd: ROOT });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? expect.fail("nothing was packed");
  await run("tar", ["-xzf", tarball], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

it("the packed check finds nothing wrong with the example, as plain JavaScript without dependencies", async () => {
  expect((await readdir(join(folder, "package"), { recursive: true })).sort()).toEqual([
    "README.md",
    "dist",
    "dist/index.js",
    "package.json",
  ]);
  const contractPort = await freePort();
  const switchboardUrl = `http://127.0.0.1:${contractPort}`;
  const runtime = await startRuntime({ port: 0, host: "127.0.0.1", switchboardUrl });
  const args = ["package/dist/index.js", `ws://127.0.0.1:${runtime.port}`, "--contract-port", String(contractPort)];
  const options = { cwd: folder, env: { PATH: process.env.PATH } };
  const { stdout } = await run(process.execPath, [...args, "--json"], options).finally(() => runtime.stop());
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, speaks: "twilio" });
});
