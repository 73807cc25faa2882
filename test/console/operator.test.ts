import { describe, expect, it } from "vitest";
import { weaknessOf } from "../../src/account/auth/password-rule.ts";
import { suggestedPassword } from "../../src/browser/console/screens/operator/password.ts";
import { changesOf } from "../../src/browser/console/ui/changes.ts";

describe("a suggested password", () => {
  it("a suggested password is different each time, and accepted by the service", () => {
    const suggested = Array.from({ length: 500 }, suggestedPassword);
    expect(new Set(suggested).size).toBe(suggested.length);
    const owner = { account: "acme", email: "ada@acme.example" };
    for (const password of suggested) {
      expect(password).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/);
      expect(weaknessOf(password, owner), password).toBeNull();
    }
  });
});

describe("the changes of a form", () => {
  it("the changes of a form are exactly the fields that were changed, added or removed", () => {
    const before: Record<string, number | null> = { agents: 5, tools: null, faqs: 7 };
    expect(changesOf(before, { ...before })).toEqual({});
    expect(changesOf(before, { agents: null, tools: 0, faqs: 7 })).toEqual({ agents: null, tools: 0 });
  });
});
