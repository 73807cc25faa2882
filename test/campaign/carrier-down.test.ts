import { describe, expect, it } from "vitest";
import type { DispatchDependencies } from "../../src/campaign/dial/dispatch-dependencies.ts";
import { Dispatcher } from "../../src/campaign/dial/dispatcher.ts";
import { operate } from "../../src/campaign/store/campaign-transitions.ts";
import { shortCircuited } from "../../src/phone/calls/look-up-calls.ts";
import { type CallRef, type Carrier, CarrierUncertain } from "../../src/phone/carriers/carrier.ts";
import { CALM, draft, inObject, World } from "./world/virtual-world.ts";

const CALLS = 25;
/** The sixth failure is detected while five other requests are in flight. */
const MOST_REQUESTS = 6 + 5;
const REF: CallRef = {
  account: "a",
  call_id: "call",
  provider_call_id: null,
  from_number: "+12025550100",
  to_number: "+13035550110",
  placed_at: 0,
  connected: false,
};

/** Creates a carrier that never answers these requests, and counts the attempts to connect to it. */
function down(base: Carrier, unanswered: ("lookup" | "hangup" | "leaveMessage")[]) {
  const tried: string[] = [];
  const carrier: Carrier = Object.assign({}, base);
  for (const request of unanswered)
    carrier[request] = async () => {
      tried.push(request);
      throw new CarrierUncertain("time-out");
    };
  return { carrier, tried };
}

/** Runs a test with a campaign whose carrier goes down during its calls. */
async function withCarrierDown<T>(
  work: (world: {
    dispatcher: Dispatcher;
    deps: DispatchDependencies;
    hangUpAll: () => void;
    silenceAll: () => void;
    tried: string[];
    connects: () => number;
  }) => Promise<T>,
): Promise<T> {
  return inObject(async (storage) => {
    const world = new World({ ...CALM, contacts: CALLS, behaviors: ["endless"] });
    const store = draft({ ...CALM, contacts: CALLS }, world, storage);
    operate(store, "start", { actor: "test", request_id: "test" }, world.now);
    const deps = world.live(store);
    const dispatcher = new Dispatcher(store, deps);
    while (store.attempts.openCount() < CALLS || (await world.answered())) await dispatcher.round();
    const [first] = store.attempts.open();
    if (!first) throw new Error("nothing was dialed");
    const { carrier, tried } = down(await deps.carrierOf(first), ["lookup", "hangup", "leaveMessage"]);
    let connected = 0;
    deps.carrierOf = async () => {
      connected++;
      return carrier;
    };
    const updateAll = (set: { hangup: 1; hangup_at: number } | { deadline: number }) => {
      for (const { call_id } of store.attempts.open()) store.attempts.update(call_id, set);
    };
    return work({
      dispatcher,
      deps,
      hangUpAll: () => updateAll({ hangup: 1, hangup_at: world.now }),
      silenceAll: () => updateAll({ deadline: world.now }),
      tried,
      connects: () => connected,
    });
  });
}

describe("a campaign whose carrier is down", () => {
  it("connects to it once per round, not once per call to hang up", async () => {
    await withCarrierDown(async ({ dispatcher, hangUpAll, tried, connects }) => {
      hangUpAll();
      expect(await dispatcher.calls.round(new Set())).toBe(CALLS);
      expect(connects()).toBe(1);
      expect(tried.length).toBeLessThanOrEqual(MOST_REQUESTS);
    });
  });

  it("asks it only once if there are calls to reconcile and calls to hang up", async () => {
    await withCarrierDown(async ({ dispatcher, hangUpAll, silenceAll, tried, connects }) => {
      hangUpAll();
      silenceAll();
      await dispatcher.round();
      expect(connects()).toBe(1);
      expect(tried.length).toBeLessThanOrEqual(MOST_REQUESTS);
    });
  });

  it("tries all calls again in the next round", async () => {
    await withCarrierDown(async ({ dispatcher, hangUpAll, tried, connects }) => {
      hangUpAll();
      await dispatcher.calls.round(new Set());
      hangUpAll();
      expect(await dispatcher.calls.round(new Set())).toBe(CALLS);
      expect(connects()).toBe(2);
      expect(tried.length).toBeGreaterThan(MOST_REQUESTS);
      expect(tried.length).toBeLessThanOrEqual(2 * MOST_REQUESTS);
    });
  });

  it("connects to it once if all calls are ended together", async () => {
    await withCarrierDown(async ({ dispatcher, tried, connects }) => {
      expect(await dispatcher.calls.endAll()).toBe(CALLS);
      expect(connects()).toBe(1);
      expect(tried.length).toBeLessThanOrEqual(MOST_REQUESTS);
    });
  });
});

describe("a short-circuited carrier", () => {
  it("refuses only the kind of request that is left unanswered while others are answered", async () => {
    const base = { lookup: async () => null } as Partial<Carrier> as Carrier;
    const { carrier, tried } = down(base, ["hangup"]);
    const guarded = shortCircuited(carrier);
    for (let n = 0; n < 10; n++) {
      await expect(guarded.hangup(REF)).rejects.toThrow();
      expect(await guarded.lookup(REF)).toBeNull();
    }
    expect(tried).toEqual(Array(6).fill("hangup"));
  });
});
