import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CarrierAnswer,
  hangUpAgainAt,
  judge,
  limitOf,
  lookAtAfterRebuild,
  lookAtFirst,
  type OpenCall,
  SETTLED_WITHIN_MS,
} from "../../../src/phone/calls/reconciliation.ts";
import { speaksOf } from "../../../src/records/ledger/call-state.ts";
import { CALL_STATUSES, type CallStatus, isTerminal } from "../../../src/records/ledger/call-status.ts";

const LIMITS = { ring: 45_000, duration: 7_200_000 };
const T = 1_800_000_000_000;
const ringing: OpenCall = { placedAt: T, connectedAt: null, inDoubt: false };
const talking: OpenCall = { placedAt: T, connectedAt: T + 5_000, inDoubt: false };
const doubtful: OpenCall = { placedAt: T, connectedAt: null, inDoubt: true };
const eventOf = (status: CallStatus) =>
  ({ provider_call_id: "CA1", status, answered_by: null, reason: "", recording: null }) as const;

describe("the policy for silent calls", () => {
  it.each<[string, OpenCall, number]>([
    ["15 s after its ring limit while it rings", ringing, T + 60_000],
    ["after 60 s of talking", talking, T + 65_000],
    ["5 s after it fell into doubt", doubtful, T + 6_000],
  ])("first looks a call up %s", (_, call, at) => {
    expect(lookAtFirst(call, LIMITS, T + 1_000)).toBe(at);
  });

  it("looks up a call at once after a restart, but not every few seconds", () => {
    expect(lookAtAfterRebuild(null, T)).toBe(T);
    expect(lookAtAfterRebuild(T - 60_000, T)).toBe(T);
    expect(lookAtAfterRebuild(T - 1_000, T)).toBe(T + 29_000);
  });

  it.each<[string, OpenCall, CarrierAnswer, number, object]>([
    ["looks up a running call every two minutes", talking, eventOf("in-progress"), 70_000, { lookAt: T + 190_000 }],
    [
      "treats an unreported answer as an event",
      ringing,
      eventOf("in-progress"),
      60_000,
      { event: eventOf("in-progress") },
    ],
    [
      "accepts the end of a call",
      talking,
      eventOf("completed"),
      70_000,
      { next: "ended", event: eventOf("completed") },
    ],
    ["hangs up a call that rings beyond the limit", ringing, eventOf("ringing"), 60_000, { next: "hang_up" }],
    ["lets a call wait in the carrier's queue", ringing, eventOf("queued"), 60_000, { next: "running" }],
    [
      "hangs up a call that waits in the carrier's queue for too long",
      ringing,
      eventOf("queued"),
      660_000,
      { next: "hang_up" },
    ],
    ["hangs up a call that lasts beyond the limit", talking, eventOf("in-progress"), 7_300_000, { next: "hang_up" }],
    [
      "looks up an unconfirmed call again if the carrier does not list it yet",
      doubtful,
      null,
      11_000,
      { next: "running", lookAt: T + 16_000 },
    ],
    [
      "ends an unconfirmed call as unknown after its ring limit",
      doubtful,
      null,
      60_000,
      { next: "ended", event: { reason: "unknown" } },
    ],
    [
      "ends an answered call that the carrier does not know",
      talking,
      null,
      70_000,
      { next: "ended", event: { reason: "no_final_event" } },
    ],
    [
      "retries the lookup if the carrier cannot be reached",
      talking,
      "unreachable",
      70_000,
      { next: "running", lookAt: T + 85_000 },
    ],
    [
      "hangs up an answered call beyond its limit if the carrier cannot be reached",
      talking,
      "unreachable",
      7_900_000,
      { next: "hang_up" },
    ],
    [
      "hangs up an unconfirmed call at its ring limit if the carrier cannot be reached",
      doubtful,
      "unreachable",
      60_000,
      { next: "hang_up", event: { reason: "unknown" } },
    ],
  ])("the policy for silent calls %s", (_, call, answer, after, verdict) => {
    expect(judge(call, answer, LIMITS, T + after)).toMatchObject(verdict);
  });

  const call: fc.Arbitrary<OpenCall> = fc.oneof(
    fc.record({
      placedAt: fc.constant(T),
      connectedAt: fc.integer({ min: T, max: T + 600_000 }),
      inDoubt: fc.constant(false),
    }),
    fc.record({ placedAt: fc.constant(T), connectedAt: fc.constant(null), inDoubt: fc.boolean() }),
  );
  const answer: fc.Arbitrary<CarrierAnswer> = fc.oneof(
    fc.constantFrom(null, "unreachable" as const),
    fc.constantFrom(...CALL_STATUSES).map(eventOf),
  );

  it("schedules the next lookup in the future and before the lease ends, or ends the call", () => {
    fc.assert(
      fc.property(call, answer, fc.integer({ min: 0, max: 8_500_000 }), (open, carrierAnswer, after) => {
        const now = T + after;
        const verdict = judge(open, carrierAnswer, LIMITS, now);
        if (verdict.next !== "running") return;
        const answered =
          carrierAnswer !== null && carrierAnswer !== "unreachable" && carrierAnswer.status === "in-progress";
        const limit = answered && open.connectedAt === null ? now + LIMITS.duration : limitOf(open, LIMITS);
        expect(verdict.lookAt).toBeGreaterThan(now);
        expect(verdict.lookAt).toBeLessThanOrEqual(limit + SETTLED_WITHIN_MS);
        if (carrierAnswer && carrierAnswer !== "unreachable") expect(isTerminal(carrierAnswer.status)).toBe(false);
      }),
    );
  });

  it("settles every call within its limits, and an unconfirmed one by its ring limit, whatever the carrier answers", () => {
    fc.assert(
      fc.property(call, fc.array(answer, { minLength: 1, maxLength: 8 }), (first, carrierAnswers) => {
        let open = first;
        let now = lookAtFirst(open, LIMITS, T);
        for (let i = 0; i < 10_000; i++) {
          const verdict = judge(open, carrierAnswers[i % carrierAnswers.length] ?? null, LIMITS, now);
          if (verdict.next !== "running") break;
          if (verdict.event) {
            const answered = verdict.event.status === "in-progress" && open.connectedAt === null;
            open = { ...open, inDoubt: false, connectedAt: answered ? now : open.connectedAt };
          }
          now = verdict.lookAt;
        }
        expect(now).toBeLessThanOrEqual(limitOf(open, LIMITS) + SETTLED_WITHIN_MS);
        if (open.inDoubt) expect(now).toBeLessThanOrEqual(T + LIMITS.ring + 15_000);
      }),
    );
  });

  it("retries a hang-up until the call's limit", () => {
    expect(hangUpAgainAt(talking, LIMITS, T + 10_000)).toBe(T + 15_000);
    expect(hangUpAgainAt(talking, LIMITS, T + LIMITS.duration + 5_000)).toBeNull();
  });
});

describe("speaksOf", () => {
  it.each<[string | null, string | null, string | null | undefined, boolean]>([
    ["CA1", "CA1", undefined, true],
    ["CA1", "CA2", undefined, false],
    [null, "CA2", undefined, true],
    ["CA1", null, undefined, true],
    ["request-1", "call-1", null, true],
    ["request-1", "call-1", "request-1", true],
    ["request-1", "call-1", "request-2", false],
  ])("a call with the carrier's id %s and an event of %s (requested as %s): %s", (knownId, id, request, is) => {
    const requestId = request === undefined ? {} : { request_id: request };
    expect(speaksOf(knownId, { provider_call_id: id, ...requestId })).toBe(is);
  });
});
