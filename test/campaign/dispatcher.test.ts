import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTACT_STATUSES, VOICEMAIL } from "../../src/campaign/decide/state.ts";
import { chain } from "../../src/campaign/store/log.ts";
import { BEHAVIORS, DELIVERIES, MESSAGES } from "./world/virtual-carrier.ts";
import { rules, ZONES } from "./world/virtual-rules.ts";
import { CALM, inObject, numberOf, play, type Scenario } from "./world/virtual-world.ts";

const DAY = 86_400_000;

const step = fc.integer({ min: 1, max: 120 });
const scenario: fc.Arbitrary<Scenario> = fc.record({
  startsAt: fc.constantFrom(
    Date.parse("2026-11-20T10:00:00Z"),
    // Clocks are about to change in New York, in Berlin and on Lord Howe Island.
    Date.parse("2026-11-01T04:30:00Z"),
    Date.parse("2026-03-29T00:10:00Z"),
    Date.parse("2026-04-04T14:00:00Z"),
  ),
  contacts: fc.integer({ min: 1, max: 25 }),
  behaviors: fc.array(fc.oneof(fc.constant("answered" as const), fc.constantFrom(...BEHAVIORS)), {
    minLength: 1,
    maxLength: 12,
  }),
  deliveries: fc.array(fc.constantFrom(...DELIVERIES), { minLength: 1, maxLength: 4 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  perMinute: fc.integer({ min: 1, max: 40 }),
  rules,
  changed: rules,
  zones: fc.array(fc.option(fc.constantFrom(...ZONES)), { minLength: 1, maxLength: 3 }),
  blocked: fc.uniqueArray(fc.integer({ min: 0, max: 24 }), { maxLength: 6 }),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  voicemail: fc.constantFrom(...VOICEMAIL, "leave_message" as const),
  retriesMachines: fc.boolean(),
  messages: fc.array(fc.oneof(fc.constant("left" as const), fc.constantFrom(...MESSAGES)), {
    minLength: 1,
    maxLength: 4,
  }),
  crashAfter: fc.array(step, { maxLength: 5 }),
  moments: fc.array(
    fc.record({
      step,
      what: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom("pause" as const, "resume" as const, "change" as const) },
        { weight: 1, arbitrary: fc.constant("stop" as const) },
      ),
    }),
    { maxLength: 10 },
  ),
  failedRequests: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
  takes: fc.constantFrom(0, 0, 300, 4_000),
  talks: fc.constant(20_000),
});

/**
 * Cases that random scenarios rarely contain: a stop while the do-not-call list is read, and a machine detected during
 * a hang-up.
 */
const rare: Scenario[] = [
  { ...CALM, blocked: [0, 1], moments: [{ step: 2, what: "stop" }] },
  { ...CALM, behaviors: ["machine"], rules: { ...CALM.rules, max_concurrency: 2 }, takes: 4_000 },
  { ...CALM, contacts: 4, behaviors: ["machine"], concurrency: 2, perMinute: 4, takes: 300 },
  { ...CALM, behaviors: ["machine"], voicemail: "leave_message", crashAfter: [40, 60, 80], takes: 300 },
  { ...CALM, behaviors: ["machine"], voicemail: "leave_message", messages: ["lost-left"], talks: 600_000 },
];

type End = Awaited<ReturnType<typeof play>>;

function check(scenario: Scenario, { world, store, rounds }: End) {
  expect([...world.problems]).toEqual([]);
  const { status, ...row } = store.campaign.existing;
  const stopped = scenario.moments.some(({ what }) => what === "stop");
  expect(stopped ? ["completed", "stopped"] : ["completed"], `after ${rounds} rounds`).toContain(status);
  expect(world.now - scenario.startsAt).toBeLessThan(60 * DAY);
  expect(store.attempts.open()).toEqual([]);
  const toHangUp = new Set(store.attempts.leased().map(({ call_id }) => call_id));
  expect(
    [...world.leases.keys()].filter((callId) => !toHangUp.has(callId)),
    "slots of no call",
  ).toEqual([]);

  for (const [to, times] of Map.groupBy(world.carrier.dialled, (dialled) => dialled.to)) {
    expect(times.length, `calls to ${to}`).toBeLessThanOrEqual(scenario.maxAttempts);
  }
  const contacts = store.listing.page({ limit: 1_000, offset: 0 });
  for (const of of CONTACT_STATUSES) {
    expect(contacts.filter((contact) => contact.status === of).length, of).toBe(row[of]);
  }
  const over = ["completed", "failed", ...(status === "stopped" ? ["cancelled"] : [])];
  for (const contact of contacts) {
    expect(over, JSON.stringify(contact)).toContain(contact.status);
    expect(contact.next_attempt_at).toBeNull();
    const blocked = scenario.blocked.some((n) => numberOf(n) === `+${contact.phone}`);
    if (blocked && status === "completed") expect(contact.outcome).toBe("do_not_call");
    const attempts = store.attempts.ofContact(contact.id);
    const spoken = attempts.some(({ call_id }) => world.carrier.calls.get(call_id)?.messageAt != null);
    const reasons = ["message_left", "message_in_doubt"];
    if (spoken && contact.status === "failed")
      expect(reasons, JSON.stringify(contact)).toContain(contact.failure_reason);
    if (contact.failure_reason === "message_left") expect(spoken, JSON.stringify(contact)).toBe(true);
    for (const [i, { dialled_at }] of attempts.entries()) {
      if (i > 0) expect(dialled_at).toBeGreaterThanOrEqual(attempts[i - 1]?.ended_at ?? Number.POSITIVE_INFINITY);
    }
  }
  checkLog(store);
}

/**
 * Checks that the history has no gap, that each entry contains the previous hash, and that its last counts are the
 * campaign's.
 */
function checkLog(store: End["store"]) {
  let previous = "";
  const log = store.log.after(0, 100_000);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
  for (const row of log) {
    expect(row.hash).toBe(chain(previous, row));
    previous = row.hash;
  }
  for (const contact of store.listing.page({ limit: 1_000, offset: 0 })) {
    expect(log.findLast((row) => row.contact === contact.id)?.status).toBe(contact.status);
  }
}

describe("the dispatcher", () => {
  it("dials every contact once when nothing fails", async () => {
    const calm: Scenario = { ...CALM, contacts: 10, concurrency: 3 };
    await inObject(async (storage) => {
      const end = await play(calm, storage);
      check(calm, end);
      expect(end.world.carrier.dialled).toHaveLength(10);
      expect(end.store.campaign.counts.completed).toBe(10);
    });
  });

  it("keeps every rule and finishes every contact through any failures", async () => {
    const seen = {
      completed: 0,
      stopped: 0,
      cancelled: 0,
      blocked: 0,
      retried: 0,
      waitedForDays: 0,
      left: 0,
      inDoubt: 0,
    };
    await fc.assert(
      fc.asyncProperty(scenario, (random) =>
        inObject(async (storage) => {
          const end = await play(random, storage);
          check(random, end);
          const { status, cancelled } = end.store.campaign.existing;
          const contacts = end.store.listing.page({ limit: 1_000, offset: 0 });
          seen[status === "stopped" ? "stopped" : "completed"]++;
          if (cancelled > 0) seen.cancelled++;
          if (contacts.some(({ outcome }) => outcome === "do_not_call")) seen.blocked++;
          if (contacts.some(({ attempts }) => attempts > 1)) seen.retried++;
          if (end.world.now > random.startsAt + DAY) seen.waitedForDays++;
          if (contacts.some(({ failure_reason }) => failure_reason === "message_left")) seen.left++;
          if (contacts.some(({ failure_reason }) => failure_reason === "message_in_doubt")) seen.inDoubt++;
        }),
      ),
      { numRuns: 250, examples: rare.map((one): [Scenario] => [one]) },
    );
    // Otherwise the scenarios no longer test anything.
    for (const [what, n] of Object.entries(seen)) expect(n, what).toBeGreaterThan(0);
  });
});
