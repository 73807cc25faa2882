import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, it, onTestFinished } from "vitest";
import type {} from "../support/build-worker.ts";

const errorsOf = async (module: string): Promise<unknown> =>
  JSON.parse(
    (await promisify(execFile)(process.execPath, [join(import.meta.dirname, "errors-at-load.ts"), module])).stdout,
  );

// V8 notes no positions in a script until it needs one. The first error at the top level makes it parse the whole bundle
// again, which takes an eighth of the time in which the Worker starts.
it("the Worker creates no error while it loads", async () => {
  expect(await errorsOf(inject("deployedWorker"))).toEqual([]);
});

it("an error that a module creates while it loads is found", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-errors-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const module = join(folder, "module.mjs");
  await writeFile(module, 'class Own extends Error {}\nexport const refusal = new Own("too soon");\n');
  expect(await errorsOf(module)).toEqual(["too soon"]);
});
