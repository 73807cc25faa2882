import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterEnd,
  afterMachine,
  CAMPAIGN_STATUSES,
  CONTACT_STATUSES,
  contactAfter,
  type EndPolicy,
  isOver,
  type MessageState,
  type OpenContact,
  RETRYABLE,
  VOICEMAIL,
  waitAfter,
} from "../../src/campaign/decide/state.ts";
import { CALL_STATUSES, isTerminal } from "../../src/records/ledger/call-status.ts";

const NOW = 1_800_000_000_000;
const MESSAGES: MessageState[] = ["greeting", "due", "asked", "left", "failed"];

const minutes = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 43_200, noNaN: true }));
const policy: fc.Arbitrary<EndPolicy> = fc.record({
  retry_config: fc.record(
    {
      max_attempts: fc.integer({ min: 1, max: 20 }),
      retry_interval_minutes: minutes,
      intervals_minutes: fc.array(minutes, { minLength: 1, maxLength: 20 }),
      retry_on: fc.subarray([...RETRYABLE]),
    },
    { requiredKeys: ["max_attempts", "retry_interval_minutes", "retry_on"] },
  ),
  voicemail: fc.constantFrom(...VOICEMAIL),
});
const open: fc.Arbitrary<OpenContact> = fc.record({
  status: fc.constantFrom("pending" as const, "originated" as const, "connected" as const),
  attempts: fc.integer({ min: 1, max: 25 }),
  message: fc.option(fc.constantFrom(...MESSAGES)),
});
const campaign = fc.constantFrom(...CAMPAIGN_STATUSES);
const news = fc
  .record({
    status: fc.constantFrom(...CALL_STATUSES),
    answered_by: fc.constantFrom("human" as const, "machine" as const, null),
    step: fc.constantFrom("hang_up" as const, "greeting" as const, "due" as const, null),
  })
  .map(({ status, answered_by, step }) => {
    const over = isTerminal(status);
    return { call: { status, answered_by, over }, step: over || answered_by !== "machine" ? null : step };
  });

describe("retry interval", () => {
  it("uses the interval of the attempt, then the last one, or the single interval", () => {
    const wait = (attempts: number, intervals_minutes?: number[]) =>
      waitAfter(attempts, { max_attempts: 9, retry_interval_minutes: 60, intervals_minutes, retry_on: [] }) / 60_000;
    expect([1, 2, 3, 9].map((attempts) => wait(attempts, [5, 0.5]))).toEqual([5, 0.5, 0.5, 0.5]);
    expect([1, 9].map((attempts) => wait(attempts))).toEqual([60, 60]);
  });

  it("a retry interval is always one of the configured intervals", () => {
    fc.assert(
      fc.property(policy, fc.integer({ min: 1, max: 25 }), ({ retry_config }, attempts) => {
        const { intervals_minutes, retry_interval_minutes } = retry_config;
        const list = intervals_minutes ?? [retry_interval_minutes];
        const expected = list[Math.min(attempts, list.length) - 1] ?? Number.NaN;
        expect(waitAfter(attempts, retry_config)).toBe(Math.max(1, Math.round(expected * 60_000)));
      }),
    );
  });
});

describe("contact state machine", () => {
  it("retries exactly the outcomes in retry_on, up to max_attempts, while the campaign is open", () => {
    fc.assert(
      fc.property(open, policy, campaign, fc.constantFrom(...RETRYABLE), (contact, settings, status, outcome) => {
        const { retry_config, voicemail } = settings;
        const change = afterEnd(contact, outcome, settings, status, NOW);
        const named = retry_config.retry_on.includes(outcome) || (outcome === "machine" && voicemail === "retry");
        const again = named && contact.attempts < retry_config.max_attempts && !isOver(status);
        expect(change).toMatchObject({ status: again ? "pending" : "failed", outcome, ended: true, hangup: false });
        expect(change.nextAttemptAt).toBe(again ? NOW + waitAfter(contact.attempts, retry_config) : null);
      }),
    );
  });

  it("hangs up on a machine or leaves a message, never both", () => {
    fc.assert(
      fc.property(open, news, policy, campaign, (contact, { call, step }, settings, status) => {
        const change = contactAfter(contact, { call, step }, settings, status, NOW);
        if (change === null) return;
        expect(CONTACT_STATUSES).toContain(change.status);
        expect(change.ended).toBe(change.status !== "connected" && change.status !== "originated");
        expect(change.nextAttemptAt !== null).toBe(change.status === "pending");
        expect(change.ended).toBe(call.over || step === "hang_up");
        expect(change.hangup).toBe(step === "hang_up");
        if (change.message !== null) expect([change.message, change.status]).toEqual([step, "connected"]);
        if (change.outcome === "answered") expect(call.answered_by).not.toBe("machine");
      }),
      { numRuns: 1_000 },
    );
  });

  it("never calls a contact again that has, or may have, the message", () => {
    fc.assert(
      fc.property(open, policy, campaign, (contact, settings, status) => {
        const end = (message: MessageState) => afterMachine({ ...contact, message }, settings, status, NOW);
        const final = { status: "failed", outcome: "machine", nextAttemptAt: null, ended: true };
        expect(end("left")).toMatchObject({ ...final, reason: "message_left" });
        expect(end("asked")).toMatchObject({ ...final, reason: "message_in_doubt" });
        const { attempts } = contact;
        for (const message of ["greeting", "due", "failed"] as const)
          expect(end(message)).toEqual(afterEnd({ attempts }, "machine", settings, status, NOW));
      }),
    );
  });
});
