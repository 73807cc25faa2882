import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { REFUSALS_ON_RECORD } from "../../../src/account/meter/inbound-calls.ts";
import { callerOf, WITHHELD } from "../../../src/phone/inbound/caller.ts";
import { evict } from "../../support/evict.ts";
import { breakLedger } from "../../support/ledger.ts";
import { type Call, type Calls, getCall, report, running } from "../calls/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

const SETTINGS = "/api/v1/call-settings";
const CALLER = "+13035550106";
const BUSY = { action: "reject", sentence: "All lines are busy. Please try again later." };
type Who = Awaited<ReturnType<typeof answering>>;

const meterOf = ({ account }: Who) => env.ACCOUNT_METER.getByName(account);
const callsOf = async ({ server }: Who) => (await server.get<Calls>("/api/v1/calls?limit=100")).body.calls;
const outcome = async (who: Who, fields: Record<string, unknown> = {}) => (await ring(who, fields)).body.action;
async function end(who: Who, callId: string): Promise<void> {
  const { provider_call_id } = await getCall(who.server, callId);
  expect((await report(who, callId, { status: "completed", provider_call_id })).status).toBe(204);
}
const used = async ({ server }: Who) => {
  type Limits = Record<"concurrent_calls" | "calls_per_minute" | "calls_per_day", { used: number }>;
  const { concurrent_calls, calls_per_minute, calls_per_day } = (await server.get<Limits>("/api/v1/call-limits")).body;
  return [concurrent_calls.used, calls_per_minute.used, calls_per_day.used];
};

describe("the limits of callers", () => {
  it("a caller may hold two calls at once by default", async () => {
    const who = await answering();
    const first = (await ring(who)).body;
    expect([first.action, await outcome(who), await outcome(who)]).toEqual(["connect", "connect", "reject"]);
    expect(await outcome(who, { from_number: "+13035550206" })).toBe("connect");
    await end(who, first.call_id);
    expect([await outcome(who), await outcome(who)]).toEqual(["connect", "reject"]);
  });

  it("a refused call is recorded with its reason without counting towards a cap", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1 });
    await ring(who);
    const refused = await ring(who, { provider_call_id: "in-2" });
    expect([refused.status, refused.body]).toEqual([200, BUSY]);
    const call = (await callsOf(who)).find(({ provider_call_id }) => provider_call_id === "in-2");
    expect(call).toMatchObject({
      direction: "inbound",
      status: "busy",
      end_reason: "caller_limit",
      agent_id: who.agent_id,
      from_number: CALLER,
      to_number: NUMBER,
      connected_at: null,
      ended_at: expect.any(String),
      duration_ms: null,
      recorded: false,
      conversation_id: null,
    });
    expect(await used(who)).toEqual([1, 1, 1]);
    type Statistics = { totals: { end_reasons: Record<string, number> } };
    const { totals } = (await who.server.get<Statistics>("/api/v1/calls/statistics")).body;
    expect(totals.end_reasons.caller_limit).toBe(1);
  });

  it("a caller's daily limit counts a UTC day including ended calls", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_calls_per_day: 3 });
    for (let n = 0; n < 3; n++) {
      const { body } = await ring(who);
      expect(body.action).toBe("connect");
      await end(who, body.call_id);
    }
    expect(await outcome(who)).toBe("reject");
    await evict(meterOf(who));
    expect(await outcome(who)).toBe("reject");
    expect(await outcome(who, { from_number: "+13035550206" })).toBe("connect");
    await runInDurableObject(meterOf(who), (_, { storage }) => storage.sql.exec("UPDATE caller_days SET day = '2020'"));
    expect(await outcome(who)).toBe("connect");
  });

  it("a changed caller limit applies from the next call on", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1 });
    expect([await outcome(who), await outcome(who)]).toEqual(["connect", "reject"]);
    await who.server.patch(SETTINGS, { caller_concurrent_calls: null, caller_calls_per_day: null });
    expect([await outcome(who), await outcome(who), await outcome(who)]).toEqual(["connect", "connect", "connect"]);
  });

  it("a call that is announced twice counts once", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1, caller_calls_per_day: 1 });
    const same = { provider_call_id: "in-1" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => ring(who, same)));
    expect(answers.map(({ body }) => body.action)).toEqual(Array(6).fill("connect"));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1);
    expect(await used(who)).toEqual([1, 1, 1]);
    expect(await outcome(who)).toBe("reject");
  });

  it("a refused call that is announced again gets the same answer", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1 });
    const { call_id } = (await ring(who)).body;
    const same = { provider_call_id: "in-2" };
    const answers = await Promise.all([ring(who, same), ring(who, same)]);
    await end(who, call_id);
    answers.push(await ring(who, same));
    expect(answers.map(({ body }) => body)).toEqual([BUSY, BUSY, BUSY]);
    expect(await callsOf(who)).toHaveLength(2);
  });
});

describe("sandbox calls beyond a caller's limit", () => {
  it("a sandbox call beyond a caller's limit answers 429 naming the limit", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1, caller_calls_per_day: 2 });
    const ringUp = () => who.server.post<Call>("/api/v1/sandbox/calls", { to_number: NUMBER, from_number: CALLER });
    const first = await ringUp();
    expect(first.status).toBe(200);
    const busy = await ringUp();
    expect([busy.status, busy.code]).toEqual([429, "caller_concurrent_calls_cap"]);
    expect(Number(busy.headers.get("retry-after"))).toBeGreaterThan(0);
    await end(who, first.body.call_id);
    await end(who, (await ringUp()).body.call_id);
    expect((await ringUp()).code).toBe("caller_calls_per_day_cap");
  });

  it("a call that the ledger did not store keeps its slot for the next announcement", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1, caller_calls_per_day: 1 });
    const { repair } = await breakLedger(who.account);
    const same = { provider_call_id: "in-1" };
    expect((await ring(who, same)).status).toBe(500);
    await repair();
    const again = await ring(who, same);
    expect(again.body.action).toBe("connect");
    expect(await getCall(who.server, again.body.call_id)).toMatchObject({ status: "in-progress" });
    expect(await used(who)).toEqual([1, 1, 1]);
  });

  it("a call that is never announced again gives its slot back", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1, caller_calls_per_day: 1 });
    const { repair } = await breakLedger(who.account);
    expect((await ring(who)).status).toBe(500);
    await repair();
    expect(await used(who)).toEqual([1, 1, 1]);
    await runInDurableObject(meterOf(who), async (_, { storage }) => {
      storage.sql.exec("UPDATE call_leases SET look_at = 1");
      await storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(meterOf(who));
    expect(await used(who)).toEqual([0, 0, 0]);
    expect(await outcome(who)).toBe("connect");
  });
});

describe("the limits of callers against abuse", () => {
  it("all withheld numbers count as one caller in every carrier's spelling", async () => {
    const who = await answering();
    expect(await outcome(who, { from_number: "anonymous" })).toBe("connect");
    expect(await outcome(who, { from_number: "+266696687" })).toBe("connect");
    for (const from_number of ["Restricted", "+86282452253", "", "sip:anonymous@anonymous.invalid"])
      expect(await outcome(who, { from_number }), from_number).toBe("reject");
    expect(await outcome(who)).toBe("connect");
  });

  it("callers with a number or address of their own are told apart", () => {
    const callers = [
      "+13035550106",
      "+4930123456",
      "sip:alice@pbx.example",
      "alice@pbx.example",
      "client:alice",
      "client:bob",
    ];
    expect(new Set(callers.map(callerOf)).size).toBe(callers.length);
    expect(callers.map(callerOf)).not.toContain(WITHHELD);
    for (const written of ["13035550106", "tel:+13035550106", "whatsapp:+13035550106"])
      expect(callerOf(written)).toBe(callerOf(" +1 (303) 555-0106"));
    for (const nobody of [
      "",
      "+",
      "Anonymous",
      "UNKNOWN",
      "+7378742833",
      "+2562533",
      "Unavailable",
      "sips:unknown@x",
      "client:",
      "client:Anonymous",
    ])
      expect(callerOf(nobody), nobody).toBe(WITHHELD);
  });

  it("a flood of refused calls does not fill the account's list", async () => {
    const who = await answering();
    await who.server.patch(SETTINGS, { caller_concurrent_calls: 1 });
    for (let n = 0; n < REFUSALS_ON_RECORD + 4; n++) await ring(who);
    expect(await callsOf(who)).toHaveLength(1 + REFUSALS_ON_RECORD);
    expect((await ring(who)).body).toEqual(BUSY);
    expect(await running(who.server)).toBe(1);
  });

  it("calls to another account do not use up a caller's limit", async () => {
    const [one, other] = [await answering(), await answering()];
    for (const who of [one, other]) await who.server.patch(SETTINGS, { caller_concurrent_calls: 1 });
    expect(await outcome(one)).toBe("connect");
    expect(await outcome(other)).toBe("connect");
  });
});
