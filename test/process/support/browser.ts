import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { DIST } from "../../../src/dev/paths.ts";

/** Launches a headless Chromium: on Linux the one from npm, elsewhere the installed Chrome. */
export async function launch(): Promise<Browser> {
  return chromium.launch(await options());
}

let running: Promise<Browser> | undefined;

/** Returns the Chromium that all test files in this process share, one after another. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function options(): Promise<LaunchOptions> {
  const executablePath = await unpackedBrowser();
  if (executablePath === undefined) return { channel: "chrome" };
  return { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] };
}

/**
 * Returns the unpacked program from npm; undefined if the installed Chrome is used. The program is moved into place as
 * a whole, so that processes which begin together never start an incomplete one.
 */
export async function unpackedBrowser(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../bin/chromium.br");
  const program = join(DIST, "chromium", String((await stat(packed)).size));
  if (existsSync(program)) return program;
  await mkdir(join(DIST, "chromium"), { recursive: true });
  const part = `${program}.${process.pid}`;
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part, { mode: 0o700 }));
  await rename(part, program);
  return program;
}
