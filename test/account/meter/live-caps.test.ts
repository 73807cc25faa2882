import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayAdmit, usageBy } from "../../../src/account/meter/live-caps.ts";
import type { LiveLease, VisitorHolder } from "../../../src/account/meter/live-lease.ts";
import { guestNetwork, network } from "../../../src/kernel/http/rate-limits.ts";

/** Only a few of each are generated, so that they collide. */
const visitors = fc.record({
  visitor_id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  visitor_type: fc.constantFrom("guest" as const, "user" as const),
  address: fc.constantFrom(null, "192.0.2.1", "192.0.2.2", "2001:db8:0:100::/64", "2001:db8:0:1ff::/64"),
});
const caps = fc.record({
  conversations: fc.nat(30),
  visitor: fc.integer({ min: 1, max: 3 }),
  address: fc.constantFrom(null, 4, 8),
});

let leases = 0;
function leaseOf(visitor: Pick<VisitorHolder, "visitor_id" | "visitor_type" | "address">): LiveLease & {
  holder: VisitorHolder;
} {
  const holder = Object.assign(
    { type: "visitor", widget_key_id: "k", family: "f", origin: null, made_by: null } as const,
    visitor,
  );
  const id = `${++leases}`;
  return {
    id,
    kind: "widget",
    object: { type: "conversation", id },
    agent_id: "a",
    campaign_id: null,
    api_key_id: null,
    holder,
  };
}

describe("caps of live conversations", () => {
  it("hold for requests in any order, and refuse none unnecessarily", () => {
    fc.assert(
      fc.property(caps, fc.array(visitors, { maxLength: 80, size: "max" }), (most, asking) => {
        const live: (LiveLease & { holder: VisitorHolder })[] = [];
        const count = (of: (holder: VisitorHolder) => boolean) => live.filter(({ holder }) => of(holder)).length;
        const part = (share: number) => Math.max(1, Math.floor(most.conversations / share));
        for (const visitor of asking) {
          const lease = leaseOf(visitor);
          const { address, visitor_id, visitor_type } = visitor;
          const full =
            live.length >= most.conversations ||
            count((one) => one.visitor_id === visitor_id && one.visitor_type === visitor_type) >= most.visitor ||
            (most.address !== null && address !== null && count((one) => one.address === address) >= most.address);
          const guestsFull = visitor_type === "guest" && count((one) => one.visitor_type === "guest") >= part(2);
          const near = (one: VisitorHolder) =>
            one.visitor_type === "guest" &&
            one.address !== null &&
            guestNetwork(one.address) === guestNetwork(address ?? "");
          const networkFull =
            visitor_type === "guest" && most.address !== null && address !== null && count(near) >= part(5);
          const admitted = mayAdmit(most, usageBy(lease.holder, live), lease.holder);
          expect(admitted).toBe(!(full || guestsFull || networkFull));
          if (admitted) live.push(lease);
        }
      }),
    );
  });

  it("reserve half for users, and a share for other guests, however many guests there are", () => {
    const most = { conversations: 50, visitor: 2, address: 20 };
    const live: LiveLease[] = [];
    const admit = (visitor_type: "guest" | "user", address: string) => {
      const lease = leaseOf({ visitor_id: crypto.randomUUID(), visitor_type, address });
      const admitted = mayAdmit(most, usageBy(lease.holder, live), lease.holder);
      if (admitted) live.push(lease);
      return admitted;
    };
    const flood = Array.from({ length: 60 }, () => admit("guest", "192.0.2.1"));
    expect(flood.filter(Boolean)).toHaveLength(10);
    expect(admit("guest", "192.0.2.2")).toBe(true);
    for (let n = 0; n < 60; n++) admit("guest", `198.51.100.${n}`);
    expect(live).toHaveLength(25);
    expect(admit("user", "192.0.2.1")).toBe(true);
  });

  it("do not count leases of others than visitors", () => {
    const { holder } = leaseOf({ visitor_id: "a", visitor_type: "user", address: null });
    const call: LiveLease = Object.assign(leaseOf(holder), {
      kind: "call" as const,
      holder: { type: "call" as const },
    });
    expect(usageBy(holder, [call])).toMatchObject({ conversations: 0, ofVisitor: 0 });
  });
});

describe("the network of guests", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:1ff:1:2:3:4", "2001:db8:0:100::/56"],
    ["2001:db8:0:1ff::/64", "2001:db8:0:100::/56"],
    ["2001:db8::1", "2001:db8:0:0::/56"],
    ["unknown", "unknown"],
  ])("the guests' network of %s is %s", (address, expected) => {
    expect(guestNetwork(address)).toBe(expected);
    expect(guestNetwork(network(address))).toBe(expected);
  });
});
