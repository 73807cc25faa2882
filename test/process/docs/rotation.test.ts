import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { SCOPES } from "../../../src/kernel/scopes.ts";
import { signToken, verifyToken } from "../../../src/kernel/secrets/tokens.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { blocksOf } from "./blocks.ts";
import { openShell, type Shell } from "./guide.ts";
import { startTwilio } from "./twilio.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CONTEXT = { account: "a", table: "t", id: "i" };
let worker: RunningWorker;
let carrier: Awaited<ReturnType<typeof startTwilio>>;
let shell: Shell;
const before = freshSecrets();

beforeAll(async () => {
  carrier = await startTwilio();
  worker = await startWorker({ TWILIO_API_URL: carrier.origin });
  const operator = await worker.signIn("service-admin");
  await request("/api/admin/v1/accounts", { name: "reader", plan: "scale" }, operator);
  const person = await worker.signIn("reader");
  const { key, id } = await request("/api/v1/api-keys", { name: "old", scopes: SCOPES }, person);
  const bearer = { authorization: `Bearer ${key}` };
  const credentials = { account_sid: "AC0123", auth_token: "old" };
  const old = await request("/api/v1/telephony/providers", { provider: "twilio", credentials }, bearer);
  const number = { e164: "+12025550190", credentials_id: old.id };
  shell = await openShell({
    SWITCHBOARD: worker.origin,
    WORKER: "switchboard",
    SECRETS: ".secrets/production.env",
    ACCOUNT: "reader",
    API_KEY: key ?? "",
    TWILIO_ACCOUNT_SID: "AC0123",
    TWILIO_AUTH_TOKEN: "new",
    MY_NUMBER: number.e164,
    AGENT_ID: (await request("/api/v1/agents", { name: "Ada", status: "active" }, bearer)).id ?? "",
    OLD_CREDENTIALS_ID: old.id ?? "",
    OLD_KEY_ID: (await request("/api/v1/api-keys", { name: "older" }, person)).id ?? id ?? "",
    NUMBER_ID: (await request("/api/v1/telephony/numbers", number, bearer)).id ?? "",
  });
  await prepareClone(shell.folder);
});
afterAll(() => Promise.all([worker.stop(), carrier.close(), shell.close()]));

interface Created {
  id?: string;
  key?: string;
}

async function request(path: string, body: object, headers: Record<string, string>): Promise<Created> {
  const init = { method: "POST", headers: Object.assign({ "content-type": "application/json" }, headers) };
  const response = await fetch(worker.origin + path, Object.assign(init, { body: JSON.stringify(body) }));
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as Created;
}

/** Prepares the stored secrets, the real command for new ones, and a wrangler that records its input. */
async function prepareClone(folder: string): Promise<void> {
  await mkdir(join(folder, ".secrets"));
  const lines = Object.entries(await before).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, ".secrets/production.env"), `OTHER='x'\n${lines.join("")}`);
  const commands = {
    npm: `exec "${process.execPath}" --no-warnings "${join(ROOT, "src/dev/secret.ts")}" "$4"`,
    npx: `[ "$1 $2 $3 $5 $6" = "wrangler secret put --name switchboard" ] && { cat; echo; } >> "put-$4"`,
  };
  for (const [name, command] of Object.entries(commands)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${command}\n`);
    await chmod(join(folder, name), 0o755);
  }
}

/** Runs the page's blocks in a section. `as` is the account of the session. */
async function follow(section: RegExp, as: string): Promise<string[]> {
  const { authorization = "" } = await worker.signIn(as);
  await shell.run(`export TOKEN="${authorization.replace("Bearer ", "")}"`);
  const blocks = (await blocksOf("rotation.md")).filter(({ language }) => language === "sh").map(({ text }) => text);
  const [put = "", ...others] = blocks;
  const printed: string[] = [];
  for (const text of others.filter((block) => section.test(block))) printed.push(await shell.run(`${put}\n${text}`));
  return printed;
}

/** Returns the values that a secret was set to, in order. */
const valuesOf = async (name: string) => (await readFile(join(shell.folder, `put-${name}`), "utf8")).trim().split("\n");

it("rotating ENCRYPTION_KEYS as documented keeps all values readable at every step", async () => {
  const sealed = await new Vault((await before).ENCRYPTION_KEYS).seal("x", CONTEXT);
  const [, , rekeyed = ""] = await follow(/ENCRYPTION_KEYS|rekey/, "service-admin");
  expect(JSON.parse(rekeyed)).toMatchObject({ left: 0, failed: 0 });
  const values = await valuesOf("ENCRYPTION_KEYS");
  expect(values.length).toBe(3);
  const [behind = "", first = "", alone = ""] = values;
  expect(await new Vault(behind).open(sealed, CONTEXT)).toBe("x");
  // Instances that still encrypt with the old key can decrypt what the new key encrypts.
  expect(await new Vault(behind).open(await new Vault(first).seal("y", CONTEXT), CONTEXT)).toBe("y");
  expect(await new Vault(alone).open(await new Vault(first).seal("z", CONTEXT), CONTEXT)).toBe("z");
  const kept = await readFile(join(shell.folder, ".secrets/production.env"), "utf8");
  expect(kept).toContain(`OTHER='x'\n`);
  expect(kept.match(/^ENCRYPTION_KEYS=.*$/gm)).toEqual([`ENCRYPTION_KEYS='${alone}'`]);
});

it("rotating SIGNING_KEYS as documented keeps every token valid until the old key is removed", async () => {
  await follow(/SIGNING_KEYS/, "service-admin");
  const [behind = "", first = "", alone = ""] = await valuesOf("SIGNING_KEYS");
  const tokenBy = (keys: string) => signToken(keys, "login", { sub: "x" }, 60, Date.now());
  const isGood = async (keys: string, token: string) => (await verifyToken(keys, "login", token, Date.now())) !== null;
  const old = await tokenBy((await before).SIGNING_KEYS);
  expect([await isGood(behind, old), await isGood(first, old), await isGood(alone, old)]).toEqual([true, true, false]);
  const fresh = await tokenBy(first);
  expect([await isGood(behind, fresh), await isGood(alone, fresh)]).toEqual([true, true]);
});

it("an API key is replaced as documented", async () => {
  const [, created = ""] = await follow(/api-keys/, "reader");
  expect(JSON.parse(created)).toMatchObject({ scopes: ["read", "dial"] });
});

it("a carrier's credentials and number are replaced as documented", async () => {
  const [verified = "", checked = ""] = await follow(/telephony/, "reader");
  expect(verified).toContain('"ok":true');
  expect(checked).toContain('"ok":true');
});

it("the documented rotations send no request that the service refuses", async () => {
  const sent = await shell.requests();
  expect(sent.length).toBeGreaterThan(8);
  expect(sent.filter(({ status }) => status === null || status >= 300)).toEqual([]);
});
