import { ApiError } from "./errors.ts";

/** How long a body may take to arrive, ms: 1 MiB at 18 KB/s. */
export const MAX_BODY_MS = 60_000;
/** How long the form of a list, or a file of a backup, may take to arrive, ms: 100 MB at 56 KB/s. */
export const MAX_FILE_MS = 30 * 60_000;

/** Calls `run` in `ms`, unless the function that it returns is called before. */
export type Later = (ms: number, run: () => void) => () => void;

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** The time that a body has: however slowly it trickles, its request, memory and lease are held no longer. */
export interface BodyDeadline {
  /** @throws ApiError 408 once the time is over */
  assertNotOver(): void;
  /** Ends the time, because the body has arrived. */
  end(): void;
}

/** Begins the time of a body; `stop` has the reading of it end once it is over. */
export function bodyDeadline(ms: number, stop: (reason: ApiError) => void, after: Later = later): BodyDeadline {
  let over: ApiError | null = null;
  const end = after(ms, () => {
    over = tooSlow(ms);
    stop(over);
  });
  return {
    assertNotOver() {
      if (over) throw over;
    },
    end,
  };
}

function tooSlow(ms: number): ApiError {
  return new ApiError(408, "body_too_slow", `the body took longer than ${ms / 1_000} seconds to arrive`);
}
