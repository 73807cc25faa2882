import type { RetryPolicy } from "./part-failures.ts";

/** A piece of an object with its own tables and work. All parts share the object's one alarm. */
export interface ObjectPart {
  /**
   * Returns when (ms) it next has work, null for never. Called after every piece of work, so it may read one indexed
   * row at most. `asking` is the same object for all parts that are asked at the same time, so that parts can share one
   * answer.
   */
  dueAt(asking: object): number | null;
  /**
   * Does a bounded piece of the work due at `now` (ms) and yields by `until` (ms); the frame runs it again while it is
   * due. A piece that throws is retried by the part's policy and delays no other part.
   */
  run(now: number, until: number): Promise<void>;
  /**
   * Called when the object was rebuilt at `now` (ms), which lost everything in memory. `armedAt` (ms) is what the alarm
   * was set to, for a part whose next time is stored nowhere else; null if no alarm is set, because it never was or was
   * lost.
   */
  resume?(now: number, armedAt: number | null): void;
  /**
   * Called for an alarm that was armed before the object was rebuilt: makes such a part run at `at` (ms) at the latest.
   */
  remind?(at: number): void;
  /** The retry delays of a failed piece, if not the usual ones. */
  readonly retry?: RetryPolicy;
}
