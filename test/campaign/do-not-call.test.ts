import { describe, expect, it } from "vitest";
import { Dispatcher } from "../../src/campaign/dial/dispatcher.ts";
import { operate } from "../../src/campaign/store/campaign-transitions.ts";
import { CALM, draft, inObject, numberOf, World } from "./world/virtual-world.ts";

const author = { actor: "test", request_id: "test" };

describe("numbers added to the do-not-call list during a dispatch round", () => {
  it("aren't dialed, because the list is read right before each request to the carrier", () =>
    inObject(async (storage) => {
      const scenario = { ...CALM, contacts: 18 };
      const world = new World(scenario);
      const store = draft(scenario, world, storage);
      operate(store, "start", author, world.now);
      const dependencies = world.live(store);
      const listed = new Set<string>();
      const dispatcher = new Dispatcher(store, {
        ...dependencies,
        lastLook: async (_, number) => (listed.has(number) ? "do_not_call" : null),
        place: (line, callId, to) => {
          for (let i = 0; i < scenario.contacts; i++) listed.add(numberOf(i));
          return dependencies.place(line, callId, to);
        },
      });
      for (let i = 0; i < 20; i++) {
        await dispatcher.round();
        await dispatcher.settled();
      }
      // Calls in flight together with the first one were checked before the list was written.
      expect(world.carrier.dialled.length).toBeLessThanOrEqual(6);
      expect(store.campaign.counts.failed).toBe(scenario.contacts - world.carrier.dialled.length);
      expect([...world.problems]).toEqual([]);
      expect(world.leases.size).toBe(world.carrier.dialled.length);
    }));
});
