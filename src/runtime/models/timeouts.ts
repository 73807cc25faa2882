import { type Model, ModelFailed, type ModelPart, type ModelRequest } from "./model.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** How long a model may be silent (ms): before its first part, between two of them, and how long an answer may take. */
export interface Patience {
  first_ms: number;
  between_ms: number;
  total_ms: number;
}

/** Longer, and whoever waits on the line has hung up. */
export const PATIENCE: Patience = { first_ms: 8_000, between_ms: 8_000, total_ms: 60_000 };

/** Runs something later; gives what calls it off. */
export interface Clock {
  after(ms: number, run: () => void): () => void;
}

/** The runtime's own timers. */
export const TIMERS: Clock = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The model, whose answer fails and whose request is aborted once it stalls. */
export function withTimeouts(model: Model, patience: Patience, clock: Clock): Model {
  return { name: model.name, answer: (request) => answer(model, request, patience, clock) };
}

async function* answer(
  model: Model,
  request: ModelRequest,
  patience: Patience,
  clock: Clock,
): AsyncGenerator<ModelPart> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const within = (ms: number, what: string) =>
    clock.after(ms, () => stop.abort(new ModelFailed(`${model.name}: ${what} within ${ms} ms`)));
  const inAll = within(patience.total_ms, "the answer was not whole");
  const parts = model.answer({ ...request, signal })[Symbol.asyncIterator]();
  const next = async (callOff: () => void) => {
    try {
      return await unlessAborted(signal, parts.next());
    } finally {
      callOff();
    }
  };
  try {
    let step = await next(within(patience.first_ms, "no answer began"));
    while (!step.done) {
      yield step.value;
      step = await next(within(patience.between_ms, "the answer did not go on"));
    }
  } finally {
    inAll();
    // Not waited for: a model that does not heed its signal would hold up the failure.
    parts.return?.().catch(() => undefined);
  }
}
