import { describe, expect, it } from "vitest";
import { type Model, ModelFailed, type ModelPart } from "../../../../src/conversation/runtime/models/model.ts";
import {
  type Clock,
  MODEL_TIMEOUTS,
  TIMERS,
  withTimeouts,
} from "../../../../src/conversation/runtime/models/timeouts.ts";
import { answered, answering, begunStream, bytes, request, served } from "./support.ts";

/** A clock that a test moves. */
class HandClock implements Clock {
  now = 0;
  #due = new Map<object, { at: number; run: () => void }>();

  after(ms: number, run: () => void) {
    const key = {};
    this.#due.set(key, { at: this.now + ms, run });
    return () => void this.#due.delete(key);
  }

  get pending() {
    return this.#due.size;
  }

  async advance(ms: number) {
    this.now += ms;
    for (const [key, { at, run }] of this.#due) {
      if (at > this.now) continue;
      this.#due.delete(key);
      run();
    }
    await settled();
  }
}

/** Waits until all ready work is done. */
async function settled() {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

/** Creates a model whose parts are given by hand, and which ignores its signal. */
function byHand() {
  const waiting: ((step: IteratorResult<ModelPart>) => void)[] = [];
  let signal: AbortSignal | undefined;
  let onWork: (() => void) | undefined;
  const model: Model = {
    name: "by/hand",
    answer: (requests) => {
      signal = requests.signal;
      onWork = requests.onWork;
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise((resolve) => waiting.push(resolve)) }) };
    },
  };
  return {
    model,
    work: () => onWork?.(),
    say: (text: string) => waiting.shift()?.({ done: false, value: { type: "text", text } }),
    end: () => waiting.shift()?.({ done: true, value: undefined }),
    aborted: () => signal?.aborted,
  };
}

const timeouts = { first_ms: 8_000, between_ms: 5_000, words_ms: 30_000, total_ms: 60_000 };

function listening() {
  const clock = new HandClock();
  const hand = byHand();
  let result: Awaited<ReturnType<typeof answered>> | null = null;
  void answered(withTimeouts(hand.model, timeouts, clock)).then((outcome) => {
    result = outcome;
  });
  return { clock, ...hand, outcome: () => result };
}

describe("the timeouts of a model", () => {
  it("a model has 8 s to its first sign of work and between two, 30 s to the first words and 60 s in total", () => {
    expect(MODEL_TIMEOUTS).toEqual({ first_ms: 8_000, between_ms: 8_000, words_ms: 30_000, total_ms: 60_000 });
  });

  it("do not abort a model that works on unspoken parts", async () => {
    const { clock, work, say, end, outcome } = listening();
    for (let s = 0; s < 28; s += 4) {
      await clock.advance(4_000);
      work();
    }
    expect(outcome()).toBeNull();
    say("It is open.");
    await settled();
    end();
    await settled();
    expect(outcome()).toEqual({ parts: [{ type: "text", text: "It is open." }], error: null });
  });

  it("fail a model that only thinks", async () => {
    const { clock, work, outcome } = listening();
    for (let s = 0; s < 28; s += 4) {
      await clock.advance(4_000);
      work();
    }
    await clock.advance(1_999);
    expect(outcome()).toBeNull();
    await clock.advance(1);
    expect(outcome()?.error).toEqual(new ModelFailed("by/hand: no words came within 30000 ms"));
  });

  it("abort the request of a model that does not begin at exactly the limit", async () => {
    const { clock, outcome, aborted } = listening();
    await clock.advance(7_999);
    expect([outcome(), aborted()]).toEqual([null, false]);
    await clock.advance(1);
    expect(outcome()).toEqual({ parts: [], error: new ModelFailed("by/hand: no answer started within 8000 ms") });
    expect([aborted(), clock.pending]).toEqual([true, 0]);
  });

  it("fail a model that stalls between two parts", async () => {
    const { clock, say, outcome } = listening();
    await clock.advance(7_000);
    say("Well, ");
    await settled();
    await clock.advance(4_999);
    expect(outcome()).toBeNull();
    await clock.advance(1);
    expect(outcome()).toEqual({
      parts: [{ type: "text", text: "Well, " }],
      error: new ModelFailed("by/hand: the answer did not continue within 5000 ms"),
    });
  });

  it("fail a model that does not finish", async () => {
    const { clock, say, outcome } = listening();
    for (let s = 0; s < 56; s += 4) {
      await clock.advance(4_000);
      say("and ");
      await settled();
    }
    await clock.advance(3_999);
    expect(outcome()).toBeNull();
    await clock.advance(1);
    expect(outcome()?.error).toEqual(new ModelFailed("by/hand: the answer was not complete within 60000 ms"));
  });

  it("do not affect a fast model and leave no timer behind", async () => {
    const { clock, say, end, outcome, aborted } = listening();
    say("Yes.");
    await settled();
    end();
    await settled();
    expect(outcome()).toEqual({ parts: [{ type: "text", text: "Yes." }], error: null });
    await clock.advance(100_000);
    expect([aborted(), clock.pending]).toEqual([false, 0]);
  });

  it("do not count the consumer's time", async () => {
    const clock = new HandClock();
    const { model } = answering("openai", [{ say: "One. " }, { say: "Two." }]);
    const parts = withTimeouts(model, timeouts, clock).answer(request())[Symbol.asyncIterator]();
    await parts.next();
    await clock.advance(30_000);
    expect(await parts.next()).toMatchObject({ value: { text: "Two." } });
  });

  it("pass on aborts and failures unchanged", async () => {
    const reason = new Error("interrupted");
    const { model } = answering("openai", [{ say: "Hi" }]);
    const aborted = request({ signal: AbortSignal.abort(reason) });
    expect((await answered(withTimeouts(model, timeouts, TIMERS), aborted)).error).toBe(reason);
    const failing = served("openai", () => new Response("", { status: 500 })).model;
    expect((await answered(withTimeouts(failing, timeouts, TIMERS))).error).toEqual(
      new ModelFailed("openai/gpt-4o: the server answered 500", null, true),
    );
  });

  it("abort the request of a real model that stalls or whose consumer stops", async () => {
    let cancelled = 0;
    const begun = begunStream("anthropic");
    const { model } = served("anthropic", () => new Response(bytes([begun], "silence", () => cancelled++)));
    const limits = { first_ms: 5_000, between_ms: 10, words_ms: 30_000, total_ms: 60_000 };
    const clock: Clock = {
      get now() {
        return TIMERS.now;
      },
      after: (ms, run) => TIMERS.after(Math.min(ms, 20), run),
    };
    const { parts, error } = await answered(withTimeouts(model, limits, clock));
    expect(parts).toEqual([{ type: "text", text: "Well, " }]);
    expect(error).toEqual(new ModelFailed("anthropic/claude-sonnet-5: the answer did not continue within 10 ms"));
    for await (const _ of withTimeouts(model, timeouts, TIMERS).answer(request())) break;
    await settled();
    expect(cancelled).toBe(2);
  });
});
