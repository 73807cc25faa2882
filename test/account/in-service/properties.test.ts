import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type InServiceFacts, inService } from "../../../src/account/in-service/decide.ts";
import { isSwitchedOn } from "../../../src/account/visitors/policy.ts";
import { agentObstacle } from "../../../src/phone/calls/call-obstacles.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 500 };

const obstacle = fc.constantFrom(
  null,
  { reason: "no_runtime" as const, message: "No runtime." },
  { reason: "no_model" as const, message: "No model." },
);
const line = fc.record({
  isPinned: fc.boolean(),
  inbound_enabled: fc.boolean(),
  outbound_enabled: fc.boolean(),
  obstacle,
});
const facts: fc.Arbitrary<InServiceFacts> = fc.record({
  agent: fc.record({
    status: fc.constantFrom("draft" as const, "active" as const, "archived" as const),
    versioning: fc.constantFrom("auto" as const, "manual" as const),
    published_version: fc.constantFrom(null, 3),
    auth_mode: fc.constantFrom("public" as const, "authenticated" as const),
  }),
  lines: fc.array(line, { maxLength: 3 }),
  policy: fc.record({
    auth_mode: fc.constantFrom("public" as const, "authenticated" as const, "both" as const),
    widget_enabled: fc.boolean(),
  }),
  keys: fc.nat(2),
});
const holds = (predicate: (facts: InServiceFacts) => void) => fc.assert(fc.property(facts, predicate), property);

describe("the service state of an agent", () => {
  it("has a reason and a message exactly if the agent is not ready", () => {
    holds((all) => {
      for (const { ready, reason, message } of Object.values(inService(all))) {
        expect([reason === null, message === null]).toEqual([ready, ready]);
      }
    });
  });

  it("an agent is in service on the phone exactly if a call to one of its numbers would connect", () => {
    holds((all) => {
      const agent = Object.assign({ id: "x" }, all.agent);
      const admits = agentObstacle({ accountStatus: "open", direction: "inbound", agent }) === null;
      const rings = all.lines.some((one) => one.isPinned && one.inbound_enabled && one.obstacle === null);
      expect(inService(all).phone.ready).toBe(admits && rings);
    });
  });

  it("an agent is in service in campaigns exactly if a call from the account would be placed", () => {
    holds((all) => {
      const agent = Object.assign({ id: "x" }, all.agent);
      const admits = agentObstacle({ accountStatus: "open", direction: "outbound", agent }) === null;
      const dials = all.lines.some((one) => one.outbound_enabled && one.obstacle === null);
      expect(inService(all).campaigns.ready).toBe(admits && dials);
    });
  });

  it("an agent is in service in the widget exactly if a guest would be admitted", () => {
    holds((all) => {
      const { agent, policy, keys } = all;
      const isOn = isSwitchedOn({
        policy,
        agent: Object.assign(
          {
            id: "x",
            name: "",
            greeting_message: "",
            timezone: null,
            language: "en-US",
            disclosure: "account" as const,
          },
          agent,
        ),
      });
      const admitsGuests = policy.auth_mode !== "authenticated" && agent.auth_mode === "public";
      expect(inService(all).widget.ready).toBe(isOn && keys > 0 && admitsGuests);
    });
  });
});
