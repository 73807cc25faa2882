import fc from "fast-check";
import { expect, it } from "vitest";
import { callerViewOf, UNLIMITED_CALLER_VIEW } from "../../../src/kernel/caller-view.ts";
import { mayGrant, missingScope, ROLES, SCOPES, scopesOf, withImplied } from "../../../src/kernel/scopes.ts";

const scopes = fc.subarray([...SCOPES]);

it("every scope but runtime implies read, and no scope implies another", () => {
  fc.assert(
    fc.property(scopes, (named) => {
      const held = withImplied(named);
      expect(held.includes("read")).toBe(named.some((scope) => scope !== "runtime"));
      expect(held.filter((scope) => scope !== "read")).toEqual(named.filter((scope) => scope !== "read"));
      expect(withImplied(held)).toEqual(held);
    }),
  );
});

it("a scope is missing exactly if not all required scopes are held", () => {
  fc.assert(
    fc.property(scopes, scopes, (required, held) => {
      const missing = missingScope(required, held);
      expect(missing === null).toBe(required.every((scope) => held.includes(scope)));
      if (missing !== null) expect([required.includes(missing), held.includes(missing)]).toEqual([true, false]);
    }),
  );
});

it("a member grants only roles up to their own, and only owners create owners", () => {
  for (const own of ROLES) {
    for (const other of ROLES) {
      const exceeds = scopesOf(other).some((scope) => !scopesOf(own).includes(scope));
      expect([own, other, mayGrant(own, other)]).toEqual([own, other, other === "owner" ? own === "owner" : !exceeds]);
    }
  }
});

it("each authority with limits has its own caller view, and all unlimited ones share one", () => {
  const ids = fc.option(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 3 }));
  const nets = fc.option(fc.uniqueArray(fc.ipV4(), { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(scopes, ids, nets, scopes, ids, nets, (a, aIds, aNets, b, bIds, bNets) => {
      const [one, other] = [
        { role: null, scopes: a, agentIds: aIds },
        { role: null, scopes: b, agentIds: bIds },
      ];
      const alike = JSON.stringify([one, aNets]) === JSON.stringify([other, bNets]);
      expect(callerViewOf(one, aNets) === callerViewOf(other, bNets)).toBe(alike);
    }),
  );
  const everything = [...SCOPES];
  expect(callerViewOf({ role: "owner", scopes: everything, agentIds: null }, null)).toBe(UNLIMITED_CALLER_VIEW);
  expect(callerViewOf({ role: null, scopes: everything, agentIds: null }, null)).toBe(UNLIMITED_CALLER_VIEW);
});
