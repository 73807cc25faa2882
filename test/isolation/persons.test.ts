import { describe, expect, it } from "vitest";
import { maskedNumber } from "../../src/kernel/http/content.ts";
import { apiKey, consoleUser, tenant } from "../support/client.ts";

const NUMBER = "+13035550110";
const REASON = "Ada is in hospital";

describe("personal data without listen or dial", () => {
  it.each([
    ["+12025550150", "•••• 0150"],
    ["(303) 555-0110", "•••• 0110"],
    ["sip:alice@example.com", "••••"],
    ["sip:+12025550150@example.com", "••••"],
    ["alice", "••••"],
    ["ada2001@acme.example", "••••"],
    ["customer-4711", "••••"],
    ["anonymous", "anonymous"],
    ["Restricted", "Restricted"],
    ["0199f3c2-7d1e-7a40-8a55-3f0f3b8a1c11", "0199f3c2-7d1e-7a40-8a55-3f0f3b8a1c11"],
    ["[PHONE]", "[PHONE]"],
    ["•••• 0150", "•••• 0150"],
    ["••••", "••••"],
    ["", ""],
  ])("personal data is masked in %s without listen or dial", (identity, shown) => {
    expect(maskedNumber(identity)).toBe(shown);
  });

  it("the do-not-call list and its events hide persons, including the reasons", async () => {
    const owner = await tenant();
    await owner.user.post("/api/v1/do-not-call", { numbers: [NUMBER], reason: REASON });
    const viewer = await consoleUser(owner.account, "viewer");
    const operator = await consoleUser(owner.account, "operator");
    const textOf = async (client: typeof viewer, path: string) => JSON.stringify((await client.get(path)).body);
    expect(await textOf(operator, "/api/v1/do-not-call")).toContain(REASON);
    for (const path of ["/api/v1/do-not-call", "/api/v1/events"]) {
      const text = await textOf(viewer, path);
      expect(text, path).not.toMatch(/hospital|303555/);
    }
  });

  it("conversations cannot be searched by success without listen", async () => {
    const owner = await tenant();
    const path = "/api/v1/conversations?successful=success";
    const clients = [
      await consoleUser(owner.account, "viewer"),
      (await apiKey(owner.user, { scopes: ["dial"] })).server,
    ];
    for (const client of clients) expect((await client.get(path)).code).toBe("missing_scope");
    expect((await (await consoleUser(owner.account, "analyst")).get(path)).status).toBe(200);
  });
});
