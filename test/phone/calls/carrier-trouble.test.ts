import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountMeter } from "../../../src/account/meter/account-meter.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { accountMeter, recordingInbox } from "../../../src/kernel/durable/objects.ts";
import { DEFAULT_CALL_SETTINGS } from "../../../src/phone/call-settings/settings.ts";
import { endAtCarrier } from "../../../src/phone/calls/live/hang-up.ts";
import { placeOnRecord } from "../../../src/phone/calls/originate.ts";
import { reconcileCalls } from "../../../src/phone/calls/reconcile-calls.ts";
import { type CallEvent, type Carrier, CarrierRefusal, CarrierUncertain } from "../../../src/phone/carriers/carrier.ts";
import { RecordingInbox } from "../../../src/phone/recordings/inbox.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { BASE, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { putCall } from "../../support/ledger.ts";
import { spyIn } from "../../support/spy-in.ts";
import { lookNow } from "./call-kinds.ts";
import { caller, getCall, originate, report, running, settled } from "./support.ts";

const CALLER = {
  agent: {
    name: "Ada",
    greeting_message: "Hello.",
    timezone: null,
    greeting_mode: "interruptible" as const,
    disclosure: "account" as const,
    voice_provider: "cartesia" as const,
    voice_id: "v",
    language: "en-US",
    languages: [],
    key_terms: [],
    noise_suppression_enabled: false,
  },
  account_name: "Acme",
  variables: [],
};

const ringing: CallEvent = {
  provider_call_id: "CA1",
  status: "ringing",
  answered_by: null,
  reason: "",
  recording: null,
};

/** Creates a carrier with the test's behavior, which counts its requests. */
function carrier(behavior: { originate: () => unknown; lookup: () => CallEvent | null }) {
  const requests = { originate: 0, lookup: 0 };
  const it: Carrier = {
    originate: async () => {
      requests.originate++;
      return (await behavior.originate()) as never;
    },
    lookup: async () => {
      requests.lookup++;
      return behavior.lookup();
    },
    hangup: async () => {},
    transfer: async () => {},
    parseWebhook: async () => [],
    fetchRecording: async () => new Response(),
    deleteRecording: async () => {},
    verifyCredentials: async () => ({ ok: true, detail: "", answered: true }),
  };
  return { requests, line: { provider: "sandbox" as const, carrier: it } };
}

/** The default ring time-out, ms. */
const RING_MS = DEFAULT_CALL_SETTINGS.ring_timeout_s * 1_000;

/** Places an admitted call through the line. The process is lost when it calls the method `lostAt` of the meter. */
async function place(line: ReturnType<typeof carrier>["line"], lostAt?: "refund" | "release") {
  const who = await caller();
  const { account, agent_id, from_number } = who;
  const call_id = newId();
  const now = Date.now();
  const to_number = "+13035550110";
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  await env.ACCOUNT_METER.getByName(account).lease(call_id, RING_MS);
  await putCall(account, { status: "queued", agent_id, from_number, to_number }, call_id);
  const order = {
    account,
    call_id,
    agent_id,
    campaign_id: null,
    from_number,
    to_number,
    origin: BASE,
    credentials_id: null,
    disclosure: null,
    recording: null,
    detects_machines: true,
    leaves_message: false,
    ring_timeout_s: RING_MS / 1_000,
  };
  const row = await new Ledger({ env, store }).call(call_id);
  if (row === null) throw new Error("the call is not on record");
  const placing = { line, call: order, caller: CALLER };
  if (lostAt)
    spyIn(accountMeter(env, account), AccountMeter, lostAt).mockRejectedValueOnce(new Error("the process is lost"));
  const placed = placeOnRecord({ env, store, now }, row, placing, { ring: RING_MS, duration: 3_600_000 });
  return { who, call_id, store, placed };
}

const uncertain = () => {
  throw new CarrierUncertain("time-out");
};

afterEach(() => vi.restoreAllMocks());

describe("originate when the carrier gives no clear answer", () => {
  it("looks up the call and treats a found call as placed, without placing it again", async () => {
    const { requests, line } = carrier({ originate: uncertain, lookup: () => ringing });
    const { who, call_id, placed } = await place(line);
    expect(await placed).toMatchObject({ provider_call_id: "CA1", status: "ringing" });
    expect(requests).toEqual({ originate: 1, lookup: 1 });
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "ringing", provider_call_id: "CA1" });
    expect(await running(who.server)).toBe(1);
  });

  it("keeps the carrier's id of a call that was found before it rang", async () => {
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
  ])("originate keeps the call open with its slot and accepts reports if %s", async (_, originating, lookup) => {
    const { requests, line } = carrier({ originate: originating, lookup });
    const { who, call_id, placed } = await place(line);
    await expect(placed).rejects.toMatchObject({ status: 500, code: "carrier_unknown" });
    expect(requests.originate).toBe(1);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "queued", end_reason: null });
    expect(await running(who.server)).toBe(1);
    expect((await report(who, call_id, { status: "in-progress" })).status).toBe(204);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "in-progress", provider_call_id: call_id });
    expect((await report(who, call_id, { status: "completed" })).status).toBe(204);
    expect(await running(who.server)).toBe(0);
  });

  it("retries until the ring limit, and then ends the call as unknown", async () => {
    const { line } = carrier({ originate: uncertain, lookup: () => null });
    const { who, call_id, store, placed } = await place(line);
    await expect(placed).rejects.toMatchObject({ code: "carrier_unknown" });
    const silent = [{ callId: call_id, hangUp: false }];
    const ring = RING_MS;
    const soon = Date.now() + ring;
    const [early] = await reconcileCalls({ env, store, clock: () => soon }, silent);
    expect(early?.lookAt).toBeGreaterThan(soon);
    expect((await getCall(who.server, call_id)).status).toBe("queued");
    expect(await reconcileCalls({ env, store, clock: () => soon + 20_000 }, silent)).toEqual([
      { callId: call_id, lookAt: null, onRecord: true, uncounted: false },
    ]);
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "failed", end_reason: "unknown" });
  });

  it("a refused call counts toward no cap if the process is lost before its refund", async () => {
    const refuse = () => {
      throw new CarrierRefusal("outage", "the carrier is away");
    };
    const { who, call_id, placed } = await place(carrier({ originate: refuse, lookup: () => null }).line, "refund");
    await expect(placed).rejects.toThrow("the process is lost");
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "failed" });
    expect(await used(who)).toEqual({ now: 1, today: 1 });
    await lookNow(who);
    expect(await used(who)).toEqual({ now: 0, today: 0 });
    expect((await originate(who, "+13035550110")).status).toBe(200);
    await env.ACCOUNT_METER.getByName(who.account).refund([call_id]);
    expect((await used(who)).today).toBe(1);
  });

  it("a call that its carrier refuses because of the number counts if the process is lost before its lease is freed", async () => {
    const refuse = () => {
      throw new CarrierRefusal("bad_number", "there is no such number");
    };
    const { who, placed } = await place(carrier({ originate: refuse, lookup: () => null }).line, "release");
    await expect(placed).rejects.toThrow("the process is lost");
    await lookNow(who);
    expect(await used(who)).toEqual({ now: 0, today: 1 });
  });

  it("does not look up a refused call", async () => {
    const refuse = () => {
      throw new CarrierRefusal("funds", "the balance is used up");
    };
    const { requests, line } = carrier({ originate: refuse, lookup: () => ringing });
    const { who, call_id, placed } = await place(line);
    await expect(placed).rejects.toMatchObject({ code: "carrier_funds" });
    expect(requests.lookup).toBe(0);
    expect(await getCall(who.server, call_id)).toMatchObject({
      status: "failed",
      end_reason: "failed",
      metadata: { carrier_reason: "funds" },
    });
    expect(await running(who.server)).toBe(0);
  });
});

describe("hangup when the carrier gives no clear answer", () => {
  const ref = {
    account: "a",
    call_id: "c",
    provider_call_id: "CA1",
    from_number: "",
    to_number: "",
    placed_at: 0,
    connected: true,
  };

  it("reports the carrier's failure", async () => {
    const trouble = new CarrierRefusal("auth", "the token is not valid");
    const { line } = carrier({ originate: uncertain, lookup: () => null });
    line.carrier.hangup = () => Promise.reject(trouble);
    await expect(endAtCarrier(line.carrier, ref)).rejects.toBe(trouble);
  });

  it("accepts the carrier's report of a call that was already over", async () => {
    const over = { ...ringing, status: "busy" as const, reason: "busy" };
    const { line } = carrier({ originate: uncertain, lookup: () => over });
    line.carrier.hangup = () => Promise.reject(new Error("not to be asked"));
    expect(await endAtCarrier(line.carrier, ref)).toEqual(over);
  });

  it("ends the call as hung up if the carrier has no answer", async () => {
    const { line } = carrier({ originate: uncertain, lookup: uncertain });
    expect(await endAtCarrier(line.carrier, ref)).toMatchObject({ status: "completed", reason: "hangup" });
  });
});

/** Returns how many calls the account's caps count as running, and today. */
async function used({ account }: { account: string }) {
  const { usage } = await env.ACCOUNT_METER.getByName(account).usage();
  return { now: usage.concurrent, today: usage.today };
}

/** Makes it time for the meter to look up the account's calls. */
function timeIsUp(account: string) {
  return runInDurableObject(env.ACCOUNT_METER.getByName(account), async (_, state) => {
    state.storage.sql.exec("UPDATE call_leases SET look_at = 1");
    await state.storage.setAlarm(Date.now() + 60_000);
  });
}

/** Creates a call in progress whose end is never reported. */
async function unended() {
  const who = await caller();
  const { call_id } = (await originate(who, "+13035550106")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  const store = accountStore(env, who.account, { actor: "test", request_id: "" });
  return { who, call_id, store, silent: [{ callId: call_id, hangUp: false }] };
}

describe("calls without a final event", () => {
  it("a call without a final event is looked up until it ends and frees its slot", async () => {
    const { who, call_id } = await unended();
    await timeIsUp(who.account);
    expect(await running(who.server)).toBe(1);
    await runDurableObjectAlarm(env.ACCOUNT_METER.getByName(who.account));
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "answered" });
    expect(await running(who.server)).toBe(0);
  });

  it("a call without a final event leaves its recording even if the process is lost while it is taken", async () => {
    const { who, call_id, silent, store } = await unended();
    spyIn(recordingInbox(env, who.account), RecordingInbox, "take").mockRejectedValueOnce(
      new Error("the process is lost"),
    );
    await expect(reconcileCalls({ env, store, clock: Date.now }, silent)).rejects.toThrow("the process is lost");
    await lookNow(who);
    expect(await settled(who.server, call_id, ({ recording_id }) => recording_id !== null)).toMatchObject({
      status: "completed",
    });
  });

  it("end with no_final_event if the carrier does not know them", async () => {
    const { who, call_id } = await unended();
    await runInDurableObject(env.SANDBOX_CARRIER.getByName(who.account), (_, state) =>
      state.storage.sql.exec("DELETE FROM calls"),
    );
    await timeIsUp(who.account);
    await runDurableObjectAlarm(env.ACCOUNT_METER.getByName(who.account));
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "no_final_event" });
  });

  it("a call without a final event is looked up again a limited number of times if the carrier does not answer", async () => {
    const { who, call_id, store, silent } = await unended();
    const broken = { ...env, SANDBOX_CARRIER: undefined } as unknown as Env;
    const limit = Date.now() + Number(env.CALL_MAX_DURATION_S) * 1_000;
    const [again] = await reconcileCalls({ env: broken, store, clock: () => limit }, silent);
    expect(again?.lookAt).toBeGreaterThan(limit);
    expect((await getCall(who.server, call_id)).status).toBe("in-progress");
    expect(await reconcileCalls({ env: broken, store, clock: () => limit + 600_000 }, silent)).toEqual([
      { callId: call_id, lookAt: null, onRecord: true, uncounted: false },
    ]);
    expect(await getCall(who.server, call_id)).toMatchObject({ end_reason: "no_final_event" });
  });

  it("a call without a final event is first looked up within 75 seconds", async () => {
    const { account } = await caller();
    const meter = env.ACCOUNT_METER.getByName(account);
    const call_id = crypto.randomUUID();
    const armed = () => runInDurableObject(meter, (_, state) => state.storage.getAlarm());
    await meter.lease(call_id, RING_MS);
    expect(await armed()).toBeLessThanOrEqual(Date.now() + RING_MS + 15_000);
    await meter.answered(call_id);
    expect(await armed()).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  it("calls without a final event are still looked up after a restart", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    await settled(who.server, call_id, ({ status }) => status === "in-progress");
    const meter = env.ACCOUNT_METER.getByName(who.account);
    await runInDurableObject(meter, async (_, state) => {
      await state.storage.deleteAlarm();
    });
    await evict(meter);
    await evict(env.ACCOUNT_GATE.getByName(who.account));
    await settled(who.server, call_id, ({ status }) => status === "completed");
    expect(await running(who.server)).toBe(0);
  });
});

describe("a carrier that is unavailable", () => {
  it("hanging up many calls waits only once for a carrier that is down", async () => {
    const { account, server } = await tenant();
    const requests: (string | undefined)[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
      requests.push(init?.method);
      throw new TypeError("connection lost");
    });
    const order = { provider: "plivo", credentials: { auth_id: "MA1", auth_token: "a-token" } };
    const { body: credentials } = await server.post<{ id: string }>("/api/v1/telephony/providers", order);
    const silent = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const call = { provider: "plivo", credentials_id: credentials.id, provider_call_id: `p-${n}` };
        return {
          callId: await putCall(account, Object.assign({ status: "in-progress" } as const, call)),
          hangUp: true,
        };
      }),
    );
    requests.length = 0;
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const looked = await reconcileCalls({ env, store, clock: Date.now }, silent);
    expect(looked.map(({ lookAt, onRecord }) => [lookAt !== null, onRecord])).toEqual(silent.map(() => [true, true]));
    // Six requests are in flight at once. When the sixth has failed, five more may have been sent.
    for (const kind of ["GET", "DELETE"]) expect(requests.filter((method) => method === kind).length).toBeLessThan(12);
  });
});
