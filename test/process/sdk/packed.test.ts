import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../../src/dev/paths.ts";

const run = promisify(execFile);
/** The package's promised maximum size, compressed. */
const MOST_BYTES = 20 * 1024;
/** The compiler options that require more of a package's types than `strict`. */
const STRICTEST = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedSideEffectImports: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
};

/** The folder of a project with the package as npm installs it. */
let project: string;
let sdk: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "switchboard-sdk-"));
  await run("npm", ["pack", "--workspace", "packages/sdk", "--pack-destination", project, "--offline"], { cwd: ROOT });
  const tarball = (await readdir(project)).find((name) => name.endsWith(".tgz")) ?? expect.fail("nothing was packed");
  await run("tar", ["-xzf", tarball], { cwd: project });
  sdk = join(project, "node_modules/@switchboard/sdk");
  await mkdir(dirname(sdk), { recursive: true });
  await rename(join(project, "package"), sdk);
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(() => rm(project, { recursive: true }));

it("the packed SDK contains one module, its types and its README", async () => {
  const files = await readdir(sdk, { recursive: true, withFileTypes: true });
  const names = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(sdk.length + 1));
  expect(names.filter((name) => !/^dist\/.*\.d\.ts$/.test(name)).sort()).toEqual([
    "README.md",
    "dist/index.js",
    "package.json",
  ]);
  expect(names).toEqual(expect.arrayContaining(["dist/index.d.ts", "dist/schema.d.ts"]));
  const { dependencies } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8"));
  expect(dependencies).toBeUndefined();
});

it("the packed SDK is small", async () => {
  expect(gzipSync(await readFile(join(sdk, "dist/index.js"))).length).toBeLessThanOrEqual(MOST_BYTES);
});

it.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])(
  "the packed SDK has types for the strictest consumers, as %s modules with %s resolution",
  async (module, moduleResolution) => {
    await copyFile(join(import.meta.dirname, "consumer/index.ts"), join(project, "index.ts"));
    const config = join(project, `tsconfig.${moduleResolution}.json`);
    const compilerOptions = { ...STRICTEST, module, moduleResolution };
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const output = await run(tsc, ["-p", config]).then(
      ({ stdout }) => stdout,
      ({ stdout, message }) => stdout || message,
    );
    expect(output).toBe("");
  },
);

it("the packed SDK lists agents in the installed Node without dependencies", async () => {
  const requests: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    requests.push(url, headers.authorization);
    response.writeHead(200, { "content-type": "application/json" }).end('[{"id":"1","name":"Ada"}]');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = `
    import { Switchboard } from "@switchboard/sdk";
    const sb = new Switchboard({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: "sk_live_acme_x" });
    for await (const { name } of sb.agents.list()) console.log(name);
  `;
  await writeFile(join(project, "index.mjs"), script);
  // Leaves out `node_modules/.bin`, where npm scripts may find a newer Node than the machine's.
  const PATH = process.env.PATH?.split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);
  try {
    const { stdout } = await run("node", ["index.mjs"], { cwd: project, env: { PATH } });
    expect(stdout).toBe("Ada\n");
    expect(requests).toEqual(["/api/v1/agents", "Bearer sk_live_acme_x"]);
  } finally {
    server.close();
  }
});
