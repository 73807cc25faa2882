import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsIn } from "../../../src/account/auth/console-provider.ts";

describe("the accounts claim", () => {
  it.each([
    ["accounts", { accounts: ["acme", "globex"] }, ["acme", "globex"]],
    ["accounts", { accounts: "acme" }, ["acme"]],
    ["https://switchboard.example/accounts", { "https://switchboard.example/accounts": ["acme"] }, ["acme"]],
    ["realm_access.accounts", { realm_access: { accounts: ["acme"] } }, ["acme"]],
    ["a.b", { "a.b": "literal", a: { b: "nested" } }, ["literal"]],
    ["accounts", {}, []],
    ["accounts", { accounts: null }, []],
    ["accounts", { accounts: 7 }, []],
    ["accounts", { accounts: ["acme", 7] }, []],
    ["accounts", { accounts: { acme: true } }, []],
    ["a.b.c", { a: "text" }, []],
  ])("the accounts claim %s of %j opens %j", (claim, payload, expected) => {
    expect(accountsIn(payload, claim)).toEqual(expected);
  });

  it("the accounts claim is read from the token alone, whatever it is called", () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (claim, payload) => {
        for (const account of accountsIn(payload, claim))
          expect(JSON.stringify(payload)).toContain(JSON.stringify(account));
      }),
    );
    for (const inherited of ["constructor.name", "toString.name", "__proto__.constructor.name"]) {
      expect(accountsIn({}, inherited)).toEqual([]);
    }
  });
});
