import type { RetryPolicy } from "./part-failures.ts";

/** What an object is composed of: each part has tables of its own, and all share the object's one alarm. */
export interface ObjectPart {
  /** When (ms) it next has work, null for never. Read after every piece of work, so it costs an indexed row at most. */
  dueAt(): number | null;
  /**
   * Does a bounded piece of what is due at `now`, ms, and gives way by `until`, ms; the frame runs it again while it is
   * due. A piece that throws is retried according to the part's policy and delays no other part.
   */
  run(now: number, until: number): Promise<void>;
  /**
   * The object was rebuilt at `now`, ms: everything it held in memory is lost. `armedAt` (ms) is what its alarm was set
   * to, for a part that stores its next time nowhere else; null if the alarm is not set, because it never was or because
   * it was lost with the process.
   */
  resume?(now: number, armedAt: number | null): void;
  /** An alarm has come that an earlier life of the object had armed: has such a part run at `at`, ms, at the latest. */
  remind?(at: number): void;
  /** How soon a failed piece is retried, if not as usual. */
  readonly retry?: RetryPolicy;
}
