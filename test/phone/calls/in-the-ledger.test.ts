import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerVolume } from "../../../src/kernel/durable/objects.ts";
import type { LineEvent } from "../../../src/records/ledger/call-state.ts";
import { advances, CALL_STATUSES, isTerminal, MACHINES } from "../../../src/records/ledger/call-status.ts";
import { afterEvents } from "../../../src/records/ledger/line.ts";
import type { CallRow } from "../../../src/records/ledger/report.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { callAt, onLedger, putCall } from "../../support/ledger.ts";
import { type Caller, caller, getCall, isOver, originate, report, running, settled, slowly } from "./support.ts";

const meterOf = ({ account }: Caller) => env.ACCOUNT_METER.getByName(account);

/** Restarts the meter and makes it check all its calls, as after a crash. */
async function restart(who: Caller): Promise<void> {
  const ledger = ledgerVolume(env, who.account, new Date().toISOString().slice(0, 10));
  // An object that is not running cannot be evicted.
  await ledger.report([]);
  await evict(ledger);
  await evict(meterOf(who));
  await runInDurableObject(meterOf(who), async (_, { storage }) => {
    storage.sql.exec("UPDATE call_leases SET look_at = 1");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(meterOf(who));
}

const used = async ({ server }: Caller) => {
  type Limits = Record<"concurrent_calls" | "calls_per_day", { used: number }>;
  const { concurrent_calls, calls_per_day } = (await server.get<Limits>("/api/v1/call-limits")).body;
  return [concurrent_calls.used, calls_per_day.used];
};

describe("a call whose originate was cut off", () => {
  it("a call cut off before it was recorded returns its lease", async () => {
    const who = await caller();
    const id = newId();
    await meterOf(who).lease(id, 30_000);
    expect(await used(who)).toEqual([1, 1]);
    await restart(who);
    expect(await used(who)).toEqual([0, 0]);
    expect((await who.server.get(`/api/v1/calls/${id}`)).status).toBe(404);
  });

  it("a call cut off before the carrier was asked ends as unknown after its ring limit", async () => {
    const who = await caller();
    const id = newId(Date.now() - 120_000);
    await meterOf(who).lease(id, 30_000);
    const { agent_id } = who;
    await putCall(who.account, { status: "queued", agent_id }, id);
    await restart(who);
    expect(await getCall(who.server, id)).toMatchObject({ status: "failed", end_reason: "unknown" });
    expect(await running(who.server)).toBe(0);
  });

  it("a call cut off after the carrier accepted it is found there", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    await settled(who.server, call_id, ({ status }) => status === "ringing");
    // The state if nothing was recorded after the carrier was asked.
    await onLedger(who.account, "UPDATE calls SET status = 'queued', provider_call_id = NULL WHERE id = ?", call_id);
    await restart(who);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "ringing", provider_call_id: call_id });
    expect(await running(who.server)).toBe(1);
  });
});

describe("reports of a call", () => {
  it("change only who answered if they come out of order, twice or after the end", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const talking = { status: "in-progress" };
    for (const event of [talking, { status: "ringing" }, talking, { status: "initiated" }])
      expect((await report(who, call_id, event)).status).toBe(204);
    const answered = await getCall(who.server, call_id);
    expect(answered).toMatchObject({ status: "in-progress", ended_at: null });
    const end = { status: "completed", reason: "normal_clearing" };
    for (const event of [end, { status: "busy", reason: "busy" }, talking, end])
      expect((await report(who, call_id, event)).status).toBe(204);
    const over = await settled(who.server, call_id, isOver);
    expect(over).toMatchObject({ status: "completed", end_reason: "answered", connected_at: answered.connected_at });
    expect((await report(who, call_id, { ...end, answered_by: "machine" })).status).toBe(204);
    expect(await getCall(who.server, call_id)).toEqual({
      ...over,
      end_reason: "machine",
      metadata: { ...over.metadata, answered_by: "machine" },
    });
    expect(await running(who.server)).toBe(0);
  });

  it("never move it backwards, in any order", () => {
    const event: fc.Arbitrary<LineEvent> = fc.record({
      status: fc.constantFrom(...CALL_STATUSES),
      provider_call_id: fc.constantFrom(null, "CA1"),
      answered_by: fc.constantFrom(null, "human", "machine"),
      machine: fc.constantFrom(undefined, ...MACHINES),
      reason: fc.constantFrom("", "busy", "network_error"),
    });
    const voicemail = fc.constantFrom("hang_up", "leave_message", "continue", "off", null);
    fc.assert(
      fc.property(voicemail, fc.array(event, { maxLength: 12 }), (choice, events) => {
        let row = rowOf({ voicemail: choice });
        for (const [i, one] of events.entries()) {
          const clock = { now: i * 1_000, message_ms: 60_000 };
          const before = row;
          const { row: after, step } = afterEvents(before, [one], clock);
          // A queued call exists at the carrier.
          const status = one.status === "queued" ? "initiated" : one.status;
          const moved = advances(before.status as never, status);
          expect(after.status).toBe(moved ? status : before.status);
          expect(after.ended_at !== null).toBe(isTerminal(after.status as never));
          if (isTerminal(before.status as never)) {
            const { metadata, ...rest } = after;
            expect(rest).toEqual({ ...rest, ...linesOf(before) });
            expect(step).toBeNull();
            expect(metadata.answered_by ?? null).toBe(one.answered_by === "machine" ? "machine" : answeredBy(before));
          }
          // A due message does not become due again.
          if (before.message === "due") expect([after.message, step]).toEqual(["due", null]);
          expect(afterEvents(after, [one], clock).row).toBe(after);
          row = after;
        }
      }),
    );
  });
});

const answeredBy = ({ metadata }: CallRow) => metadata.answered_by ?? null;
const linesOf = ({ status, connected_at, ended_at, end_reason, provider_call_id, message }: CallRow) => ({
  status,
  connected_at,
  ended_at,
  end_reason,
  provider_call_id,
  message,
});

/** Creates a recorded call without any report of its carrier. */
function rowOf(over: Partial<CallRow>): CallRow {
  const { id, line } = callAt("2026-11-23T09:00:00.000Z", { status: "queued", connected_at: null, ended_at: null });
  const others = { conversation_id: null, transferred_to: null, recording_id: null };
  const flags = { hangup_requested: false, uncounted: false };
  const row = { id, line_revision: 1, created_at: "2026-11-23T09:00:00.000Z", stage: 0 };
  return Object.assign(row, line, { end_reason: null }, others, flags, over);
}
