import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dispatcher } from "../../../src/campaign/dial/dispatcher.ts";
import { takeCallEvent } from "../../../src/campaign/store/call-transitions.ts";
import { operate } from "../../../src/campaign/store/campaign-transitions.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { answeredAt } from "../../../src/records/ledger/call-state.ts";
import { CALL_STATUSES } from "../../../src/records/ledger/call-status.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { CALM, draft, inObject, World } from "../../campaign/world/virtual-world.ts";
import { caller, getCall, originate, report, slowly } from "../../phone/calls/support.ts";

const PLACED = Date.parse("2026-11-28T10:00:00Z");
const MINUTE_MS = 60_000;
const NOTHING = { provider_call_id: null, answered_by: null, reason: "completed", recording: null };

describe("the time at which a call was answered", () => {
  const at = (connectedAt: number | null, status: (typeof CALL_STATUSES)[number], talked_ms?: number) =>
    answeredAt(
      { placedAt: PLACED, connectedAt },
      { status, ...(talked_ms !== undefined && { talked_ms }) },
      PLACED + MINUTE_MS,
    );

  it.each([
    ["a call that still rings has no answer time", at(null, "ringing"), null],
    ["the report of the answer sets the answer time", at(null, "in-progress"), PLACED + MINUTE_MS],
    ["a repeated report of the answer keeps the answer time", at(PLACED + 5_000, "in-progress"), PLACED + 5_000],
    [
      "an end with a talk time sets the answer time to the end minus the talk time",
      at(null, "completed", 42_000),
      PLACED + 18_000,
    ],
    ["an end without a talk time sets the answer time to the end", at(null, "completed"), PLACED + MINUTE_MS],
    [
      "a talk time longer than the call sets the answer time to the call's beginning",
      at(null, "completed", 10 * MINUTE_MS),
      PLACED,
    ],
    [
      "the talk time corrects an answer that was reported late",
      at(PLACED + 50_000, "completed", 42_000),
      PLACED + 18_000,
    ],
    [
      "a talk time in whole seconds keeps a reported answer within the same second",
      at(PLACED + 18_900, "completed", 42_000),
      PLACED + 18_900,
    ],
    ["an unanswered call has no answer time", at(null, "no-answer", 42_000), null],
  ])("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });

  it("lies between the call's beginning and its report, and exists for every answered call", () => {
    const ms = fc.integer({ min: 0, max: 10 * MINUTE_MS });
    fc.assert(
      fc.property(
        fc.constantFrom(...CALL_STATUSES),
        fc.option(ms),
        fc.option(ms),
        ms,
        (status, connected, talked_ms, later) => {
          const now = PLACED + later;
          const connectedAt = connected === null ? null : PLACED + Math.min(connected, later);
          const found = answeredAt(
            { placedAt: PLACED, connectedAt },
            { status, ...(talked_ms !== null && { talked_ms }) },
            now,
          );
          expect(found !== null).toBe(connectedAt !== null || status === "in-progress" || status === "completed");
          if (found !== null) expect([found >= PLACED, found <= now]).toEqual([true, true]);
        },
      ),
    );
  });
});

describe("a call whose answer was not reported", () => {
  it("has the answer time and minutes that the report of its end implies", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const { created_at } = await getCall(who.server, call_id);
    const now = Date.parse(created_at) + MINUTE_MS;
    const store = accountStore(env, who.account, { actor: "test", request_id: "" });
    const event = Object.assign({ status: "completed" as const, talked_ms: 42_000 }, NOTHING);
    await new Ledger({ env, store }).takeEvents([{ id: call_id, events: [event] }], { now, message_ms: MINUTE_MS });
    const call = await getCall(who.server, call_id);
    expect(call).toMatchObject({ status: "completed", end_reason: "answered", duration_ms: 42_000 });
    expect(call.connected_at).toBe(new Date(now - 42_000).toISOString());
  });

  it("has an answer time even if the carrier does not report the call's length", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550110")).body;
    await report(who, call_id, { status: "completed" });
    const call = await getCall(who.server, call_id);
    expect([call.connected_at, call.duration_ms]).toEqual([call.ended_at, 0]);
  });

  it("has an answer time if it belongs to a campaign", async () => {
    await inObject(async (storage) => {
      const world = new World({ ...CALM, contacts: 1, behaviors: ["endless"] });
      const store = draft({ ...CALM, contacts: 1 }, world, storage);
      operate(store, "start", { actor: "test", request_id: "test" }, world.now);
      const deps = world.live(store);
      const dispatcher = new Dispatcher(store, deps);
      while (store.attempts.openCount() < 1) await dispatcher.round();
      const [open] = store.attempts.open();
      if (!open) throw new Error("nothing was dialed");
      const now = open.dialled_at + MINUTE_MS;
      const event = Object.assign({ status: "completed" as const, talked_ms: 42_000 }, NOTHING);
      takeCallEvent(store, open.call_id, event, deps.limits, now);
      expect(store.attempts.get(open.call_id)).toMatchObject({
        outcome: "answered",
        connected_at: now - 42_000,
        ended_at: now,
      });
    });
  });
});
