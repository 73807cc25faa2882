import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceOf } from "../../../src/account/auth/console-session.ts";
import { endOf, mayGoOn, tokenLifetimeS } from "../../../src/account/sign-in-policy/policy.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/kernel/time.ts";

const policies = fc.record({
  require_second_factor: fc.boolean(),
  session_hours: fc.integer({ min: 1, max: 12 }),
  idle_minutes: fc.integer({ min: 5, max: 120 }),
});
const NOW = 1_800_000_000_000;
const spans = fc.nat(13 * HOUR_MS);

describe("the length of a session", () => {
  it("never exceeds what the policy allows, with or without use", () => {
    fc.assert(
      fc.property(policies, spans, spans, (policy, age, idle) => {
        const times = { begunAt: NOW - age, usedAt: NOW - Math.min(age, idle) };
        const isOld = age >= policy.session_hours * HOUR_MS;
        const isIdle = NOW - times.usedAt >= policy.idle_minutes * MINUTE_MS;
        expect(mayGoOn(times, policy, NOW)).toBe(!isOld && !isIdle);
      }),
    );
  });

  it("limits its tokens, which never outlive the session and are renewable when they expire", () => {
    fc.assert(
      fc.property(policies, spans, (policy, age) => {
        const times = { begunAt: NOW - age, usedAt: NOW };
        const expiresAt = NOW + tokenLifetimeS(times, policy, NOW) * 1000;
        expect(expiresAt).toBeLessThanOrEqual(Math.max(NOW, endOf(times, policy)));
        expect(expiresAt - NOW).toBeLessThanOrEqual(HOUR_MS);
        const isRenewable = mayGoOn(times, policy, expiresAt);
        expect(isRenewable || expiresAt > endOf(times, policy) - 1000).toBe(true);
      }),
    );
  });
});

describe("the description of a device", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["curl/8.5.0", "curl/8.5.0"],
    ["<script>", ""],
    ["", ""],
  ])("the device of the user agent %s is described as %s", (agent, device) => {
    expect(deviceOf(agent)).toBe(device);
  });

  it("a device's description is short and plain whatever is sent", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (agent) => {
        expect(deviceOf(agent)).toMatch(/^[\w.+\- /]{0,64}$/);
        expect(deviceOf(agent).length).toBeLessThanOrEqual(64);
      }),
    );
  });
});
