import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { operator, tenant } from "../../support/client.ts";

const PATH = "/api/admin/v1/usage";

/** Stores a day's totals in the form in which the account's ledger sends them. */
async function day(account: string, on: string, calls: number): Promise<void> {
  const columns =
    "answered, talk_ms, conversations, conversation_ms, input_tokens, cached_tokens, output_tokens, speech_chars, carrier_s, tool_runs, cost_micros, cost_incomplete";
  await env.DB.prepare(
    `INSERT INTO account_days (account, day, revision, calls, ${columns}) VALUES (?, ?, 1, ?, 1, 90000, 2, 0, 3, 0, 4, 5, 6, 7, 8, 1)`,
  )
    .bind(account, on, calls)
    .run();
}

describe("usage by account", () => {
  it("operators see usage by account summed over the days of a window", async () => {
    const [who, staff] = [await tenant(), await operator()];
    await day(who.account, "2025-03-01", 5);
    await day(who.account, "2025-03-02", 6);
    await day(who.account, "2025-03-03", 100);
    const { status, body } = await staff.get<{ usage: { account: string }[] }>(`${PATH}?from=2025-03-01&to=2025-03-03`);
    expect([status, body]).toMatchObject([200, { from: "2025-03-01", to: "2025-03-03" }]);
    expect(body.usage.filter(({ account }) => account === who.account)).toEqual([
      {
        account: who.account,
        calls: 11,
        answered: 2,
        conversations: 4,
        minutes: 3,
        input_tokens: 6,
        cached_tokens: 0,
        output_tokens: 8,
        speech_chars: 10,
        carrier_s: 12,
        tool_runs: 14,
        cost: 16,
        cost_incomplete: 2,
      },
    ]);
  });

  it("usage by account is refused for an invalid window or to anyone but operators", async () => {
    const [who, staff] = [await tenant(), await operator()];
    expect((await staff.get(`${PATH}?from=2025-03-03&to=2025-03-01`)).status).toBe(400);
    expect((await who.user.get(PATH)).status).toBe(403);
    expect((await who.server.get(PATH)).status).toBe(403);
  });
});
