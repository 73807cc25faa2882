import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OperatorApi } from "../../../src/dev/backup/api.ts";
import { type OpenBackup, openBackup, verifyBackup, writeBackup } from "../../../src/dev/backup/file.ts";
import { restoreRecords } from "../../../src/dev/backup/give.ts";
import { erasedSince } from "../../../src/dev/backup/later.ts";
import { erasuresOf, recordsOf } from "../../../src/dev/backup/take.ts";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { type Campaign, createAccount } from "../campaigns/account.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { freshFetch, Service } from "../campaigns/service.ts";
import { operatorApi } from "./support.ts";

const FROM = "+12025550100";
/**
 * The people who answer in the sandbox: one who is erased, one who opts out and is erased, one who opts out, and one
 * who stays.
 */
const [GONE, OUT_AND_GONE, OUT, STAYS] = ["+13034000110", "+13034000210", "+13034000310", "+13034000410"] as const;
const PHRASE = "a passphrase for tests";

type Owner = { account: string; email: string; api: ApiClient };
type Conversations = { conversations: { id: string; phone_number: string | null }[] };

let service: Service;
let operator: ApiClient;
let api: OperatorApi;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-erasures-"));
  service = await Service.prepare({});
  await service.start();
  operator = await new ApiClient(service.url, freshFetch).signIn(OPERATOR);
  api = await operatorApi(service.url);
}, 120_000);

afterAll(async () => {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function owner(): Promise<Owner> {
  const { account, email } = await createAccount(service.url);
  return {
    account,
    email,
    api: await new ApiClient(service.url, freshFetch).signIn({ account, email }, LONG_PASSWORD),
  };
}

/** Writes a file of the account: a backup, or its erasures. */
async function file(account: string, what: "backup" | "erasures"): Promise<OpenBackup> {
  const path = join(folder, `${crypto.randomUUID()}.${what}`);
  await writeBackup(path, PHRASE, ({ transport }) => {
    const options = { api, account, transport, now: () => new Date(), pause: sleep, say: () => {} };
    return what === "backup" ? recordsOf(Object.assign({ move: false }, options)) : erasuresOf(options);
  });
  const written = await openBackup(path, PHRASE);
  await verifyBackup(written);
  return written;
}

async function restore(backup: OpenBackup, later: OpenBackup | null, as: string): Promise<void> {
  const since = later && { erased: await erasedSince(backup, later), later, pause: () => sleep(100), say: () => {} };
  await restoreRecords(backup.records(), { api, as, plan: "starter", transport: backup.keys.transport, since });
}

/** Signs in to a restored account as an owner that an operator creates. */
async function ownerOf(account: string): Promise<ApiClient> {
  const email = `owner@${account}.example`;
  await operator.post(`/api/admin/v1/accounts/${account}/users`, { email, password: LONG_PASSWORD });
  return new ApiClient(service.url, freshFetch).signIn({ account, email }, LONG_PASSWORD);
}

/** Calls four people. Each of them has a conversation. */
async function campaignOf({ api: client }: Owner): Promise<string> {
  const { id: agent_id } = await client.post<{ id: string }>("/api/v1/agents", { name: "Caller", status: "active" });
  await client.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox", agent_id });
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "Autumn", agent_id, from_number: FROM, timezone: "UTC" }))
    form.append(name, value);
  form.append("contacts", new Blob([`phone_number\n${[GONE, OUT_AND_GONE, OUT, STAYS].join("\n")}\n`]), "c.csv");
  const { id } = await client.upload<Campaign>("/api/v1/campaigns", form);
  await client.post(`/api/v1/campaigns/${id}/start`);
  const path = `/api/v1/campaigns/${id}`;
  await vi.waitUntil(async () => (await client.get<Campaign>(path)).status === "completed", WAIT);
  const list = () => client.get<Conversations>("/api/v1/conversations");
  await vi.waitUntil(async () => (await list()).conversations.length === 4, WAIT);
  return path;
}

async function erase(client: ApiClient, phone_number: string): Promise<void> {
  const { id } = await client.post<{ id: string }>("/api/v1/erasures", { phone_number });
  const receipt = () => client.get<{ status: string }>(`/api/v1/erasures/${id}`);
  await vi.waitUntil(async () => (await receipt()).status === "complete", WAIT);
}

describe("restoring with later erasures", () => {
  it("repeats the source's erasures and opt-outs, and keeps the rest unchanged", async () => {
    const source = await owner();
    const path = await campaignOf(source);
    const lists = [`${path}/contacts`, "/api/v1/calls", "/api/v1/conversations", "/api/v1/recordings"];
    const conversation = (await source.api.get<Conversations>("/api/v1/conversations")).conversations;
    const older = await file(source.account, "backup");

    await source.api.post("/api/v1/do-not-call", { numbers: [OUT_AND_GONE, OUT] });
    const [removed] = conversation.filter(({ phone_number }) => phone_number === STAYS);
    await source.api.send("DELETE", `/api/v1/conversations/${removed?.id}`);
    for (const number of [GONE, OUT_AND_GONE]) await erase(source.api, number);
    const later = await file(source.account, "erasures");

    const as = `again-${crypto.randomUUID().slice(0, 8)}`;
    await restore(older, later, as);
    const there = await ownerOf(as);
    const read = async (client: ApiClient, list: string) =>
      (await client.text(list)).replaceAll(/"updated_at":"[^"]+"/g, '"updated_at":""');
    for (const list of lists) expect(await read(there, list), list).toBe(await read(source.api, list));
    const everything = await Promise.all(
      [...lists, `${path}/history`, "/api/v1/events?limit=100", "/api/v1/do-not-call"].map((one) => there.text(one)),
    );
    for (const number of [GONE, OUT_AND_GONE]) expect(everything.join("\n")).not.toContain(number.slice(1));
    expect(everything.join("\n")).toContain(STAYS.slice(1));
    for (const { id, phone_number } of conversation) {
      const status = await there.get(`/api/v1/conversations/${id}`).then(
        () => 200,
        (error: { status: number }) => error.status,
      );
      expect(status, phone_number ?? "").toBe(phone_number === OUT ? 200 : 404);
    }
    const agent_id = (await there.get<{ id: string }[]>("/api/v1/agents"))[0]?.id;
    for (const to_number of [OUT_AND_GONE, OUT]) {
      const call = there.post("/api/v1/calls/originate", { agent_id, from_number: FROM, to_number });
      await expect(call, to_number).rejects.toThrow(/do_not_call|do-not-call/);
    }

    // Without the file of erasures, all of them would be restored.
    const without = `again-${crypto.randomUUID().slice(0, 8)}`;
    await restore(older, null, without);
    expect(await (await ownerOf(without)).text(`${path}/contacts`)).toContain(GONE);
  }, 240_000);

  it("refuses erasures of another account, from before the backup, alone, and for an account that is restored", async () => {
    const [one, another] = [await owner(), await owner()];
    const before = await file(one.account, "erasures");
    const backup = await file(one.account, "backup");
    const foreign = await file(another.account, "erasures");
    const later = await file(one.account, "erasures");
    const as = `again-${crypto.randomUUID().slice(0, 8)}`;
    await expect(restore(backup, foreign, as)).rejects.toThrow(/are of the account .* but the backup is of/);
    await expect(restore(backup, before, as)).rejects.toThrow(/before the backup/);
    await expect(restore(later, null, as)).rejects.toThrow(/only erasures/);
    await restore(backup, null, as);
    await expect(restore(backup, later, as)).rejects.toThrow(/is already restored/);
    const person = { backup: crypto.randomUUID(), phone_number: GONE };
    const path = `/api/admin/v1/accounts/${another.account}/restore`;
    await expect(operator.send("PUT", `${path}/erasures/${crypto.randomUUID()}`, person)).rejects.toThrow(/404/);
    const removals = { backup: crypto.randomUUID(), conversations: [], recordings: [] };
    await expect(operator.post(`${path}/removals`, removals)).rejects.toThrow(/404/);
  }, 120_000);
});
