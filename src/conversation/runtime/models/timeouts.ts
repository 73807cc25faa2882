import { LONGEST_ANSWER_MS } from "../../../agent/models/output-limit.ts";
import { type Model, ModelFailed, type ModelPart, type ModelRequest } from "./model.ts";
import { guardedBy } from "./unless-aborted.ts";

/**
 * How long a model may take (ms): until its first sign of work, between two signs of work, until its first words or
 * tool call, and for the whole answer. Reasoning is a sign of work, although the caller hears nothing of it. An opening
 * chunk without content is not: servers send it before the model has done anything.
 */
export interface ModelTimeouts {
  first_ms: number;
  between_ms: number;
  /** Omitted if no caller listens. */
  words_ms?: number;
  total_ms: number;
}

/** After a longer wait, callers hang up. */
export const MODEL_TIMEOUTS: ModelTimeouts = {
  first_ms: 8_000,
  between_ms: 8_000,
  words_ms: 30_000,
  total_ms: LONGEST_ANSWER_MS,
};

/**
 * The timeouts of a model that has a fallback. They are shorter, so that the fallback answers before the caller loses
 * patience.
 */
const FIRST_OF_TWO_TIMEOUTS: ModelTimeouts = {
  first_ms: 4_000,
  between_ms: 8_000,
  words_ms: 10_000,
  total_ms: LONGEST_ANSWER_MS,
};

/** Provides the time and timers. `after` returns a function that cancels the timer. */
export interface Clock {
  /** ms */
  readonly now: number;
  after(ms: number, run: () => void): () => void;
}

/** The clock and timers of the JavaScript runtime. */
export const TIMERS: Clock = {
  get now() {
    return Date.now();
  },
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Wraps a model: once its answer stalls, its request is aborted and the answer fails. */
export function withTimeouts(model: Model, timeouts: ModelTimeouts, clock: Clock): Model {
  return { name: model.name, answer: (request) => answer(model, request, timeouts, clock) };
}

/** Adds timeouts to a model, and to its fallback if there is one. */
export function timed(first: Model, second: Model | null, clock: Clock): Model {
  if (second === null) return withTimeouts(first, MODEL_TIMEOUTS, clock);
  const fallback = { model: withTimeouts(second, MODEL_TIMEOUTS, clock), until: 0 };
  return Object.assign(withTimeouts(first, FIRST_OF_TWO_TIMEOUTS, clock), { fallback });
}

async function* answer(
  model: Model,
  request: ModelRequest,
  timeouts: ModelTimeouts,
  clock: Clock,
): AsyncGenerator<ModelPart> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const watch = new StallWatch(timeouts, clock, (what) => stop.abort(new ModelFailed(`${model.name}: ${what}`)));
  const watched: ModelRequest = Object.assign({}, request, {
    signal,
    onWork: () => watch.works(),
    onCall: () => {
      watch.calls();
      request.onCall?.();
    },
  });
  const parts = model.answer(watched)[Symbol.asyncIterator]();
  const unlessAborted = guardedBy(signal);
  try {
    let step = await unlessAborted(parts.next());
    while (!step.done) {
      watch.rest(step.value);
      yield step.value;
      watch.wait();
      step = await unlessAborted(parts.next());
    }
  } finally {
    watch.end();
    // Not awaited: a model that ignores its signal would delay the failure.
    parts.return?.().catch(() => undefined);
  }
}

/** Detects a stalled answer with one timer that is reset only when it fires: many parts arrive per second. */
class StallWatch {
  readonly #timeouts: ModelTimeouts;
  readonly #clock: Clock;
  readonly #stalled: (what: string) => void;
  readonly #began: number;
  /** When the wait for the next part or sign of work began, ms; null before the first. */
  #since: number | null = null;
  #hasWords = false;
  /** Whether the consumer is processing a part. That time does not count as waiting for the model. */
  #rests = false;
  #callOff: () => void = () => {};

  constructor(timeouts: ModelTimeouts, clock: Clock, stalled: (what: string) => void) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#stalled = stalled;
    this.#began = clock.now;
    this.#look();
  }

  /** Records that the model has begun a tool call. */
  calls(): void {
    this.#hasWords = true;
  }

  /** Records a sign of work. */
  works(): void {
    this.#since = this.#clock.now;
  }

  rest({ type }: ModelPart): void {
    this.#rests = true;
    this.#hasWords ||= type === "text" || type === "tool_call";
  }

  wait(): void {
    this.#rests = false;
    this.#since = this.#clock.now;
  }

  end(): void {
    this.#callOff();
  }

  #look(): void {
    const { first_ms, between_ms, words_ms = Number.POSITIVE_INFINITY, total_ms } = this.#timeouts;
    const { now } = this.#clock;
    const since = this.#rests ? now : this.#since;
    const next = since === null ? this.#began + first_ms : since + between_ms;
    const words = this.#hasWords || this.#rests ? Number.POSITIVE_INFINITY : this.#began + words_ms;
    const last = this.#began + total_ms;
    if (now >= last) this.#stalled(`the answer was not complete within ${total_ms} ms`);
    else if (now >= words) this.#stalled(`no words came within ${words_ms} ms`);
    else if (now < next) this.#callOff = this.#clock.after(Math.min(next, words, last) - now, () => this.#look());
    else if (since === null) this.#stalled(`no answer started within ${first_ms} ms`);
    else this.#stalled(`the answer did not continue within ${between_ms} ms`);
  }
}
