import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { caller, originate, setCaps } from "../calls/support.ts";

interface Limits {
  plan: string;
  concurrent_calls: { limit: number; used: number };
  calls_per_minute: { limit: number; used: number; resets_at: string };
  calls_per_day: { limit: number; used: number; resets_at: string };
}

describe("call limits", () => {
  it.each([
    ["starter", 5, 30, 500],
    ["growth", 25, 120, 5_000],
    ["scale", 200, 1_000, 100_000],
  ])("an account without overrides has the call limits of the plan %s", async (plan, concurrent, minute, day) => {
    const { server } = await tenant({ plan });
    const { body } = await server.get<Limits>("/api/v1/call-limits");
    expect(body).toMatchObject({
      plan,
      concurrent_calls: { limit: concurrent, used: 0 },
      calls_per_minute: { limit: minute, used: 0 },
      calls_per_day: { limit: day, used: 0 },
    });
    expect(body.calls_per_day.resets_at).toMatch(/T00:00:00\.000Z$/);
  });

  it("an operator's override shows at once in the call limits", async () => {
    const who = await caller();
    await who.server.get("/api/v1/call-limits");
    await setCaps(who.account, { concurrent_calls: 3, calls_per_day: 9 });
    await originate(who, "+13035550106");
    const { body } = await who.server.get<Limits>("/api/v1/call-limits");
    expect(body).toMatchObject({
      concurrent_calls: { limit: 3, used: 1 },
      calls_per_minute: { limit: 1_000, used: 1 },
      calls_per_day: { limit: 9, used: 1 },
    });
    const resets = Date.parse(body.calls_per_minute.resets_at) - Date.now();
    expect(resets).toBeGreaterThan(0);
    expect(resets).toBeLessThanOrEqual(60_000);
  });
});
