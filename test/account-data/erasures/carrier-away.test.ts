import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JobStore } from "../../../src/account-data/erasures/job-store.ts";
import { erasureObject } from "../../../src/kernel/durable/objects.ts";
import { idBeside } from "../../../src/kernel/instant-ids.ts";
import { MINUTE_MS } from "../../../src/kernel/time.ts";
import { DEFAULT_CALL_SETTINGS } from "../../../src/phone/call-settings/settings.ts";
import { getCall } from "../../phone/calls/support.ts";
import { recording } from "../../records/ledger/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { callAt, ledgerOf, putCall } from "../../support/ledger.ts";
import { begun, completed, newNumber, PATH, type Receipt } from "./support.ts";

/** Ten minutes beyond the limit of a ringing call, which is its ring timeout plus 15 s. */
const RINGING_FOR_MS = DEFAULT_CALL_SETTINGS.ring_timeout_s * 1_000 + 15_000 + 10 * MINUTE_MS;
const TALKING_FOR_MS = Number(env.CALL_MAX_DURATION_S) * 1_000 + 10 * MINUTE_MS;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A call in progress at a carrier whose credentials were deleted. */
const atLostCarrier = { provider: "twilio" as const, credentials_id: crypto.randomUUID(), status: "ringing" as const };

/** Runs the erasure's alarm until the time has passed, a minute at a time. */
async function runFor({ account }: Pick<Tenant, "account">, id: string, ms: number): Promise<void> {
  const stub = erasureObject(env, account, id) as DurableObjectStub;
  for (let passed = 0; passed < ms; passed += MINUTE_MS) {
    vi.setSystemTime(Date.now() + Math.min(MINUTE_MS, ms - passed));
    await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + MINUTE_MS));
    await runDurableObjectAlarm(stub);
  }
}

interface Entry {
  action: string;
  resource: string;
  resource_id: string;
  actor: string;
}

/** Stores credentials that none of the current keys decrypts. */
async function lostCredentials({ account }: Pick<Tenant, "account">): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    "INSERT INTO telephony_providers (account, id, provider, label, credentials, credential_keys, created_at) VALUES (?, ?, 'twilio', 'x', 'v1.gone.x.x', '[]', ?)",
  )
    .bind(account, id, new Date().toISOString())
    .run();
  return id;
}

/** Returns the audit entries about the call, oldest first. */
async function entriesOf({ server }: Pick<Tenant, "server">, callId: string): Promise<string[]> {
  const { body } = await server.get<{ entries: Entry[] }>("/api/v1/audit-log?limit=100");
  return body.entries
    .filter(({ resource, resource_id }) => resource === "call" && resource_id === callId)
    .map(({ action, actor }) => `${action} by ${actor}`)
    .reverse();
}

const statusOf = async ({ server }: Pick<Tenant, "server">, id: string) =>
  (await server.get<Receipt>(`${PATH}/${id}`)).body.status;

describe("an erasure of a person in a live call whose carrier cannot be reached", () => {
  it.each([
    ["rings", false, RINGING_FOR_MS, { status: "failed", end_reason: "unknown" }],
    ["was answered", true, TALKING_FOR_MS, { status: "completed", end_reason: "no_final_event" }],
  ])("an erasure ends a call that %s 10 minutes past its limit, and completes", async (_, answered, limit, end) => {
    const who = await tenant();
    const number = newNumber();
    const over = answered ? { status: "in-progress" as const, connected_at: new Date().toISOString() } : {};
    const call = await putCall(who.account, { ...atLostCarrier, to_number: number, ...over });
    const id = await begun(who, { phone_number: number });
    await runFor(who, id, limit - MINUTE_MS);
    expect(await getCall(who.server, call)).toMatchObject({ ended_at: null });
    expect(await statusOf(who, id)).toBe("pending");
    // The longest interval between two checks is added to the limit.
    await runFor(who, id, 2 * MINUTE_MS);
    expect(await getCall(who.server, call)).toMatchObject(end);
    const receipt = await completed(who, id);
    expect(receipt.counts).toMatchObject({ calls: 1 });
  });

  it("writes one audit entry for the hang-up and one for the end, however often it tries", async () => {
    const who = await tenant();
    const number = newNumber();
    const call = await putCall(who.account, { ...atLostCarrier, to_number: number });
    const id = await begun(who, { phone_number: number });
    await runFor(who, id, RINGING_FOR_MS - MINUTE_MS);
    expect(await entriesOf(who, call)).toEqual(["hangup by system:erasure"]);
    await runFor(who, id, 2 * MINUTE_MS);
    await completed(who, id);
    expect(await entriesOf(who, call)).toEqual(["hangup by system:erasure", "end by system:erasure"]);
  });
});

describe("an erasure of recordings at a carrier whose credentials cannot be decrypted", () => {
  it("completes, and counts the recordings as kept", async () => {
    const who = await tenant();
    const number = newNumber();
    const credentials_id = await lostCredentials(who);
    const call = callAt(new Date().toISOString(), { provider: "twilio", credentials_id, to_number: number });
    const recorded = recording(idBeside(call.id), call.id);
    await ledgerOf(who).report([call, { part: "recording", row: recorded }]);
    const receipt = await completed(who, await begun(who, { phone_number: number }));
    expect(receipt.counts).toMatchObject({ calls: 1, recordings: 1, carrier_recordings_kept: 1 });
  });
});

describe("the receipt of an erasure", () => {
  it("a receipt is published once if its job was stored by a release that counts fewer kinds", async () => {
    const who = await tenant();
    const id = await begun(who, { visitor_id: "v-1" });
    await completed(who, id);
    const stub = erasureObject(env, who.account, id) as DurableObjectStub;
    await runInDurableObject(stub, async (_, { storage }) => {
      // As if an earlier release, which did not count audit entries, had completed the erasure without publishing it.
      storage.sql.exec("UPDATE job SET counts = json_remove(counts, '$.audit_entries'), published = 0");
      await storage.setAlarm(Date.now() + MINUTE_MS);
    });
    const published = vi.spyOn(JobStore.prototype, "published");
    vi.setSystemTime(Date.now() + MINUTE_MS);
    for (let n = 0; n < 5; n++) await runDurableObjectAlarm(stub);
    expect(published).toHaveBeenCalledTimes(1);
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBeNull();
    expect(await statusOf(who, id)).toBe("complete");
  });

  it("waits between attempts to begin while too many erasures are pending", async () => {
    const who = await tenant();
    const id = await begun(who, { visitor_id: "v-1" });
    const stub = erasureObject(env, who.account, id) as DurableObjectStub;
    const pending = Array.from({ length: 21 }, () =>
      env.DB.prepare(
        "INSERT INTO erasures (account, id, status, subject, counts, created_at) VALUES (?, ?, 'pending', 'visitor_id', '{}', ?)",
      ).bind(who.account, crypto.randomUUID(), new Date().toISOString()),
    );
    await env.DB.batch([
      env.DB.prepare("DELETE FROM erasures WHERE account = ? AND id = ?").bind(who.account, id),
      ...pending,
    ]);
    await runInDurableObject(stub, async (_, { storage }) => {
      storage.sql.exec("UPDATE job SET recorded = 0, due_at = 0, completed_at = NULL");
      await storage.setAlarm(Date.now() + MINUTE_MS);
    });
    await runDurableObjectAlarm(stub);
    const next = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(next).toBeGreaterThanOrEqual(Date.now() + 1_000);
  });
});
