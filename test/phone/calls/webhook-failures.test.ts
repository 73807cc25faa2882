import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { breakLedger } from "../../support/ledger.ts";
import { held, inboxOf, recordingOf, withTables } from "../recordings/support.ts";
import { caller, getCall, originate, report, running, settled, slowly } from "./support.ts";

/** Creates a call that rings until the test ends it. */
async function ringing() {
  const who = await caller();
  await slowly(who);
  const { call_id } = (await originate(who, "+13035550110")).body;
  await settled(who.server, call_id, ({ status }) => status === "ringing");
  return { who, call_id, meter: env.ACCOUNT_METER.getByName(who.account) };
}

/** Makes one object's storage refuse writes to a table until `repaired`. */
function broken<T extends Rpc.DurableObjectBranded>(object: DurableObjectStub<T>, table: string, write: string) {
  const run = (statement: string) =>
    runInDurableObject(object as unknown as DurableObjectStub, (_, state) => void state.storage.sql.exec(statement));
  return {
    begin: () => run(`CREATE TRIGGER away BEFORE ${write} ON ${table} BEGIN SELECT RAISE(ABORT, 'away'); END`),
    repaired: () => run("DROP TRIGGER away"),
  };
}

const COMPLETED = { status: "completed", reason: "normal_clearing" };
const recording = { id: "R-1", url: "sandbox:R-1", duration_ms: 1_000, content_type: "audio/wav" };
const RECORDED = { ...COMPLETED, recording };
/** Returns when the meter looks a call up, and until when its slot is held, ms. */
const leaseOf = (meter: ReturnType<typeof env.ACCOUNT_METER.getByName>, callId: string) =>
  runInDurableObject(meter, (_, { storage }) =>
    storage.sql
      .exec<{ look_at: number; expires_at: number }>(
        "SELECT look_at, expires_at FROM call_leases WHERE call_id = ?",
        callId,
      )
      .one(),
  );

describe("a report that is not processed at once", () => {
  it("a report while the ledger refuses writes must be sent again, and then takes full effect", async () => {
    const { who, call_id } = await ringing();
    const before = await getCall(who.server, call_id);
    const { repair } = await breakLedger(who.account);
    for (const event of [{ status: "in-progress" }, COMPLETED])
      expect((await report(who, call_id, event)).status).toBe(500);
    expect(await getCall(who.server, call_id)).toEqual(before);
    expect(await running(who.server)).toBe(1);
    await repair();
    expect((await report(who, call_id, { status: "in-progress" })).status).toBe(204);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "in-progress" });
    expect((await report(who, call_id, COMPLETED)).status).toBe(204);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "answered" });
    expect(await running(who.server)).toBe(0);
  });

  it("a recording reported while the ledger refuses writes is fetched when it is reported again", async () => {
    const { who, call_id } = await ringing();
    const { repair } = await breakLedger(who.account);
    expect((await report(who, call_id, RECORDED)).status).toBe(500);
    expect(await held(who)).toEqual({ waiting: [], done: 0 });
    await repair();
    expect((await report(who, call_id, RECORDED)).status).toBe(204);
    expect(await recordingOf(who.server, call_id)).toMatchObject({ call_id, duration_ms: 1_000 });
  });

  it("a report that the meter missed must be sent again: the end frees the slot", async () => {
    const { who, call_id, meter } = await ringing();
    const { begin, repaired } = broken(meter, "call_leases", "DELETE");
    await begin();
    expect((await report(who, call_id, COMPLETED)).status).toBe(500);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed" });
    expect(await running(who.server)).toBe(1);
    await repaired();
    expect((await report(who, call_id, COMPLETED)).status).toBe(204);
    expect(await running(who.server)).toBe(0);
  });

  it("a report that the meter missed must be sent again: the answer prolongs the lease", async () => {
    const { who, call_id, meter } = await ringing();
    const { begin, repaired } = broken(meter, "call_leases", "UPDATE");
    await begin();
    expect((await report(who, call_id, { status: "in-progress" })).status).toBe(500);
    const before = await leaseOf(meter, call_id);
    await repaired();
    expect((await report(who, call_id, { status: "in-progress" })).status).toBe(204);
    expect((await leaseOf(meter, call_id)).expires_at).toBeGreaterThan(before.expires_at);
  });

  it("a report of an answer does not delay the retry of a hang-up", async () => {
    const { who, call_id, meter } = await ringing();
    await meter.settled([{ callId: call_id, lookAt: Date.now() + 5_000, hangUp: true }]);
    const { look_at } = await leaseOf(meter, call_id);
    expect((await report(who, call_id, { status: "in-progress" })).status).toBe(204);
    expect((await leaseOf(meter, call_id)).look_at).toBe(look_at);
  });

  it("a report that the inbox missed must be sent again, and the recording is stored", async () => {
    const { who, call_id } = await ringing();
    await withTables(who);
    const { begin, repaired } = broken(inboxOf(who), "entries", "INSERT");
    await begin();
    expect((await report(who, call_id, RECORDED)).status).toBe(500);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed" });
    expect(await running(who.server)).toBe(0);
    await repaired();
    expect((await report(who, call_id, RECORDED)).status).toBe(204);
    expect(await recordingOf(who.server, call_id)).toMatchObject({ call_id, duration_ms: 1_000 });
  });
});
