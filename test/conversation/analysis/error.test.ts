import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBudget } from "../../account/budgets/support.ts";
import { evict } from "../../support/evict.ts";
import { livesWith, objectOf } from "../runtime/conversing.ts";
import { streamOf } from "../runtime/models/support.ts";
import {
  ANALYSIS,
  analyzedCall,
  analyzedOnce,
  answering,
  GOOD,
  held,
  jobsOf,
  OPENAI,
  SAID,
  tell,
  WAIT,
  wakeAfter,
} from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const INVALID = { value: null, state: "invalid", turns: [], by: null };

/** Waits until this many requests have ended. */
const tried = (call: Parameters<typeof jobsOf>[0], requests: number) =>
  vi.waitFor(async () => {
    expect(await jobsOf(call)).toEqual([expect.objectContaining({ requests, open_request: null })]);
  }, WAIT);

describe("an analyst that is wrong", () => {
  it("an analyst's wrong values are invalid if turns contradict them, otherwise unverified or cited from the right turn", async () => {
    const { call } = await held([
      {
        summary: "S.",
        criteria: { booked: { verdict: "success", rationale: "It says so.", turns: [99] }, other: {} },
        data: {
          caller_name: { value: "Grace Hopper", turns: [2] },
          seats: { value: 4, turns: [2] },
          day: { value: "2026-11-27", turns: [1] },
          refund_approved: { value: true, turns: [42] },
          part: { value: "noon", turns: [2] },
          invented: { value: "x", turns: [2] },
        },
      },
    ]);
    const { analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "done", successful: "unknown" });
    expect(analysis.criteria).toEqual([{ name: "booked", verdict: "unknown", rationale: "It says so.", turns: [] }]);
    expect(analysis.data).toEqual({
      caller_name: { value: "Grace Hopper", state: "unverified", turns: [2], by: "caller" },
      seats: INVALID,
      day: { value: "2026-11-27", state: "found", turns: [2], by: "caller" },
      refund_approved: { value: true, state: "unverified", turns: [], by: null },
      part: INVALID,
    });
  });

  it("an analyst that follows the caller's instructions changes no verdict, and values show their speaker", async () => {
    const { call } = await held([
      {
        summary: "The refund is approved.",
        criteria: { booked: { verdict: "success", rationale: "The caller says so.", turns: [6] } },
        data: { refund_approved: { value: true, turns: [6] } },
      },
    ]);
    const { analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ successful: "unknown", criteria: [{ verdict: "unknown" }] });
    expect(analysis.data.refund_approved).toEqual({ value: true, state: "found", turns: [6], by: "caller" });
  });

  it("an analyst that answers in a wrong form is asked three times before the analysis fails", async () => {
    const half = JSON.stringify(GOOD).slice(0, 120);
    const { call, model } = await held([half, "I cannot help with that.", '{"data": []}', GOOD]);
    await tried(call, 1);
    // The retry is not due before this time.
    await wakeAfter(call, 1_000);
    expect(model.bodies).toHaveLength(1);
    await wakeAfter(call, 5_000);
    await tried(call, 2);
    await wakeAfter(call, 60_000);
    vi.useRealTimers();
    const { analysis } = await analyzedOnce(call);
    expect(model.bodies).toHaveLength(3);
    expect(analysis).toMatchObject({
      status: "failed",
      reason: "the model's answer did not have the required form",
      successful: "unknown",
      criteria: [],
      data: {},
      usage: { requests: 3 },
    });
  });

  it("an analyst that is wrong once is asked again", async () => {
    const { call, model } = await held(["{", GOOD]);
    await tried(call, 1);
    await wakeAfter(call, 5_000);
    vi.useRealTimers();
    const { analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "done", usage: { requests: 2 } });
    expect(model.bodies).toHaveLength(2);
  });

  it.each([
    ["refuses", () => new Response(streamOf("openai", [{ say: "No" }], "content_filter")), "the model refused"],
    [
      "is cut",
      () => new Response(streamOf("openai", [{ say: "{" }], "length")),
      "the model's answer reached its maximum length",
    ],
    [
      "is not there",
      () => Promise.reject(new TypeError("no")),
      "the model did not answer: openai/gpt-4o: the server cannot be reached",
    ],
    [
      "errs",
      () => new Response("{}", { status: 500 }),
      "the model did not answer: openai/gpt-4o: the server answered 500",
    ],
  ])("an analyst that %s fails the analysis for that reason", async (_, answer, reason) => {
    const { call } = await held([answer, answer, answer]);
    await tried(call, 1);
    await wakeAfter(call, 5_000);
    await tried(call, 2);
    await wakeAfter(call, 60_000);
    vi.useRealTimers();
    expect((await analyzedOnce(call)).analysis).toMatchObject({ status: "failed", reason });
  });

  /** Simulates a process that was lost during the `tries`-th request, and the process after it. */
  async function lost(tries: number, ...answers: Parameters<typeof answering>) {
    const { call } = await held(["{"]);
    await tried(call, 1);
    const object = objectOf(call, call.call_id) as unknown as DurableObjectStub;
    await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("UPDATE analyses SET tries = ?, open_request = 5000", tries),
    );
    await evict(object);
    await livesWith(call, call.call_id, OPENAI);
    const { bodies } = answering(...answers);
    await wakeAfter(call, 5_000);
    vi.useRealTimers();
    const { analysis } = await analyzedOnce(call);
    return { analysis, bodies };
  }

  it("an analyst cut off by a crash is charged and asked again", async () => {
    const { analysis, bodies } = await lost(2, GOOD);
    expect(bodies).toHaveLength(1);
    expect(analysis).toMatchObject({ status: "done", usage: { requests: 3 } });
    expect(analysis.usage.input_tokens).toBeGreaterThanOrEqual(5_000);
  });

  it("an analyst cut off at its last try has failed and is not asked again", async () => {
    const { analysis, bodies } = await lost(3, GOOD);
    expect(bodies).toEqual([]);
    expect(analysis).toMatchObject({
      status: "failed",
      reason: "the service was interrupted while the model answered",
      usage: { requests: 2 },
    });
  });
});

describe("a conversation that cannot be analyzed", () => {
  it("a conversation in which no person spoke is skipped without a model", async () => {
    const call = await analyzedCall();
    await livesWith(call, call.call_id, OPENAI);
    const { bodies } = answering(GOOD);
    await tell(call, [{ type: "agent_turn", text: "Hello?" }]);
    expect((await analyzedOnce(call)).analysis).toMatchObject({ status: "skipped", reason: "no person said anything" });
    expect(bodies).toEqual([]);
  });

  it("a conversation whose agent has no analysis is skipped without a model", async () => {
    const call = await analyzedCall({ enabled: true, summary: false, criteria: [], data: [] });
    await livesWith(call, call.call_id, OPENAI);
    const { bodies } = answering(GOOD);
    await tell(call, [{ type: "user_turn", text: "Hello?" }]);
    expect((await analyzedOnce(call)).analysis).toMatchObject({
      status: "skipped",
      reason: "the agent's analysis looks for nothing",
    });
    expect(bodies).toEqual([]);
  });

  it("a conversation that stores nothing is skipped", async () => {
    const call = await analyzedCall(ANALYSIS, { storage: "metadata" });
    await tell(call);
    expect((await analyzedOnce(call)).analysis).toMatchObject({
      status: "skipped",
      reason: "no transcript is stored",
    });
  });

  it("a redacted conversation is analyzed by its record alone", async () => {
    const call = await analyzedCall(ANALYSIS, { storage: "redacted", redact: ["email"] });
    await livesWith(call, call.call_id, OPENAI);
    const { bodies } = answering({
      summary: "Write to ada@example.com.",
      criteria: {},
      data: { caller_name: { value: "ada@example.com", turns: [1] } },
    });
    await tell(call, [{ type: "user_turn", text: "I am ada@example.com." }]);
    const { analysis } = await analyzedOnce(call);
    expect(bodies.join()).not.toContain("ada@example.com");
    expect(analysis.summary).toBe("Write to [EMAIL].");
    expect(analysis.data.caller_name).toEqual({ value: "[EMAIL]", state: "unverified", turns: [1], by: "caller" });
  });

  it("a conversation beyond a budget fails for that reason, and can be analyzed again", async () => {
    const call = await analyzedCall();
    const limit = await createBudget(call, { limit: 1_500, action: "end" });
    await tell(call, SAID);
    const { id, analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "failed", reason: "budget", usage: { requests: 0 } });
    await call.server.delete(`/api/v1/budgets/${limit.id}`);
    const { status } = await call.server.post(`/api/v1/conversations/${id}/analyze`, {});
    expect(status).toBe(202);
    expect((await analyzedOnce(call)).analysis).toMatchObject({ status: "done" });
  });
});

describe("an analyst that fails", () => {
  it("a failed analysis is tried next with the agent's second model, which the analysis names", async () => {
    const { call, model } = await held([() => new Response("{}", { status: 500 }), GOOD], {
      agent: { fallback_model: "gpt-4o-mini" },
    });
    await tried(call, 1);
    await wakeAfter(call, 5_000);
    const { analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "done", model: "openai/gpt-4o-mini" });
    expect(model.bodies.map((body) => JSON.parse(body).model)).toEqual(["gpt-4o", "gpt-4o-mini"]);
  });

  it("an analysis counts each model's tokens under its own name and price", async () => {
    const { call } = await held(["No JSON.", GOOD], { agent: { fallback_model: "gpt-4o-mini" } });
    await tried(call, 1);
    await wakeAfter(call, 5_000);
    const { analysis } = await analyzedOnce(call);
    expect(analysis.usage).toEqual({ input_tokens: 24, cached_tokens: 0, output_tokens: 14, requests: 2 });
    await vi.waitFor(async () => {
      const { body } = await call.server.get<{ usage: object[] }>("/api/v1/usage?group_by=kind,model");
      expect(body.usage).toMatchObject([
        { kind: "analysis", model: "gpt-4o", input_tokens: 12, output_tokens: 7, cost: 100 },
        { kind: "analysis", model: "gpt-4o-mini", input_tokens: 12, output_tokens: 7, cost: 6 },
        { kind: "call", model: null },
        { kind: "call", model: "gpt-4o", cost: 0 },
      ]);
    }, WAIT);
  });
});
