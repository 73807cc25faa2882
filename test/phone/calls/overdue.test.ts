import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SandboxCarrier } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { campaignOf } from "../../campaign/held-calls.ts";
import { contactOf, contactsCsv, started, until } from "../../campaign/support.ts";
import { onLedger } from "../../support/ledger.ts";
import { KINDS, lookNow } from "./call-kinds.ts";
import { type Call, caller, getCall, originate, running, settled } from "./support.ts";

/** Longer ago than any call may ring or last. */
const LONG_AGO = Date.now() - Number(env.CALL_MAX_DURATION_S) * 1_000 - 3_600_000;

/** Makes the sandbox accept hang-ups without effect, or fail. */
function carrierThat(hangUp: "ignores" | "fails") {
  return vi.spyOn(SandboxCarrier.prototype, "hangUp").mockImplementation(async () => {
    if (hangUp === "fails") throw new Error("the carrier is away");
  });
}

describe.each(KINDS)("%s past its limit", (_, begin) => {
  afterEach(() => vi.restoreAllMocks());

  it("an overdue call is recorded as ended if the carrier accepts its hang-up but continues it", async () => {
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

  it("an overdue call is recorded as ended if the carrier fails to hang it up", async () => {
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

  /** Makes the sandbox answer nothing. */
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
    await runInDurableObject(campaignOf(who, path), async (campaign, { storage }) => {
      storage.sql.exec("UPDATE attempts SET dialled_at = ?, deadline = 1", Date.now() - 600_000);
      await campaign.wake();
    });
    await until(
      () => contactOf(who.server, path),
      ({ outcome }) => outcome === "unknown",
    );
  });
});
