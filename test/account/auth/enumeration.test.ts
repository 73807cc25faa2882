import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, operator, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { person } from "../../support/person.ts";

const WRONG = "incorrect horse";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates an account with a user, and returns the names about which a stranger may ask. */
async function names() {
  const { account, user } = await tenant();
  const existing = await person(account);
  const disabled = await person((await tenant()).account);
  await (await operator()).patch(`/api/admin/v1/accounts/${disabled.account}`, { disabled: true });
  await user.post("/api/v1/invitations", { email: "invited@people.example", role: "viewer" });
  const insert = "INSERT INTO users (account, id, email, password_hash, source, created_at) VALUES (?, ?, ?, '', ?, ?)";
  for (const source of ["password", "oidc"])
    await env.DB.prepare(insert)
      .bind(account, crypto.randomUUID(), `${source}@people.example`, source, new Date().toISOString())
      .run();
  return {
    known: { account, email: existing.email },
    unknown: { account, email: "nobody@people.example" },
    invited: { account, email: "invited@people.example" },
    "without a password": { account, email: "password@people.example" },
    "who signs in at a provider": { account, email: "oidc@people.example" },
    "of a disabled account": { account: disabled.account, email: disabled.email },
  };
}

describe("a failed sign-in reveals nothing about the user", () => {
  it("responds alike for known and unknown users, also when they have to wait", async () => {
    const answers = new Map<string, string>();
    const address = "198.51.100.20";
    for (const [who, name] of Object.entries(await names())) {
      const seen = [];
      for (let i = 0; i < 5; i++) {
        const headers = { "content-type": "application/json", "cf-connecting-ip": address };
        const body = JSON.stringify(Object.assign({ password: WRONG }, name));
        const request = new Request(`${BASE}/api/login`, { method: "POST", headers, body });
        const response = await app.fetch(
          request,
          Object.assign({}, env, { RATE_LIMITS: "on" }),
          createExecutionContext(),
        );
        const kept = [...response.headers].filter(([header]) => header !== "x-request-id");
        seen.push([response.status, await response.text(), kept.sort()]);
      }
      answers.set(who, JSON.stringify(seen));
    }
    expect(new Set(answers.values()).size).toBe(1);
    expect([...answers.values()][0]).toContain("429");
  });

  it("takes the same work: one key derivation and as many round trips", async () => {
    const work = [];
    for (const name of Object.values(await names())) {
      const body = Object.assign({ password: WRONG }, name);
      // This first request caches the account's existence in the isolate.
      await countRoundTrips("/api/login", {}, { method: "POST", body });
      const derive = vi.spyOn(crypto.subtle, "deriveBits");
      const { status, d1, objects } = await countRoundTrips("/api/login", {}, { method: "POST", body });
      work.push({ status, d1, objects, derived: derive.mock.calls.length });
      derive.mockRestore();
    }
    expect(work).toEqual(work.map(() => ({ status: 401, d1: 2, objects: 1, derived: 1 })));
  });
});
