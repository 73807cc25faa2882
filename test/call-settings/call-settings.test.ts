import { describe, expect, it } from "vitest";
import { latest, log } from "../audit-log/support.ts";
import { call, tenant } from "../support/client.ts";

const PATH = "/api/v1/call-settings";

describe("call settings", () => {
  it("are the defaults until they are changed, by a key or a user", async () => {
    const { user, server } = await tenant();
    expect((await user.get(PATH)).body).toEqual({ retention_days: null });
    const changed = await server.patch(PATH, { retention_days: 30 });
    expect([changed.status, changed.body]).toEqual([200, { retention_days: 30 }]);
    expect((await user.get(PATH)).body).toEqual({ retention_days: 30 });
    expect((await user.patch(PATH, { retention_days: null })).body).toEqual({ retention_days: null });
    expect((await user.get(PATH)).body).toEqual({ retention_days: null });
  });

  it("stay as they are where nothing is sent, and where a field is unknown", async () => {
    const { user } = await tenant();
    await user.patch(PATH, { retention_days: 3_650 });
    for (const body of [{}, { colour: "red" }, { retention_days: 3_650 }])
      expect((await user.patch(PATH, body)).body).toEqual({ retention_days: 3_650 });
  });

  it("are in the audit log with the fields that changed, and only where one did", async () => {
    const { user } = await tenant();
    await user.patch(PATH, { retention_days: 1 });
    expect(await latest(user)).toEqual(["update", "call_settings", { retention_days: null }]);
    const before = (await log(user)).length;
    await user.patch(PATH, { retention_days: 1 });
    await user.patch(PATH, {});
    expect((await log(user)).length).toBe(before);
  });

  it("refuse a retention that is none", async () => {
    const { user } = await tenant();
    for (const retention_days of [0, -1, 3_651, 1.5, "30", true, []]) {
      const answer = await user.patch(PATH, { retention_days });
      expect([answer.status, answer.body], JSON.stringify(retention_days)).toEqual([
        400,
        expect.stringMatching(/^retention_days: /),
      ]);
    }
    expect((await user.get(PATH)).body).toEqual({ retention_days: null });
  });

  it("are each account's own, and nobody's from outside", async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.user.patch(PATH, { retention_days: 5 });
    expect((await other.user.get(PATH)).body).toEqual({ retention_days: null });
    expect((await call("GET", PATH)).status).toBe(401);
    expect((await call("PATCH", PATH, { body: { retention_days: 1 } })).status).toBe(401);
  });
});
