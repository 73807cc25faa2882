import { describe, expect, it } from "vitest";
import { readyText } from "../../agent/knowledge/support.ts";
import { begin, GOODBYE, GREETING, over, ran, SLOTS, tested, withTest } from "./support.ts";

describe("test runs", () => {
  it("a test run holds each test's conversation with the agent and reports the result", async () => {
    const who = await tested();
    const slots = await withTest(who, SLOTS);
    const goodbye = await withTest(who, GOODBYE);
    const begun = await begin(who);
    expect(begun.status).toBe(202);
    expect(begun.body).toMatchObject({ agent_id: who.agent_id, status: "running", conversations: 2, reason: null });
    const run = await over(who.server, begun.body.id);
    expect(run).toMatchObject({ status: "completed", done: 2, passed: 2, failed: 0, model_failed: 0 });
    expect(run.tests).toEqual(
      [slots, goodbye].map((test_id) => ({
        test_id,
        state: "passed",
        counts: { passed: 1, failed: 0, model_failed: 0 },
      })),
    );
    const [first, second] = run.results;
    expect(first).toMatchObject({
      test_id: slots,
      name: "Finds slots",
      repeat: 1,
      failures: [],
      state: "passed",
      error: null,
    });
    expect(second).toMatchObject({ test_id: goodbye, state: "passed" });
    expect(first?.transcript.map(({ role }) => role)).toEqual([
      "agent",
      "user",
      "agent",
      "tool",
      "agent",
      "user",
      "agent",
      "tool",
      "tool",
    ]);
    expect(first?.transcript[0]?.text).toBe(GREETING);
    expect(first?.transcript[3]).toEqual({
      role: "tool",
      text: '{"slot":"at ten"}',
      tool: { name: "check_slots", arguments: { day: "2026-11-27" }, ok: true, answered_by: "mock" },
      sources: [],
    });
    expect(first?.usage.input_tokens).toBeGreaterThan(0);
  });

  it("a test run lists the passages that an answer is based on, and checks their documents", async () => {
    const who = await tested();
    const [prices, hours] = [
      await readyText(who.server, "Prices", "# Repairs\n\nA new chain costs 35 euros."),
      await readyText(who.server, "Hours", "We are open from 9 to 5."),
    ];
    for (const { id } of [prices, hours])
      await who.server.post(`${who.path}/knowledge`, { document_id: id, mode: "search" });
    const expectations = [prices, hours].map(({ id }) => ({ cited: { document_id: id } }));
    await withTest(who, { name: "Chain", steps: [{ says: "What does a new chain cost?" }], expect: expectations });
    const { results } = await ran(who);
    expect(results[0]?.failures).toEqual([{ expectation: expectations[1], turn: null }]);
    const answer = results[0]?.transcript.find(({ text }) => text.includes("35 euros") && text !== GREETING);
    const turns = results[0]?.transcript.filter(({ role }) => role === "agent") ?? [];
    expect(answer).toBeDefined();
    expect(turns.at(-1)?.sources).toEqual([{ document_id: prices.id, chunk: 0, heading: "Repairs" }]);
  });

  it("a repeated test run yields the same bytes", async () => {
    const who = await tested({ greeting_message: "Good morning!", system_prompt: "It is {{date}} at {{time}}." });
    await withTest(who, { ...SLOTS, variables: { date: "2026-11-21", time: "09:00" } });
    await withTest(who, { name: "no mock", steps: [{ says: "Please check slots on 2026-11-27" }] });
    const first = await ran(who, { repeat: 2 });
    const second = await ran(who, { repeat: 2 });
    expect(JSON.stringify(second.results)).toBe(JSON.stringify(first.results));
    expect(first.results).toHaveLength(4);
    expect(second).toMatchObject({ hash: first.hash, version: first.version });
  });
});
