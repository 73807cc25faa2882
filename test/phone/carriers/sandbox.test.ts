import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_DETECTION, momentAt, sandboxScript } from "../../../src/phone/carriers/sandbox-script.ts";
import { isTerminal } from "../../../src/records/ledger/call-status.ts";
import { evict } from "../../support/evict.ts";
import { type Caller, caller, getCall, originate, sandboxOf, settled, slowly, withVars } from "../calls/support.ts";

const dialled = async (who: Caller) => (await originate(who, "+13035550110")).body.call_id;
const reaches = (who: Caller, id: string, status: string) => settled(who.server, id, (call) => call.status === status);

describe("the script of a sandbox call", () => {
  const number = fc.nat(99).map((n) => `+1303555${String(n).padStart(4, "0")}`);
  const ms = fc.nat(10_000);

  it("a sandbox call always moves forward to an end", () => {
    fc.assert(
      fc.property(number, ms, ms, (to, ring, talk) => {
        const script = sandboxScript(to, ring, talk, DEFAULT_DETECTION);
        if (to.endsWith("04")) return script === null;
        const times = script?.timeline.map(({ after }) => after) ?? [];
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const ends = script?.timeline.filter(({ status }) => isTerminal(status));
        expect(ends).toHaveLength(1);
        return script !== null && isTerminal(momentAt(script, ring + talk).status);
      }),
    );
  });

  it("a sandbox call reports nothing before it happens", () => {
    fc.assert(
      fc.property(number, ms, ms, (to, ring, talk) => {
        const script = sandboxScript(to, ring, talk, DEFAULT_DETECTION);
        for (const report of script?.reports ?? []) {
          const reached = script?.timeline.filter(({ after }) => after <= report.after).map(({ status }) => status);
          expect(reached).toContain(report.status);
        }
      }),
    );
  });
});

describe("the sandbox as a carrier", () => {
  it("the sandbox takes a repeated order as one call", async () => {
    const who = await caller();
    await slowly(who);
    const id = await dialled(who);
    const order = {
      call_id: id,
      provider_call_id: id,
      to_number: "+13035550110",
      webhook_url: "https://elsewhere.test/",
      recorded: 1,
      ...DEFAULT_DETECTION,
    };
    expect(await sandboxOf(who).place(order)).toBe(true);
    const calls = await runInDurableObject(sandboxOf(who), (_, { storage }) =>
      storage.sql.exec("SELECT call_id, webhook_url FROM calls").toArray(),
    );
    expect(calls).toEqual([{ call_id: id, webhook_url: expect.stringContaining(who.account) }]);
    expect(await sandboxOf(who).look(crypto.randomUUID())).toBeNull();
    await sandboxOf(who).hangUp(crypto.randomUUID());
  });

  it("the sandbox reports a call's true state at every moment", async () => {
    const who = await caller();
    await slowly(who);
    const id = await dialled(who);
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "ringing", reason: "" });
    await withVars(sandboxOf(who), { SANDBOX_RING_MS: "0" });
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "in-progress", answered_by: "human" });
    await sandboxOf(who).hangUp(id);
    await sandboxOf(who).hangUp(id);
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "completed", reason: "hangup" });
    await reaches(who, id, "completed");
  });

  it("the sandbox delivers a failed report again, even after a restart without its alarm", async () => {
    const who = await caller();
    await slowly(who);
    const id = await dialled(who);
    await reaches(who, id, "ringing");
    await withVars(sandboxOf(who), { SIGNING_KEYS: "" });
    await sandboxOf(who).hangUp(id);
    await runDurableObjectAlarm(sandboxOf(who));
    expect((await getCall(who.server, id)).status).toBe("ringing");
    await runInDurableObject(sandboxOf(who), (_, { storage }) => storage.deleteAlarm());
    await evict(sandboxOf(who));
    expect(await sandboxOf(who).look(id)).not.toBeNull();
    await reaches(who, id, "canceled");
  });

  it("the sandbox prunes ended calls after an hour", async () => {
    const who = await caller();
    const old = await dialled(who);
    await reaches(who, old, "completed");
    await runInDurableObject(sandboxOf(who), (_, { storage }) => {
      storage.sql.exec("UPDATE calls SET placed_at = placed_at - 3700000");
    });
    const fresh = await dialled(who);
    await reaches(who, fresh, "completed");
    await expect.poll(() => sandboxOf(who).look(old)).toBeNull();
    expect(await sandboxOf(who).look(fresh)).not.toBeNull();
  });

  it("the sandbox completes 100 calls at once", async () => {
    const who = await caller({ caps: { concurrent_calls: 1000, calls_per_minute: 1000 } });
    const ids = await Promise.all(Array.from({ length: 100 }, () => dialled(who)));
    const completed = async () =>
      (await who.server.get<{ total: number }>("/api/v1/calls?status=completed&limit=1")).body.total;
    await expect.poll(completed, { timeout: 110_000, interval: 200 }).toBe(ids.length);
  });
});
