import { describe, expect, it } from "vitest";
import { latest, log } from "../../account/audit-log/support.ts";
import { call, tenant } from "../../support/client.ts";

const PATH = "/api/v1/call-settings";
const DEFAULTS = {
  retention_days: null,
  record_outbound: true,
  record_inbound: false,
  recording_announcement: null,
  disclosure: { mode: "off", texts: {} },
  ring_timeout_s: 45,
  inbound_reserve: null,
  caller_concurrent_calls: 2,
  caller_calls_per_day: 20,
  voicemail: "hang_up",
  allowed_destinations: null,
};

describe("call settings", () => {
  it("call settings have their defaults until a key or a user changes them", async () => {
    const { user, server } = await tenant();
    expect((await user.get(PATH)).body).toEqual(DEFAULTS);
    const changed = await server.patch(PATH, { retention_days: 30 });
    expect([changed.status, changed.body]).toEqual([200, { ...DEFAULTS, retention_days: 30 }]);
    expect((await user.get(PATH)).body).toEqual({ ...DEFAULTS, retention_days: 30 });
    expect((await user.patch(PATH, { retention_days: null })).body).toEqual(DEFAULTS);
    expect((await user.get(PATH)).body).toEqual(DEFAULTS);
  });

  it("accept and return each field by itself", async () => {
    const { user } = await tenant();
    const changes: Record<string, unknown[]> = {
      record_outbound: [false, true],
      record_inbound: [true, false],
      recording_announcement: ["Calls are recorded.", "x".repeat(500), "Żółć & <b>", null],
      ring_timeout_s: [10, 120],
      inbound_reserve: [0, 50, null],
      caller_concurrent_calls: [1, 100, null],
      caller_calls_per_day: [1, 10_000, null],
      voicemail: ["leave_message", "continue", "off", "hang_up"],
      allowed_destinations: [["+1", "+49"], [], ["+998", "+883"], null],
    };
    const expected: Record<string, unknown> = { ...DEFAULTS };
    for (const [field, values] of Object.entries(changes)) {
      for (const value of values) {
        expected[field] = value;
        expect(await user.patch(PATH, { [field]: value })).toMatchObject({ status: 200, body: expected });
        expect((await user.get(PATH)).body).toEqual(expected);
      }
    }
    expect((await user.patch(PATH, { recording_announcement: "  hear, hear " })).body).toMatchObject({
      recording_announcement: "hear, hear",
    });
  });

  it.each<[string, unknown[]]>([
    ["record_outbound", [null, "true", 1]],
    ["record_inbound", [null, "false", 0]],
    ["recording_announcement", ["", "   ", "x".repeat(501), "a\nb", "a\u0000b", "\ud800", "a\u2028b", 1, []]],
    ["ring_timeout_s", [9, 121, 45.5, "45", null]],
    ["inbound_reserve", [-1, 51, 1.5, "1", true]],
    ["caller_concurrent_calls", [0, 101, 1.5, "1", true]],
    ["caller_calls_per_day", [0, 10_001, 1.5, "1", true]],
    ["voicemail", ["retry", "", null, true]],
    ["allowed_destinations", ["+1", [""], ["1"], ["+"], ["+4"], ["+1202"], ["+999"], ["+1", "+1"], [1], {}]],
  ])("call settings refuse a malformed %s without changes", async (field, values) => {
    const { user } = await tenant();
    for (const value of values) {
      const answer = await user.patch(PATH, { [field]: value, retention_days: 5 });
      expect([answer.status, answer.body], JSON.stringify(value)).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${field}(\\.\\d+)?: `)),
      ]);
    }
    expect((await user.get(PATH)).body).toEqual(DEFAULTS);
  });

  it("call settings are unchanged by an empty request or an unknown field", async () => {
    const { user } = await tenant();
    await user.patch(PATH, { retention_days: 3_650 });
    for (const body of [{}, { color: "red" }, { retention_days: 3_650 }])
      expect((await user.patch(PATH, body)).body).toEqual({ ...DEFAULTS, retention_days: 3_650 });
  });

  it("the audit log names the call settings that changed", async () => {
    const { user } = await tenant();
    await user.patch(PATH, { retention_days: 1 });
    expect(await latest(user)).toEqual(["update", "call_settings", { retention_days: null }]);
    const before = (await log(user)).length;
    await user.patch(PATH, { retention_days: 1 });
    await user.patch(PATH, {});
    expect((await log(user)).length).toBe(before);
  });

  it("the call settings refuse an invalid retention", async () => {
    const { user } = await tenant();
    for (const retention_days of [0, -1, 3_651, 1.5, "30", true, []]) {
      const answer = await user.patch(PATH, { retention_days });
      expect([answer.status, answer.body], JSON.stringify(retention_days)).toEqual([
        400,
        expect.stringMatching(/^retention_days: /),
      ]);
    }
    expect((await user.get(PATH)).body).toEqual(DEFAULTS);
  });

  it("call settings of another account cannot be read or changed", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.user.patch(PATH, { retention_days: 5 });
    expect((await other.user.get(PATH)).body).toEqual(DEFAULTS);
    expect((await call("GET", PATH)).status).toBe(401);
    expect((await call("PATCH", PATH, { body: { retention_days: 1 } })).status).toBe(401);
  });
});
