import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { hangUp, placeOnRecord } from "../../src/calls/originate.ts";
import { lookAfterSilent, settleSilent } from "../../src/calls/watchdog.ts";
import { type CallEvent, type Carrier, CarrierRefusal, CarrierUncertain } from "../../src/carriers/carrier.ts";
import { AccountStore } from "../../src/db/account-store.ts";
import { calls } from "../../src/db/schema/index.ts";
import { BASE } from "../support/client.ts";
import { caller, getCall, originate, running, settled } from "./support.ts";

const ringing: CallEvent = {
  ...{ provider_call_id: "CA1", status: "ringing", answered_by: null, reason: "", recording: null },
};

/** A carrier that does as it is told, and counts. */
function carrier(behaviour: { originate: () => unknown; lookup: () => CallEvent | null }) {
  const made = { originate: 0, lookup: 0 };
  const it: Carrier = {
    originate: async () => {
      made.originate++;
      return (await behaviour.originate()) as never;
    },
    lookup: async () => {
      made.lookup++;
      return behaviour.lookup();
    },
    hangup: async () => {},
    parseWebhook: async () => [],
    fetchRecording: async () => new Response(),
    verifyCredentials: async () => ({ ok: true, detail: "" }),
  };
  return { made, line: { provider: "sandbox" as const, carrier: it } };
}

/** A call on record and admitted, about to be placed through the line. */
async function place(line: ReturnType<typeof carrier>["line"]) {
  const who = await caller();
  const { account, agent_id, from_number } = who;
  const call_id = crypto.randomUUID();
  const now = Date.now();
  const at = new Date(now).toISOString();
  const to_number = "+13035550110";
  const store = new AccountStore(env.DB, account, { actor: "test", request_id: "" }, true);
  await env.ACCOUNT_GATE.getByName(account).lease(call_id, 60_000);
  await store.record(
    store.insert(calls, {
      ...{ id: call_id, direction: "outbound", status: "queued", agent_id, from_number, to_number },
      ...{ provider: "sandbox", created_at: at, metadata: {} },
    }),
  );
  const order = { account, call_id, agent_id, campaign_id: null, from_number, to_number, origin: BASE };
  return { who, call_id, store, placed: placeOnRecord(env, store, line, order, now) };
}

const uncertain = () => {
  throw new CarrierUncertain("time-out");
};

describe("originate when the carrier gives no clear answer", () => {
  it("looks the call up and takes what it finds as placed, without placing it again", async () => {
    const { made, line } = carrier({ originate: uncertain, lookup: () => ringing });
    const { who, call_id, placed } = await place(line);
    expect(await placed).toMatchObject({ provider_call_id: "CA1", status: "ringing" });
    expect(made).toEqual({ originate: 1, lookup: 1 });
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "ringing", provider_call_id: "CA1" });
    expect(await running(who.server)).toBe(1);
  });

  it("keeps the carrier's id of a call that was found before it even rang", async () => {
    const { line } = carrier({ originate: uncertain, lookup: () => ({ ...ringing, status: "queued" }) });
    const { who, call_id, placed } = await place(line);
    await placed;
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "initiated", provider_call_id: "CA1" });
  });

  it.each([
    ["the carrier cannot tell", uncertain, () => null],
    ["the look-up fails too", uncertain, uncertain],
    [
      "the carrier answers garbage",
      () => {
        throw new SyntaxError("Unexpected token <");
      },
      () => null,
    ],
  ])("ends the call as failed, unknown, where %s", async (_, originating, lookup) => {
    const { made, line } = carrier({ originate: originating, lookup });
    const { who, call_id, placed } = await place(line);
    await expect(placed).rejects.toMatchObject({ status: 500, code: "carrier_unknown" });
    expect(made.originate).toBe(1);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "failed", end_reason: "unknown" });
    expect(await running(who.server)).toBe(0);
  });

  it("does not look a refused call up", async () => {
    const refuse = () => {
      throw new CarrierRefusal("funds", "the balance is used up");
    };
    const { made, line } = carrier({ originate: refuse, lookup: () => ringing });
    const { who, call_id, placed } = await place(line);
    await expect(placed).rejects.toMatchObject({ code: "carrier_funds" });
    expect(made.lookup).toBe(0);
    expect(await getCall(who.server, call_id)).toMatchObject({
      status: "failed",
      end_reason: "failed",
      metadata: { carrier_reason: "funds" },
    });
    expect(await running(who.server)).toBe(0);
  });
});

describe("hangup when the carrier gives no clear answer", () => {
  it.each([
    [new CarrierRefusal("auth", "the token is not valid"), "carrier_auth"],
    [new CarrierUncertain("time-out"), "carrier_unknown"],
    [new TypeError("connection lost"), "carrier_unknown"],
  ])("says so: %s", async (trouble, code) => {
    const { line } = carrier({ originate: uncertain, lookup: () => null });
    line.carrier.hangup = () => Promise.reject(trouble);
    const ref = {
      ...{ account: "a", call_id: "c", provider_call_id: "CA1" },
      from_number: "",
      to_number: "",
      placed_at: 0,
    };
    await expect(hangUp(line.carrier, ref)).rejects.toMatchObject({ status: 500, code });
  });
});

/** Lets the time of the account's calls be up, as the gate sees it. */
function timeIsUp(account: string, by = 1) {
  return runInDurableObject(env.ACCOUNT_GATE.getByName(account), async (_, state) => {
    const at = Date.now() - by;
    state.storage.sql.exec("UPDATE call_leases SET expires_at = ?1, look_at = iif(look_at IS NULL, NULL, ?1)", at);
    await state.storage.setAlarm(Date.now() + 60_000);
  });
}

describe("calls without a final event", () => {
  it("are looked up once their time is up, end on record and free their slot", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    await timeIsUp(who.account);
    expect(await running(who.server)).toBe(0);
    await runDurableObjectAlarm(env.ACCOUNT_GATE.getByName(who.account));
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "answered" });
    const left = await runInDurableObject(env.ACCOUNT_GATE.getByName(who.account), (_, state) =>
      state.storage.sql.exec("SELECT * FROM call_leases").toArray(),
    );
    expect(left).toEqual([]);
  });

  it("end with no_final_event where the carrier does not know them", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    await runInDurableObject(env.SANDBOX_CARRIER.getByName(who.account), (_, state) =>
      state.storage.sql.exec("DELETE FROM calls"),
    );
    await timeIsUp(who.account);
    await runDurableObjectAlarm(env.ACCOUNT_GATE.getByName(who.account));
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "no_final_event" });
  });

  it("go on where the answer alone was not heard of: the call counts again", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    await env.DB.prepare("UPDATE calls SET status = 'ringing', connected_at = NULL WHERE id = ?").bind(call_id).run();
    const store = new AccountStore(env.DB, who.account, { actor: "test", request_id: "" }, true);
    const { line } = carrier({ originate: uncertain, lookup: () => ({ ...ringing, status: "in-progress" }) });
    const settle = async () => {
      const [[row]] = await store.read(store.select(calls, { where: eq(calls.id, call_id) }));
      if (!row) throw new Error("the call is gone");
      return settleSilent(async () => line.carrier, store, row, Date.now(), Date.now());
    };
    expect(await settle()).toBe("running");
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "in-progress", ended_at: null });
    // An answered call whose time is up is over, whatever the carrier says.
    expect(await settle()).toBe("over");
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "no_final_event" });
  });

  it("are asked about again later where the carrier gives no answer, but not for ever", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    const store = new AccountStore(env.DB, who.account, { actor: "test", request_id: "" }, true);
    const broken = { ...env, SANDBOX_CARRIER: undefined } as unknown as Env;
    const now = Date.now();
    const ask = (since: number) => lookAfterSilent(broken, store, [{ callId: call_id, since }], now);
    expect(await ask(now - 1)).toEqual([{ callId: call_id, verdict: "unclear" }]);
    expect((await getCall(who.server, call_id)).status).toBe("in-progress");
    expect(await ask(now - 600_000)).toEqual([{ callId: call_id, verdict: "over" }]);
    expect(await getCall(who.server, call_id)).toMatchObject({ end_reason: "no_final_event" });
  });

  it("are looked up in time also where an answered call may last less long than one may ring", async () => {
    const { account } = await caller();
    const gate = env.ACCOUNT_GATE.getByName(account);
    const call_id = crypto.randomUUID();
    const armed = () => runInDurableObject(gate, (_, state) => state.storage.getAlarm());
    await gate.lease(call_id, 300_000);
    const soonest = Date.now() + 60_000;
    expect(await armed()).toBeGreaterThan(soonest);
    await gate.renew(call_id, 60_000);
    expect(await armed()).toBeLessThan(soonest + 60_000);
  });

  it("survive a restart: the watch is armed again", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    const gate = env.ACCOUNT_GATE.getByName(who.account);
    await runInDurableObject(gate, async (_, state) => {
      state.storage.sql.exec("UPDATE call_leases SET expires_at = 1, look_at = 1");
      await state.storage.deleteAlarm();
    });
    await evictDurableObject(gate);
    await settled(who.server, call_id, ({ status }) => status === "completed");
    expect(await running(who.server)).toBe(0);
  });
});
