import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD } from "../../../src/dev/demo-data.ts";
import { hashPassword } from "../../../src/kernel/secrets/passwords.ts";
import { freshFetch } from "../campaigns/service.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { type Outcome, runCommand } from "./commands.ts";
import { type Fault, openWay } from "./faulty-way.ts";

const EMAIL = "night@switchboard.example";
const ACCOUNTS = ["alpha", "bravo", "charlie"];
const TOKENS = "/api/admin/v1/tokens";

interface Token {
  id: string;
  token: string;
}

let service: RunningWorker;
/** An operator who has shown a second factor. */
let operator: ApiClient;
let way: Awaited<ReturnType<typeof openWay>>;
let faultOf: (path: string) => Fault;
let home: string;
let folder: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "switchboard-nightly-"));
  await writeFile(join(home, "passphrase"), "a passphrase for tests\n");
  // As in a deployment, operators need a second factor, which a job cannot provide.
  const settings = { OPERATOR_SECOND_FACTOR: "required", EMBEDDED_LOGIN: "on", TRUST_CONNECTING_IP: "off" };
  service = await startWorker(settings);
  way = await openWay(service.origin, (path) => faultOf(path));
  operator = await enrolledOperator();
  for (const name of ACCOUNTS) await operator.post("/api/admin/v1/accounts", { name });
}, 240_000);

beforeEach(async () => {
  faultOf = () => "pass";
  folder = await mkdtemp(join(home, "night-"));
});

afterAll(async () => {
  way?.close();
  await service?.stop();
  await rm(home, { recursive: true, force: true });
}, 240_000);

async function enrolledOperator(): Promise<ApiClient> {
  await service.database
    .prepare("INSERT INTO users (account, id, email, password_hash, created_at) VALUES ('service-admin', ?, ?, ?, ?)")
    .bind(crypto.randomUUID(), EMAIL, await hashPassword(LONG_PASSWORD), new Date().toISOString())
    .run();
  const who = { account: "service-admin", email: EMAIL };
  const client = await new ApiClient(service.origin, freshFetch).signIn(who, LONG_PASSWORD);
  const { secret } = await client.post<{ secret: string }>("/api/second-factor");
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await client.post("/api/second-factor/confirm", { code });
  return client;
}

function tokenOf(body: object = {}): Promise<Token> {
  const defaults = { name: "Night", scopes: ["backup"], allowed_addresses: ["127.0.0.1"], expires_in_days: 30 };
  return operator.post<Token>(TOKENS, Object.assign(defaults, body));
}

/** Runs the nightly command as cron does. */
function night({ token }: Token, args: string[] = [], kill?: AbortSignal): Promise<Outcome> {
  const passphrase = ["--passphrase-file", join(home, "passphrase")];
  const all = ["--all", "--out", folder, "--remote", way.url, ...passphrase, ...args];
  return runCommand("backup/index.ts", all, { OPERATOR_TOKEN: token }, kill);
}

const today = () => new Date().toISOString().slice(0, 10);
const fileOf = (account: string, day = today()) => `${account}.${day}.backup`;
const verify = (name: string) =>
  runCommand("backup/index.ts", ["--verify", join(folder, name), "--passphrase-file", join(home, "passphrase")]);

async function expectRefused(token: Token, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await night(token);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
}

describe("the nightly backup of every account", () => {
  it("an account that fails does not delay others, and a second run backs up only that account", async () => {
    const token = await tokenOf();
    faultOf = (path) => (path.startsWith("/api/admin/v1/accounts/bravo/") ? 404 : "pass");
    const first = await night(token);
    expect(first.code).toBe(2);
    expect(first.stderr).toBe('bravo: failed: POST /api/admin/v1/accounts/bravo/backup: 404 "lost on the way"\n');
    const lines = first.stdout.trim().split("\n");
    expect(lines.slice(0, -1).sort()).toEqual(
      ["alpha", "charlie"].map((name) => `${name}: backed up to ${join(folder, fileOf(name))}`),
    );
    expect(lines.at(-1)).toBe("3 accounts: 2 backed up, 0 already backed up, 1 failed");
    expect((await readdir(folder)).sort()).toEqual([fileOf("alpha"), fileOf("charlie")]);
    const before = await readFile(join(folder, fileOf("alpha")));

    faultOf = () => "pass";
    const second = await night(token);
    expect([second.code, second.stderr]).toEqual([0, ""]);
    expect(second.stdout).toContain("3 accounts: 1 backed up, 2 already backed up, 0 failed");
    expect((await readdir(folder)).sort()).toEqual(ACCOUNTS.map((name) => fileOf(name)));
    expect(before.equals(await readFile(join(folder, fileOf("alpha"))))).toBe(true);
    for (const name of ACCOUNTS) expect((await verify(fileOf(name))).stdout).toContain(`is complete: ${name} of`);

    const log = await operator.get<{ entries: { actor: string; account: string }[] }>(
      "/api/admin/v1/audit-log?action=backup",
    );
    for (const account of ACCOUNTS)
      expect(log.entries).toContainEqual(expect.objectContaining({ account, actor: `operator_token:${token.id}` }));
  }, 240_000);

  it("a lost connection is retried", async () => {
    let cuts = 0;
    faultOf = (path) => (path.endsWith("/bravo/backup/pages") && cuts++ === 0 ? "cut" : "pass");
    expect((await night(await tokenOf())).code).toBe(0);
    expect(cuts).toBeGreaterThan(1);
  }, 240_000);

  it("a run that is killed leaves no file that looks whole, and the next run completes the night", async () => {
    const token = await tokenOf();
    const kill = new AbortController();
    faultOf = (path) => {
      if (!path.endsWith("/charlie/backup/pages")) return "pass";
      kill.abort();
      return "cut";
    };
    await night(token, [], kill.signal);
    expect(await readdir(folder)).not.toContain(fileOf("charlie"));
    faultOf = () => "pass";
    const old = new Date(Date.now() - 48 * 3_600_000);
    for (const name of await readdir(folder)) if (name.endsWith(".partial")) await utimes(join(folder, name), old, old);
    expect((await night(token)).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(ACCOUNTS.map((name) => fileOf(name)));
    expect((await stat(join(folder, fileOf("charlie")))).mode & 0o077).toBe(0);
  }, 240_000);

  it("`--keep` removes old files, but never an account's only one", async () => {
    const [long, lately] = ["2020-01-01", new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)];
    const names = [fileOf("alpha", long), fileOf("alpha", lately), fileOf("bravo", long), fileOf("gone", long)];
    for (const name of [...names, "notes.txt"]) await writeFile(join(folder, name), "");
    faultOf = (path) => (path.includes("/accounts/bravo/") ? 404 : "pass");
    expect((await night(await tokenOf(), ["--keep", "35"])).code).toBe(2);
    const left = [fileOf("alpha"), fileOf("alpha", lately), fileOf("bravo", long), fileOf("charlie"), "notes.txt"];
    expect((await readdir(folder)).sort()).toEqual(left.sort());
  }, 240_000);

  it("a token for some accounts backs up those alone", async () => {
    const { code, stdout } = await night(await tokenOf({ accounts: ["bravo"] }));
    expect([code, stdout.trim().split("\n").at(-1)]).toEqual([
      0,
      "1 account: 1 backed up, 0 already backed up, 0 failed",
    ]);
    expect(await readdir(folder)).toEqual([fileOf("bravo")]);
  }, 240_000);
});

describe("a token without permission", () => {
  it("a revoked token cannot take a backup", async () => {
    const token = await tokenOf();
    await operator.send("DELETE", `${TOKENS}/${token.id}`);
    await expectRefused(token, /^backup: GET \/api\/admin\/v1\/accounts: 401 /);
  }, 240_000);

  it("an expired token cannot take a backup", async () => {
    const token = await tokenOf();
    await service.database
      .prepare("UPDATE operator_tokens SET expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ?")
      .bind(token.id)
      .run();
    await expectRefused(token, /401 /);
  }, 240_000);

  it("a token without the scope cannot take a backup", async () => {
    await expectRefused(await tokenOf({ scopes: ["metrics"] }), /403 .*this requires the scope accounts or backup/);
  }, 240_000);

  it("a token used from another address cannot take a backup", async () => {
    await expectRefused(await tokenOf({ allowed_addresses: ["203.0.113.7"] }), /403 .*not allowed from this address/);
  }, 240_000);
});
