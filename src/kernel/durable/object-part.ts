import type { RetryPolicy } from "./part-failures.ts";

/** A part of an object, with its own tables and work. All parts share the object's only alarm. */
export interface ObjectPart {
  /**
   * Returns when (ms) the part next has work; null for never. It is called after every piece of work, so it may read at
   * most one indexed row. `asking` is the same object for all parts that are asked at the same time, so that parts can
   * share one answer.
   */
  dueAt(asking: object): number | null;
  /**
   * Does a bounded piece of the work that is due at `now` (ms), and yields by `until` (ms). The frame runs it again
   * while work is due. A piece that throws is retried by the part's own policy and delays no other part.
   */
  run(now: number, until: number): Promise<void>;
  /**
   * Called after the object was rebuilt at `now` (ms), which lost everything in memory. `armedAt` (ms) is the time for
   * which the alarm was set, for a part that stores its next time nowhere else; null if no alarm is set, because there
   * was none or it was lost.
   */
  resume?(now: number, armedAt: number | null): void;
  /**
   * Called for an alarm that was set before the object was rebuilt. Makes such a part run at `at` (ms) at the latest.
   */
  remind?(at: number): void;
  /** The retry delays of a failed piece, if they differ from the usual ones. */
  readonly retry?: RetryPolicy;
}
