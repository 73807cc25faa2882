import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { banner } from "../../../src/dev/banner.ts";
import { PASSWORD } from "../../../src/dev/demo-data.ts";
import { localEnvironment } from "../../../src/dev/local-settings.ts";
import { variables } from "../../../src/dev/runtime.ts";

const ROOT = join(import.meta.dirname, "../../..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-tools-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs one of the tools to its end. */
async function run(script: string, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(ROOT, "src/dev", script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // If a tool does begin, it is stopped and the test fails.
    timeout: 90_000,
    killSignal: "SIGKILL",
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, output, errors };
}

/** Checks that a tool ends with one sentence and without a stack. */
function expectSentence({ code, errors }: { code: unknown; errors: string }, sentence: RegExp) {
  expect(errors).toMatch(sentence);
  expect(errors.trim().split("\n")).toHaveLength(1);
  expect(errors).not.toMatch(/\bat .*:\d+/);
  expect(code).toBe(1);
}

describe("npm start", () => {
  it.each([
    ["an invalid encryption key", { ENCRYPTION_KEYS: "broken" }, /ENCRYPTION_KEYS must be/],
    ["no encryption key", { ENCRYPTION_KEYS: "" }, /ENCRYPTION_KEYS contains no keys/],
    [
      "two encryption keys under one id",
      { ENCRYPTION_KEYS: `k1:${"A".repeat(43)}=,K1:${"B".repeat(43)}=` },
      /ENCRYPTION_KEYS has two keys with the id K1/,
    ],
    ["an invalid signing key", { SIGNING_KEYS: "broken" }, /SIGNING_KEYS must be/],
    ["no signing key", { SIGNING_KEYS: "[]" }, /SIGNING_KEYS contains no keys/],
    ["an invalid public address", { PUBLIC_URL: "switchboard" }, /PUBLIC_URL must be .*, not switchboard/],
    ["an invalid port", { PORT: "80a" }, /PORT must be a port number .*, not 80a/],
    [
      "a state folder that cannot be created",
      { STATE_DIR: "/proc/switchboard" },
      /STATE_DIR \/proc\/switchboard cannot/,
    ],
  ])("npm start does not start with %s, and reports it", async (_, env, sentence) => {
    expectSentence(await run("start.ts", [], { PORT: "0", STATE_DIR: join(folder, "state"), ...env }), sentence);
  });

  it("does not start if the state folder is a file", async () => {
    await writeFile(join(folder, "file"), "");
    const STATE_DIR = join(folder, "file/state");
    expectSentence(await run("start.ts", [], { PORT: "0", STATE_DIR }), /STATE_DIR .* cannot be written/);
  });

  it.each(["127.0.0.1", "::1"])("npm start does not start on a port that is taken at %s", async (host) => {
    const other = createServer().listen(0, host);
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const env = { PORT: String(port), STATE_DIR: join(folder, "state") };
    expectSentence(await run("start.ts", [], env), new RegExp(`port ${port} is in use`));
    other.close();
  });
});

describe("the output of npm start", () => {
  const served = { base: "http://localhost:1", key: "sk_live_acme_x", seconds: 1 };
  it("npm start prints the demo users' passwords while they are valid, and the provider if there is one", () => {
    const here = banner({ ...served, signIn: { passwords: true, issuer: "" } });
    for (const word of [PASSWORD, "http://localhost:1/docs/guides"]) expect(here).toContain(word);
    expect(here).not.toContain("/api/login");
    expect(here).toMatch(/ready in[^\n]*\n\n\s+\S*Console\S*\s+http:\/\/localhost:1\/\n/);
    const both = banner({ ...served, signIn: { passwords: true, issuer: "https://idp.example" } });
    for (const word of [PASSWORD, "/api/login?account=acme", "https://idp.example"]) expect(both).toContain(word);
  });
  it("npm start prints lines of requests only if they are asked for", async () => {
    const linesOf = async (env: Record<string, string>) => (await variables(localEnvironment(env))).REQUEST_LINES;
    expect([await linesOf({}), await linesOf({ REQUEST_LINES: "on" })]).toEqual(["off", "on"]);
  });
  it("npm start prints no password if sign-ins by password are off", () => {
    const there = banner({ ...served, signIn: { passwords: false, issuer: "https://idp.example" } });
    for (const word of ["password", "owner@acme.example", "npm run demo"]) expect(there).not.toContain(word);
    expect(there).toContain("http://localhost:1/api/login?account=acme");
  });
});

describe("npm run secret", () => {
  it("prints a key with another id each time", async () => {
    const encryption = [await run("secret.ts", ["ENCRYPTION_KEYS"]), await run("secret.ts", ["ENCRYPTION_KEYS"])];
    expect(new Set(encryption.map(({ output }) => output.split(":")[0])).size).toBe(2);
    const signing = [await run("secret.ts", ["SIGNING_KEYS"]), await run("secret.ts", ["SIGNING_KEYS"])];
    expect(new Set(signing.map(({ output }) => JSON.parse(output)[0].kid)).size).toBe(2);
  });
});

describe("npm run verify-history", () => {
  it.each([
    ["a file that is not there", null, /nothing cannot be read \(ENOENT\)/],
    ["an empty file", "", /contains no entries/],
    ["text", "hello\n", /line 1: not an entry/],
    ["JSON that is not an entry", "{}\n", /line 1: not an entry/],
    ["null", "null\n", /line 1: not an entry/],
    ["an entry that was changed", '{"entry":[1],"previous_hash":"","hash":"00"}\n', /line 1: the history was changed/],
  ])("npm run verify-history explains %s in a sentence", async (_, content, sentence) => {
    const file = join(folder, content === null ? "nothing" : "history.ndjson");
    if (content !== null) await writeFile(file, content);
    expectSentence(await run("verify-history.ts", [file]), sentence);
  });
  it("reports a folder that cannot be read", async () => {
    expectSentence(await run("verify-history.ts", [folder]), /cannot be read \(EISDIR\)/);
  });
});
