import { ApiError } from "./errors.ts";

/** The time limit for a body to arrive, ms: enough for 1 MiB at 18 KB/s. */
export const MAX_BODY_MS = 60_000;
/** The time limit for a contact list or a backup file to arrive, ms: enough for 100 MB at 56 KB/s. */
export const MAX_FILE_MS = 30 * 60_000;

/** Calls `run` after `ms`. The returned function cancels the call. */
export type Later = (ms: number, run: () => void) => () => void;

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** The deadline of a body. It releases the request, its memory and its lease, however slowly the body arrives. */
export interface BodyDeadline {
  /** @throws ApiError 408 after the deadline */
  assertNotOver(): void;
  /** Cancels the deadline, because the body has arrived. */
  end(): void;
}

/** Starts the deadline of a body. `stop` must end the reading of the body. */
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
