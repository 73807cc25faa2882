import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR, PASSWORD } from "../../../src/dev/demo-data.ts";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { type Campaign, createAccount } from "../campaigns/account.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { freePort, freshFetch, Service } from "../campaigns/service.ts";
import { type Outcome, runCommand } from "./commands.ts";

const FROM = "+12025550100";
/** People who answer in the sandbox and whose calls are recorded. */
const PEOPLE = ["+13034000110", "+13034000210"];
const SIGN_IN = { OPERATOR_EMAIL: OPERATOR.email, OPERATOR_PASSWORD: PASSWORD };

let source: Service;
let target: Service;
let folder: string;
let phrase: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-remote-"));
  phrase = ["--passphrase-file", join(folder, "passphrase")];
  await writeFile(join(folder, "passphrase"), "a passphrase for tests\n");
  // Without Cloudflare in front, every client has this machine's address.
  const settings = { TRUST_CONNECTING_IP: "off" };
  [source, target] = await Promise.all([Service.prepare(settings), Service.prepare(settings)]);
  await Promise.all([source.start(), target.start()]);
}, 120_000);

afterAll(async () => {
  await Promise.all([source?.remove(), target?.remove()]);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

function succeeded({ code, stdout, stderr }: Outcome): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("Error") });
  return stdout;
}

/** Returns the error of a failed command, which must be one sentence without a stack. */
function failed({ code, stderr }: Outcome): string {
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/\bat .*:\d+/);
  return stderr.trim();
}

const ownerOf = ({ account, email }: { account: string; email: string }, { url }: Service) =>
  new ApiClient(url, freshFetch).signIn({ account, email }, LONG_PASSWORD);

/** Creates an account with a campaign whose calls are over and recorded. */
async function recordedAccount() {
  const who = await createAccount(source.url);
  const owner = await ownerOf(who, source);
  const { id: agent_id } = await owner.post<{ id: string }>("/api/v1/agents", { name: "Caller", status: "active" });
  await owner.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox", agent_id });
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Autumn", agent_id, from_number: FROM, timezone: "UTC" }))
    form.append(name, value);
  form.append("contacts", new Blob([`phone_number\n${PEOPLE.join("\n")}\n`]), "c.csv");
  const { id } = await owner.upload<Campaign>("/api/v1/campaigns", form);
  await owner.post(`/api/v1/campaigns/${id}/start`);
  const recordings = () => owner.get<{ recordings: { id: string }[] }>("/api/v1/recordings");
  await vi.waitUntil(async () => (await recordings()).recordings.length === PEOPLE.length, WAIT);
  const lists = [`/api/v1/campaigns/${id}/contacts`, `/api/v1/campaigns/${id}/history`];
  return { who, owner, lists: [...lists, "/api/v1/calls", "/api/v1/conversations", "/api/v1/recordings"] };
}

/** Returns the bytes of a recording, from the address to which a listener is redirected. */
async function audioOf(client: ApiClient, { url: base }: Service, id: string): Promise<Buffer> {
  const { url } = await client.get<{ url: string }>(`/api/v1/recordings/${id}/url`);
  const response = await freshFetch(base + new URL(url).pathname + new URL(url).search);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Deletes an account without waiting. Returns the completed deletion. */
async function deleteAccount(service: Service, account: string): Promise<Deletion> {
  const operator = await new ApiClient(service.url, freshFetch).signIn(OPERATOR);
  const path = `/api/admin/v1/accounts/${account}`;
  expect(await operator.send("DELETE", path, { confirm: account })).toMatchObject({ status: "scheduled" });
  const { database } = await service.stores();
  const hurry = database.prepare(
    "UPDATE account_deletions SET begins_at = '2020-01-01T00:00:00.000Z', cursor = iif(cursor ->> '$.until' IS NULL, cursor, json_set(cursor, '$.until', 0)) WHERE account = ?",
  );
  return vi.waitUntil(async () => {
    await hurry.bind(account).run();
    await service.runCron();
    const deletion = await operator.get<Deletion>(`${path}/deletion`);
    return deletion.status === "complete" && deletion;
  }, WAIT);
}

interface Deletion {
  status: string;
  held_by: unknown[];
  deleted: { objects: number; files: number; rows: number };
}

/** Returns the tables of the database that contain an account's name, and how many files begin with it. */
async function tracesOf(service: Service, account: string): Promise<string[]> {
  const { database, buckets } = await service.stores();
  const { results: tables } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
    )
    .all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of tables) {
    const { results } = await database.prepare(`SELECT * FROM "${name}"`).all();
    if (results.some((row) => JSON.stringify(row).includes(account))) found.push(name);
  }
  for (const bucket of buckets) {
    const { objects } = await bucket.list();
    found.push(...objects.filter(({ key }) => key.includes(account)).map(({ key }) => key));
  }
  return found;
}

describe("backup and restore of a service that runs elsewhere", () => {
  it("an account with recordings is backed up, verified, moved, restored elsewhere as it was, and deleted where it was", async () => {
    const { who, owner, lists } = await recordedAccount();
    const before = await Promise.all(lists.map((list) => owner.text(list)));
    const { recordings } = await owner.get<{ recordings: { id: string }[] }>("/api/v1/recordings");
    const audio = await Promise.all(recordings.map(({ id }) => audioOf(owner, source, id)));
    expect(audio.every((bytes) => bytes.length > 1_000)).toBe(true);

    const file = join(folder, "moved.backup");
    const remote = (service: Service) => ["--remote", service.url, ...phrase];
    const move = [who.account, "--out", file, "--move", ...remote(source)];
    expect(succeeded(await runCommand("backup/index.ts", move, SIGN_IN))).toContain("and disabled the account");
    await expect(owner.get("/api/v1/agents")).rejects.toThrow(/403/);
    expect(succeeded(await runCommand("backup/index.ts", ["--verify", file, ...phrase]))).toContain("is complete");
    const restore = [file, ...remote(target)];
    expect(succeeded(await runCommand("backup/restore.ts", restore, SIGN_IN))).toContain(`restored ${who.account}`);
    expect(succeeded(await runCommand("backup/restore.ts", restore, SIGN_IN))).toContain("nothing was changed");

    const operator = await new ApiClient(target.url, freshFetch).signIn(OPERATOR);
    const user = { email: who.email, password: LONG_PASSWORD };
    await operator.post(`/api/admin/v1/accounts/${who.account}/users`, user);
    const there = await ownerOf(who, target);
    for (const [n, list] of lists.entries()) expect(await there.text(list), list).toBe(before[n]);
    for (const [n, { id }] of recordings.entries())
      expect(audio[n]?.equals(await audioOf(there, target, id)), id).toBe(true);

    expect((await tracesOf(source, who.account)).length).toBeGreaterThan(10);
    const { held_by, deleted } = await deleteAccount(source, who.account);
    expect([held_by, deleted.files >= 2]).toEqual([[], true]);
    // The remaining rows record that the account existed, and what operators did.
    expect((await tracesOf(source, who.account)).sort()).toEqual(["account_deletions", "audit_log"]);
    for (const [n, list] of lists.entries()) expect(await there.text(list), list).toBe(before[n]);
  }, 300_000);

  it("a backup with recordings is restored into a local state, which can be backed up again", async () => {
    const { who } = await recordedAccount();
    const file = join(folder, "remote.backup");
    const take = [who.account, "--out", file, "--remote", source.url, ...phrase];
    const taken = succeeded(await runCommand("backup/index.ts", take, SIGN_IN));
    const here = Object.assign(await freshSecrets(), {
      STATE_DIR: join(folder, "state"),
      BUILT_WORKER: inject("worker"),
    });
    succeeded(await runCommand("backup/restore.ts", [file, ...phrase], here));
    const again = succeeded(
      await runCommand("backup/index.ts", [who.account, "--out", join(folder, "local.backup"), ...phrase], here),
    );
    const recordings = (output: string) => output.split("\n").find((line) => / recordings$/.test(line));
    expect(recordings(again)).toBe(recordings(taken));
    expect(recordings(taken)).toMatch(/^ +2 /);
  }, 240_000);

  it("a person who was erased after the backup is erased from the restored data", async () => {
    const { who, owner, lists } = await recordedAccount();
    const [file, later] = [join(folder, "older.backup"), join(folder, "since.erasures")];
    const remote = ["--remote", source.url, ...phrase];
    succeeded(await runCommand("backup/index.ts", [who.account, "--out", file, ...remote], SIGN_IN));
    const [gone = "", stays = ""] = PEOPLE;
    const { id } = await owner.post<{ id: string }>("/api/v1/erasures", { phone_number: gone });
    const isComplete = async () =>
      (await owner.get<{ status: string }>(`/api/v1/erasures/${id}`)).status === "complete";
    await vi.waitUntil(isComplete, WAIT);
    const since = [who.account, "--erasures", "--out", later, ...remote];
    expect(succeeded(await runCommand("backup/index.ts", since, SIGN_IN))).toContain("wrote the erasures and opt-outs");
    const as = `again-${crypto.randomUUID().slice(0, 8)}`;
    const restore = [file, "--as", as, "--erasures", later, ...remote];
    expect((await runCommand("backup/restore.ts", restore, SIGN_IN)).code).toBe(0);
    // In the deployment from which the backup was taken, its members exist again.
    const there = await ownerOf({ account: as, email: who.email }, source);
    const everything = (await Promise.all(lists.map((list) => there.text(list)))).join("\n");
    expect([everything.includes(gone.slice(1)), everything.includes(stays.slice(1))]).toEqual([false, true]);
  }, 240_000);

  it("an operator token is created, used instead of a sign-in, listed and revoked", async () => {
    const { account } = await createAccount(source.url);
    const token = (args: string[]) => runCommand("operator-token.ts", [...args, "--remote", source.url], SIGN_IN);
    const created = await token(["create", "--name", "Night", "--scope", "backup", "--from", "127.0.0.1"]);
    expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^op_live_\w{38}\n$/)]);
    const id = /operator-token: (\S+) is valid until/.exec(created.stderr)?.[1] ?? "";
    const job = { OPERATOR_TOKEN: created.stdout.trim() };
    const take = [account, "--out", join(folder, "token.backup"), "--remote", source.url, ...phrase];
    expect(succeeded(await runCommand("backup/index.ts", take, job))).toContain(`wrote ${account} to`);
    expect(succeeded(await token(["list"]))).toMatch(
      new RegExp(`^${id}; Night; backup; all accounts; 127\\.0\\.0\\.1/32; until .*; used `),
    );
    expect(succeeded(await token(["revoke", id]))).toBe(`revoked ${id}\n`);
    expect(failed(await runCommand("backup/index.ts", take, job))).toMatch(/401/);
  }, 120_000);

  it("an unreachable service is reported in a sentence with its cause", async () => {
    const port = await freePort();
    const args = ["acme", "--out", join(folder, "none.backup"), "--remote", `http://127.0.0.1:${port}`, ...phrase];
    expect(failed(await runCommand("backup/index.ts", args, SIGN_IN))).toBe(
      `backup: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
  });

  it("an invalid address is reported in a sentence", async () => {
    const args = ["acme", "--out", join(folder, "none.backup"), "--remote", "voice.example.com", ...phrase];
    expect(failed(await runCommand("backup/index.ts", args, SIGN_IN))).toBe(
      "backup: --remote must be an address such as https://voice.example.com, not voice.example.com",
    );
  });

  it("a wrong password is reported in a sentence", async () => {
    const args = ["acme", "--out", join(folder, "none.backup"), "--remote", source.url, ...phrase];
    const wrong = Object.assign({}, SIGN_IN, { OPERATOR_PASSWORD: "not the password" });
    expect(failed(await runCommand("backup/index.ts", args, wrong))).toMatch(/cannot sign in/);
  });
});
