import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SandboxCarrier } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { campaignOf, report, withRinging } from "../../campaign/held-calls.ts";
import { contactOf, contactsCsv, started, until } from "../../campaign/support.ts";
import { onLedger } from "../../support/ledger.ts";
import {
  type Call,
  type Caller,
  caller,
  getCall,
  originate,
  report as reportSingle,
  running,
  settled,
  slowly,
} from "./support.ts";

/** Longer than any call may ring, or last. */
const LONG_AGO = Date.now() - Number(env.CALL_MAX_DURATION_S) * 1_000 - 3_600_000;

/** A call that was answered, and how its object does now what its alarm would do later. */
interface LiveCall {
  who: Caller;
  id: string;
  /** Has it be answered, or placed, that long ago. */
  since(at: number): Promise<void>;
  /** Has the object that watches the call look at it now. */
  look(): Promise<void>;
}

/** Has the account's meter look at its calls now. */
async function lookNow({ account }: Caller): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(account);
  await runInDurableObject(meter, async (_, { storage }) => {
    storage.sql.exec("UPDATE call_leases SET look_at = 1 WHERE look_at IS NOT NULL");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(meter);
}

async function singleCall(to = "+13035550110"): Promise<LiveCall> {
  const who = await caller();
  await slowly(who);
  const id = (await originate(who, to)).body.call_id;
  expect((await reportSingle(who, id, { status: "in-progress" })).status).toBe(204);
  return {
    who,
    id,
    async since(at) {
      await onLedger(who.account, "UPDATE calls SET connected_at = ? WHERE id = ?", new Date(at).toISOString(), id);
    },
    look: () => lookNow(who),
  };
}

async function campaignCall(): Promise<LiveCall> {
  const { who, path, callId: id } = await withRinging(1);
  const campaign = campaignOf(who, path);
  expect((await report(who, path, id, { status: "in-progress" })).status).toBe(204);
  await settled(who.server, id, ({ status }) => status === "in-progress");
  return {
    who,
    id,
    async since(at) {
      await runInDurableObject(campaign, (_, { storage }) =>
        storage.sql.exec("UPDATE attempts SET connected_at = ? WHERE call_id = ?", at, id),
      );
    },
    async look() {
      await runInDurableObject(campaign, async (_, { storage }) => {
        storage.sql.exec("UPDATE attempts SET deadline = 1 WHERE deadline IS NOT NULL");
        storage.sql.exec("UPDATE attempts SET hangup_at = 1 WHERE hangup = 1");
        await storage.setAlarm(Date.now() + 60_000);
      });
      await runDurableObjectAlarm(campaign);
    },
  };
}

const KINDS: [string, () => Promise<LiveCall>][] = [
  ["a single call", singleCall],
  ["a campaign's call", campaignCall],
];

/** The sandbox from here on: it takes hang-ups and does nothing, or fails. */
function carrierThat(hangUp: "ignores" | "fails") {
  return vi.spyOn(SandboxCarrier.prototype, "hangUp").mockImplementation(async () => {
    if (hangUp === "fails") throw new Error("the carrier is away");
  });
}

describe.each(KINDS)("%s past its limit", (_, begin) => {
  afterEach(() => vi.restoreAllMocks());

  it("ends on record if the carrier takes its hang-up and lets it run on", async () => {
    const { who, id, since, look } = await begin();
    carrierThat("fails");
    const refused = await who.server.post<Call>(`/api/v1/calls/${id}/hangup`);
    expect([refused.status, refused.code]).toEqual([500, "carrier_unknown"]);
    await since(LONG_AGO);
    carrierThat("ignores");
    await look();
    await look();
    expect(await settled(who.server, id, ({ ended_at }) => ended_at !== null)).toMatchObject({
      status: "completed",
      end_reason: "no_final_event",
    });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
  });

  it("ends on record if the carrier fails to hang it up", async () => {
    const { who, id, since, look } = await begin();
    carrierThat("fails");
    await since(LONG_AGO);
    await look();
    expect(await settled(who.server, id, ({ ended_at }) => ended_at !== null)).toMatchObject({
      status: "completed",
      end_reason: "no_final_event",
    });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
  });
});

describe("a call that its carrier may not have", () => {
  afterEach(() => vi.restoreAllMocks());

  /** The sandbox does not answer at all. */
  const carrierAway = () => {
    for (const request of ["place", "look", "hangUp"] as const)
      vi.spyOn(SandboxCarrier.prototype, request).mockImplementation(() => {
        throw new Error("the carrier is away");
      });
  };

  it("ends as unknown at its ring limit if it is a single call", async () => {
    const who = await caller();
    carrierAway();
    const { status, body } = await originate(who, "+13035550110");
    expect(status).toBe(500);
    const id = String(body).match(/call ([0-9a-f-]{36})/)?.[1] ?? "";
    const placed = new Date(Date.now() - 600_000).toISOString();
    await onLedger(who.account, "UPDATE calls SET created_at = ? WHERE id = ?", placed, id);
    await lookNow(who);
    expect(await getCall(who.server, id)).toMatchObject({ status: "failed", end_reason: "unknown" });
    expect(await running(who.server), "its slot is kept while it may have to be hung up").toBe(1);
    vi.restoreAllMocks();
    await lookNow(who);
    expect(await running(who.server)).toBe(0);
  });

  it("ends as unknown at its ring limit if it is a campaign's call", async () => {
    const who = await caller();
    carrierAway();
    const path = await started(who, contactsCsv(1));
    await until(
      () => contactOf(who.server, path),
      ({ attempt_count }) => attempt_count === 1,
    );
    await runInDurableObject(campaignOf(who, path), async (_, { storage }) => {
      storage.sql.exec("UPDATE attempts SET dialled_at = ?, deadline = 1", Date.now() - 600_000);
      await storage.setAlarm(Date.now() + 1);
    });
    await until(
      () => contactOf(who.server, path),
      ({ outcome }) => outcome === "unknown",
    );
  });
});
