import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrationFiles } from "../../../../src/dev/migration-files.ts";
import { sha256Hex } from "../../../../src/kernel/secrets/hashing.ts";
import { ACCOUNT, StandIn } from "./cloudflare.ts";

const ROOT = join(import.meta.dirname, "../../../..");
let cloudflare: StandIn;
let folder: string;
beforeEach(async () => {
  cloudflare = new StandIn();
  await cloudflare.start();
  folder = await mkdtemp(join(tmpdir(), "switchboard-deploy-"));
});
afterEach(async () => {
  cloudflare.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command as a user would, with a stand-in for Cloudflare. */
async function deploy(...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, "src/dev/deploy/index.ts"), "--no-wait", ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      SECRETS_DIR: join(folder, "secrets"),
      DEPLOYMENT_FILE: join(folder, "deployment.toml"),
      HOME: folder,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
      CLOUDFLARE_API_BASE_URL: cloudflare.base,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 580_000,
    killSignal: "SIGKILL",
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, output, errors };
}

// Uses wrangler itself, which takes seconds. All other parts of a deployment are tested without it in steps.test.ts.
it("one command deploys to an empty account", async () => {
  await writeFile(
    join(folder, "deployment.toml"),
    '[vars]\nLLM_MODEL = "gpt-5-mini"\nEMAIL_FROM = "team@example.com"\n[[send_email]]\nname = "EMAIL"\n',
  );
  const { code, output, errors } = await deploy("--operator", "You@example.com");
  expect([code, errors], errors).toEqual([0, ""]);
  const file = join(folder, "secrets/production.env");
  const kept = await readFile(file, "utf8");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "secrets"))).toEqual(["production.env"]);
  expect([...cloudflare.buckets].sort()).toEqual([
    "switchboard-conversations",
    "switchboard-documents",
    "switchboard-recordings",
  ]);

  const worker = cloudflare.workers.get("switchboard");
  const database = cloudflare.databases.get("switchboard");
  expect(Object.keys(worker?.secrets ?? {}).sort()).toEqual(["ENCRYPTION_KEYS", "SIGNING_KEYS"]);
  for (const value of Object.values(worker?.secrets ?? {})) expect(kept).toContain(value);
  const bindings = worker?.metadata.bindings ?? [];
  const url = "https://switchboard.example.workers.dev";
  expect(bindings).toContainEqual(expect.objectContaining({ name: "PUBLIC_URL", text: url }));
  expect(bindings).toContainEqual(expect.objectContaining({ name: "DB", id: database?.uuid }));
  // The settings of deployment.toml are applied, and the other settings are kept.
  expect(bindings).toContainEqual(expect.objectContaining({ name: "LLM_MODEL", text: "gpt-5-mini" }));
  expect(bindings).toContainEqual(expect.objectContaining({ name: "EMAIL", type: "send_email" }));
  expect(bindings).toContainEqual(expect.objectContaining({ name: "OPENAI_API_URL" }));

  const recorded = database?.sqlite.prepare("SELECT name, hash FROM migration_hashes ORDER BY name").all() ?? [];
  const hashes = Object.fromEntries(recorded.map(({ name, hash }) => [String(name), hash]));
  expect(Object.keys(hashes)).toEqual((await migrationFiles()).map(({ name }) => name));
  const expected = bindings.find(({ name }) => name === "MIGRATION_HASHES");
  expect(JSON.parse(String(expected?.text))).toEqual(hashes);

  const [, link = ""] = /reset-password#(\S+)/.exec(output) ?? [];
  expect(output).toContain(`${url}/console/reset-password#`);
  const stored = database?.sqlite
    .prepare("SELECT email, password_hash, hash, users.account FROM password_resets JOIN users USING (account, id)")
    .all();
  expect(stored).toMatchObject([
    { email: "you@example.com", password_hash: "", hash: await sha256Hex(link), account: "service-admin" },
  ]);
}, 600_000);
