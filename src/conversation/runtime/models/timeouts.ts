import { LONGEST_ANSWER_MS } from "../../../agent/models/output-limit.ts";
import { type Model, ModelFailed, type ModelPart, type ModelRequest } from "./model.ts";
import { guardedBy } from "./unless-aborted.ts";

/** How long a model may be silent (ms): before its first part, between two of them, and how long an answer may take. */
export interface ModelTimeouts {
  first_ms: number;
  between_ms: number;
  total_ms: number;
}

/** After a longer wait the caller has hung up. */
export const MODEL_TIMEOUTS: ModelTimeouts = { first_ms: 8_000, between_ms: 8_000, total_ms: LONGEST_ANSWER_MS };

/** Tells the time, and runs something later; gives what calls it off. */
export interface Clock {
  /** ms */
  readonly now: number;
  after(ms: number, run: () => void): () => void;
}

/** The runtime's own clock and timers. */
export const TIMERS: Clock = {
  get now() {
    return Date.now();
  },
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The model, whose answer fails and whose request is aborted once it stalls. */
export function withTimeouts(model: Model, timeouts: ModelTimeouts, clock: Clock): Model {
  return { name: model.name, answer: (request) => answer(model, request, timeouts, clock) };
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
  const parts = model.answer({ ...request, signal })[Symbol.asyncIterator]();
  const unlessAborted = guardedBy(signal);
  try {
    let step = await unlessAborted(parts.next());
    while (!step.done) {
      watch.rest();
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
  /** Since when the next part is waited for, ms; null before the first. */
  #since: number | null = null;
  /** The consumer takes its time; that does not count as waiting for the model. */
  #rests = false;
  #callOff: () => void = () => {};

  constructor(timeouts: ModelTimeouts, clock: Clock, stalled: (what: string) => void) {
    this.#timeouts = timeouts;
    this.#clock = clock;
    this.#stalled = stalled;
    this.#began = clock.now;
    this.#look();
  }

  rest(): void {
    this.#rests = true;
  }

  wait(): void {
    this.#rests = false;
    this.#since = this.#clock.now;
  }

  end(): void {
    this.#callOff();
  }

  #look(): void {
    const { first_ms, between_ms, total_ms } = this.#timeouts;
    const { now } = this.#clock;
    const since = this.#rests ? now : this.#since;
    const next = since === null ? this.#began + first_ms : since + between_ms;
    const last = this.#began + total_ms;
    if (now >= last) this.#stalled(`the answer was not complete within ${total_ms} ms`);
    else if (now < next) this.#callOff = this.#clock.after(Math.min(next, last) - now, () => this.#look());
    else if (since === null) this.#stalled(`no answer started within ${first_ms} ms`);
    else this.#stalled(`the answer did not continue within ${between_ms} ms`);
  }
}
