import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { searchIn } from "../../../../src/conversation/runtime/built-in/search-knowledge.ts";
import { accountStore } from "../../../../src/kernel/durable/account-stores.ts";
import { tooMany } from "../../../../src/kernel/http/errors.ts";
import { tenant } from "../../../support/client.ts";

/** Returns what the model gets if a search throws this error, and what is reported. */
async function searchThatThrows(error: Error) {
  const { account } = await tenant();
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const reported: unknown[] = [];
  const context = { env, accountStore: store, report: (one: unknown) => void reported.push(one), now: () => 0 };
  const outcome = await searchIn(context, "hours", () => Promise.reject(error));
  return { outcome, reported };
}

describe("a search in a conversation", () => {
  it("tells the model that it is busy", async () => {
    const { outcome, reported } = await searchThatThrows(tooMany("busy", "too many searches wait", 1_000));
    expect([outcome, reported]).toEqual([
      { ok: false, result: expect.stringContaining("too many searches are in progress") },
      [],
    ]);
  });

  it("tells the model that it failed, and reports why", async () => {
    const error = new Error("no such table: secret");
    const { outcome, reported } = await searchThatThrows(error);
    expect(outcome).toEqual({ ok: false, result: expect.stringContaining("the search failed") });
    expect(JSON.stringify(outcome)).not.toContain("secret");
    expect(reported).toEqual([error]);
  });
});
