import { describe, expect, it } from "vitest";
import { type AttemptDependencies, attempt } from "../../../src/conversation/runtime/analysis/attempt.ts";
import type { JobRow } from "../../../src/conversation/runtime/analysis/job-rows.ts";
import { openCharge } from "../../../src/conversation/runtime/budget/charge.ts";
import type { Model } from "../../../src/conversation/runtime/models/model.ts";
import { type Clock, withTimeouts } from "../../../src/conversation/runtime/models/timeouts.ts";
import { ARCHIVED, endedRow, PLAIN, TURNS } from "../../records/conversations/support.ts";

const NOW = Date.parse("2026-03-04T10:05:00.000Z");

/** Creates a model that never answers, with a clock that times it out at once. */
function silent(): Model {
  const model: Model = {
    name: "silent",
    answer: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
  };
  let now = 0;
  const clock: Clock = {
    get now() {
      return now;
    },
    after(ms, run) {
      now += ms;
      queueMicrotask(run);
      return () => {};
    },
  };
  return withTimeouts(model, { first_ms: 60_000, between_ms: 60_000, total_ms: 60_000 }, clock);
}

/** Creates an analysis in memory that records the order of its steps. */
function analysis(model: Model, over: Partial<AttemptDependencies> = {}) {
  const { id, started_at } = endedRow();
  let row: JobRow = {
    conversation_id: id,
    run: 1,
    job: {
      operation: null,
      settings: { enabled: true, model: null, summary: true, criteria: [], data: [] },
      llm_model: "gpt-4o",
      fallback_model: null,
      installs: [],
      redact: [],
      agent_id: "a",
      campaign_id: null,
      call_id: null,
      api_key_id: null,
      started_at,
      disposition: null,
      end_reason: null,
    },
    model: null,
    tries: 0,
    fault: null,
    next_at: 0,
    open_request: null,
    input_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    first_input_tokens: 0,
    first_cached_tokens: 0,
    first_output_tokens: 0,
    requests: 0,
    revision: 0,
    outcome: null,
  };
  const happened: string[] = [];
  const deps: AttemptDependencies = {
    archived: async () => Object.assign({ turns: TURNS }, ARCHIVED),
    analyst: async () => ({
      name: model.name,
      answer: (request) => {
        happened.push(`asked after ${row.tries} tries`);
        return model.answer(request);
      },
    }),
    cover: async (_row, n) => {
      happened.push(`covered ${n}`);
      return true;
    },
    current: () => row,
    note: (changes) => {
      row = Object.assign({}, row, changes);
    },
    charge: openCharge,
    now: () => NOW,
  };
  const all = Object.assign(deps, over);
  return { happened, row: () => row, go: () => attempt(all, row, new AbortController().signal) };
}

describe("an attempt to analyze", () => {
  it("an attempt whose model never answers is counted before the request and fails after three tries", async () => {
    const { go, row, happened } = analysis(silent());
    await go();
    expect(row()).toMatchObject({ tries: 1, requests: 1, open_request: null, next_at: NOW + 5_000, outcome: null });
    expect(row().input_tokens).toBeGreaterThan(0);
    await go();
    expect(row()).toMatchObject({ tries: 2, next_at: NOW + 60_000, outcome: null });
    await go();
    expect(happened).toEqual([1, 2, 3].flatMap((n) => [`covered ${n}`, `asked after ${n} tries`]));
    expect(row().outcome).toMatchObject({ status: "failed", ended_at: "2026-03-04T10:05:00.000Z" });
    expect(row().outcome?.reason).toMatch(/^the model did not answer: silent: (no answer started|the answer was not)/);
  });

  it("an analysis whose cost is not approved is not attempted and uses up no try", async () => {
    const { go, row } = analysis(silent(), { cover: () => Promise.reject(new Error("the meter is away")) });
    await expect(go()).rejects.toThrow("the meter is away");
    expect(row()).toMatchObject({ tries: 0, requests: 0, outcome: null });
  });

  it.each([
    ["UTC", "2026-03-05"],
    ["Pacific/Kiritimati", "2026-03-06"],
  ])("an attempt to analyze reads days from the day of the conversation in %s", async (timezone, value) => {
    const claims = { summary: "S.", data: { day: { value, turns: [1] } } };
    const model: Model = {
      name: "good",
      async *answer() {
        yield { type: "text", text: JSON.stringify(claims) };
      },
    };
    const said = { seq: 1, at: "2026-03-04T10:00:00.000Z", role: "user" as const, text: "Tomorrow, please.", ...PLAIN };
    const archived = Object.assign({ turns: [said] }, ARCHIVED, { timezone });
    const { go, row } = analysis(model, { archived: async () => archived });
    const data = [{ name: "day", type: "date" as const, description: "The day." }];
    row().job.settings = { enabled: true, model: null, summary: true, criteria: [], data };
    row().job.started_at = "2026-03-04T10:00:00.000Z";
    await go();
    expect(row().outcome?.findings.data.day).toEqual({ value, state: "found", turns: [1], by: "caller" });
  });

  it("an analysis of a conversation whose record is lost fails for that reason", async () => {
    const { go, row } = analysis(silent(), { archived: async () => null });
    await go();
    expect(row().outcome).toMatchObject({ status: "failed", reason: "the transcript was lost" });
  });
});
