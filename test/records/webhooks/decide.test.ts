import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/time.ts";
import { changeOf, isOwn } from "../../../src/records/webhooks/change.ts";
import { afterAttempt, type Outcome } from "../../../src/records/webhooks/decide/after-attempt.ts";
import {
  FAILING_MS,
  type Failures,
  hasFailedForDays,
  withFailure,
} from "../../../src/records/webhooks/decide/failing.ts";
import { afterCutOff, MOST_TRIES, nextTry, retryAfter } from "../../../src/records/webhooks/decide/retry.ts";
import { isPattern, typesOf } from "../../../src/records/webhooks/patterns.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const attempt = { now: NOW, tries: 1, isTest: false, failures: null, wellAt: 0, random: 0 };
const status = (code: number, retry_after: string | null = null): Outcome => ({ status: code, retry_after });

describe("the next attempt", () => {
  it("follows the documented waits, with jitter", () => {
    const waits = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), random, (tries, chance) => {
        const delay = (nextTry(tries, NOW, chance) ?? 0) - NOW;
        const wait = waits[tries - 1] ?? 0;
        expect(delay).toBeGreaterThanOrEqual(wait);
        expect(delay).toBeLessThanOrEqual(wait * 1.1 + 1);
      }),
    );
    expect(MOST_TRIES).toBe(8);
    expect(nextTry(MOST_TRIES, NOW, 0)).toBeNull();
  });

  it("follows soon after an attempt that was cut off, which counts", () => {
    for (let tries = 1; tries < MOST_TRIES; tries++) expect(afterCutOff(tries, NOW, 0)).toBe(NOW + 5 * SECOND_MS);
    expect(afterCutOff(MOST_TRIES, NOW, 0)).toBeNull();
  });

  it("the next attempt is delayed by Retry-After, in seconds or as a date, within limits", () => {
    expect(retryAfter("120", NOW)).toBe(NOW + 2 * MINUTE_MS);
    expect(retryAfter(new Date(NOW + HOUR_MS).toUTCString(), NOW)).toBe(NOW + HOUR_MS);
    expect(retryAfter(new Date(NOW - HOUR_MS).toUTCString(), NOW)).toBe(NOW);
    for (const nonsense of [null, "", "soon", "-5", "1.5", "2026-11-24", "99999999999"])
      expect(retryAfter(nonsense, NOW), String(nonsense)).toBeNull();
    for (const code of [429, 503])
      expect(afterAttempt({ ...attempt, outcome: status(code, "120") })).toMatchObject({
        status: "pending",
        nextAt: NOW + 2 * MINUTE_MS,
        holdUntil: NOW + 2 * MINUTE_MS,
      });
    expect(afterAttempt({ ...attempt, outcome: status(429, "999999999") })).toMatchObject({
      nextAt: NOW + 10 * HOUR_MS,
      holdUntil: NOW + HOUR_MS,
    });
    expect(afterAttempt({ ...attempt, outcome: status(500, "120") })).toMatchObject({
      nextAt: NOW + 5 * SECOND_MS,
      holdUntil: null,
    });
  });
});

describe("the result of an attempt", () => {
  const outcome = fc.oneof(
    fc.record({ status: fc.integer({ min: 200, max: 599 }), retry_after: fc.option(fc.string()) }),
    fc.constantFrom<Outcome>("unanswered", "cut_off"),
  );

  it("an attempt succeeds only with 2xx", () => {
    fc.assert(
      fc.property(outcome, fc.integer({ min: 1, max: 8 }), fc.boolean(), random, (came, tries, isTest, chance) => {
        const verdict = afterAttempt({ ...attempt, outcome: came, tries, isTest, random: chance });
        const isGood = typeof came === "object" && came.status < 300;
        expect(verdict.status === "delivered").toBe(isGood);
        expect(verdict.nextAt !== null).toBe(verdict.status === "pending");
        if (verdict.nextAt !== null) expect(verdict.nextAt).toBeGreaterThan(NOW);
        if (isTest) expect(verdict.status).not.toBe("pending");
        expect(verdict.disable === "gone").toBe(typeof came === "object" && came.status === 410);
      }),
    );
  });

  it("counts failures from the first one until a success", () => {
    const before: Failures = { since: 5, recent: [NOW - 1] };
    const first = afterAttempt({ ...attempt, outcome: status(500) });
    expect(first.failures).toEqual({ since: NOW, recent: [NOW] });
    expect(afterAttempt({ ...attempt, outcome: "unanswered", failures: before }).failures?.since).toBe(5);
    expect(afterAttempt({ ...attempt, outcome: status(204), failures: before }).failures).toBeNull();
    expect(afterAttempt({ ...attempt, outcome: "cut_off" }).failures).toBeNull();
    expect(afterAttempt({ ...attempt, outcome: status(500), isTest: true }).failures).toBeNull();
  });

  it("never ends a delivery before its schedule because the webhook has failed for long", () => {
    const failures = { since: NOW - 8 * DAY_MS, recent: [4, 3, 2, 1].map((days) => NOW - days * DAY_MS) };
    for (let tries = 1; tries < MOST_TRIES; tries++)
      expect(afterAttempt({ ...attempt, outcome: status(500), tries, failures })).toMatchObject({
        status: "pending",
        disable: "failing",
      });
  });
});

describe("a webhook that fails", () => {
  const failuresAt = (times: number[]) =>
    times.reduce<Failures | null>((failures, at) => withFailure(failures, at), null) as Failures;
  /**
   * Computes the rule as it is documented: no success for five days, and a failure in each of the last five 24-hour
   * periods.
   */
  const byTheRule = (times: number[], wellAt: number, now: number) =>
    now - wellAt >= 5 * DAY_MS &&
    [0, 1, 2, 3, 4].every((day) => times.some((at) => Math.floor((now - at) / DAY_MS) === day));

  it("a failing webhook is disabled exactly by the documented rule, from a list that stays short", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30 * HOUR_MS }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 8 * DAY_MS }), (waits, wellAt) => {
        let now = 0;
        const times = waits.map((wait) => (now += wait));
        const failures = failuresAt(times);
        expect(hasFailedForDays(failures, wellAt, now)).toBe(byTheRule(times, wellAt, now));
        expect(failures.recent.length).toBeLessThanOrEqual(11);
      }),
    );
  });

  it("a webhook is not disabled by one failed attempt after a quiet week", () => {
    const failures = failuresAt([NOW - 7 * DAY_MS, NOW]);
    expect(hasFailedForDays(failures, NOW - 8 * DAY_MS, NOW)).toBe(false);
    expect(failures.since).toBe(NOW - 7 * DAY_MS);
  });

  it("a webhook is not disabled earlier than five days after its last success", () => {
    const failures = failuresAt([4, 3, 2, 1, 0].map((days) => NOW - days * DAY_MS));
    expect(hasFailedForDays(failures, NOW - FAILING_MS, NOW)).toBe(true);
    expect(hasFailedForDays(failures, NOW - FAILING_MS + 1, NOW)).toBe(false);
    expect(FAILING_MS).toBe(5 * DAY_MS);
  });
});

describe("a webhook's patterns", () => {
  it("match only existing types", () => {
    expect(typesOf(["call.*"])).toEqual(["call.started", "call.answered", "call.ended"]);
    expect(typesOf(["call.ended", "call.*"])).toHaveLength(3);
    expect(typesOf(["call.ended", "*"])).toBeNull();
    for (const unknown of ["", "call", "call.", "call*", "*.ended", "nothing.*", ".*", "call.end"])
      expect(isPattern(unknown), unknown).toBe(false);
  });
});

describe("a change of a webhook", () => {
  const at = new Date(NOW - DAY_MS).toISOString();
  const row = {
    account: "a",
    id: "w",
    url: "https://shop.example/a",
    types: ["*"],
    description: null,
    agent_ids: null,
    enabled: true,
    disabled_reason: null,
    shows: "content" as const,
    secrets: "",
    begins_at: at,
    beginning: 1,
    address_revision: 1,
    created_by: "k",
    created_at: at,
    updated_at: at,
    revision: 4,
    updated_by: null,
    revised_at: null,
  };
  const now = new Date(NOW).toISOString();

  it("starts it over with its author's permissions if the address changes", () => {
    const set = changeOf(row, { url: "https://shop.example/b" }, "neither", NOW);
    expect(set).toMatchObject({ address_revision: 5, beginning: 5, begins_at: now, shows: "neither" });
    expect(changeOf(row, { url: row.url }, "neither", NOW)).toEqual({});
  });

  it("starts it over only if it enables the webhook again", () => {
    const off = { ...row, enabled: false, disabled_reason: "gone" as const };
    expect(changeOf(off, { enabled: true }, "content", NOW)).toMatchObject({ beginning: 5, disabled_reason: null });
    expect(changeOf(row, { enabled: true }, "content", NOW)).toEqual({});
    expect(changeOf(row, { enabled: false }, "content", NOW)).toMatchObject({ disabled_reason: "requested" });
    expect(changeOf(off, { enabled: false }, "content", NOW)).toEqual({});
  });

  it("never makes it send more personal data than the author may see", () => {
    expect(changeOf(row, { types: ["call.*"] }, "contacts", NOW).shows).toBe("contacts");
    expect(changeOf({ ...row, shows: "neither" }, { types: ["call.*"] }, "content", NOW).shows).toBe("neither");
    expect(changeOf(row, { types: ["*"], description: null, agent_ids: null }, "contacts", NOW)).toEqual({});
  });

  it("a webhook can be changed only within the caller's own agents", () => {
    expect(isOwn(null, { agent_ids: null })).toBe(true);
    expect(isOwn(["a"], { agent_ids: null })).toBe(false);
    expect(isOwn(["a"], { agent_ids: ["a"] })).toBe(true);
    expect(isOwn(["a"], { agent_ids: ["a", "b"] })).toBe(false);
  });
});
