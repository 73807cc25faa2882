import type { ObjectPart } from "./object-part.ts";
import { failedAgain, type PartFailure, USUAL_RETRY } from "./part-failures.ts";

export type PartList = Readonly<Record<string, ObjectPart>>;

export type PartFailures = Readonly<Record<string, PartFailure>>;

/**
 * Decides which parts of an object run when. It has no clock, timer or storage of its own. Every part that is due and
 * not running starts at the next turn, so no part waits for another. Each call receives the object's current parts,
 * which are none after the object was emptied.
 */
export class PartSchedule {
  readonly #running = new Set<ObjectPart>();
  readonly #hadTurn = new Set<ObjectPart>();
  /**
   * When (ms) the next part starts: null if none has work, undefined if something has changed since the parts were
   * asked. Only the schedule sets it.
   */
  nextAt: number | null | undefined;
  /** The parts' failures. They must be stored whenever they are replaced, and restored when the object is built. */
  failures: PartFailures = {};

  /** Begins a turn. Returns the parts to start at `now` (ms). Each counts as running until `ended` is called. */
  begin(parts: PartList, now: number): [name: string, part: ObjectPart][] {
    this.#hadTurn.clear();
    return this.beginMore(parts, now);
  }

  /**
   * Returns further parts to start in this turn: those that have not run in it yet and have work now, because a piece has
   * just ended.
   */
  beginMore(parts: PartList, now: number): [name: string, part: ObjectPart][] {
    if (this.nextAt !== undefined && (this.nextAt ?? Number.POSITIVE_INFINITY) > now) return [];
    const due = this.#ask(parts, now);
    for (const [, part] of due) {
      this.#running.add(part);
      this.#hadTurn.add(part);
    }
    return due;
  }

  /**
   * Makes the schedule ask the parts again at the next opportunity, because something that they wait for has changed.
   * The end of a piece has the same effect.
   */
  changed(): void {
    this.nextAt = undefined;
  }

  /** Records that a piece ended at `now` (ms). The outcome is discarded if the object was emptied in the meantime. */
  ended(name: string, part: ObjectPart, outcome: "done" | "failed" | "discarded", now: number): void {
    this.#running.delete(part);
    this.changed();
    if (outcome === "discarded") return;
    const { [name]: earlier, ...others } = this.failures;
    if (outcome === "failed") {
      const failure = failedAgain(earlier, part.retry ?? USUAL_RETRY, now);
      this.failures = Object.assign(others, { [name]: failure });
    } else if (earlier !== undefined) this.failures = others;
  }

  /** Asks every part again. Returns the time (ms) for which to set the alarm; null if no part has work. */
  alarmAt(parts: PartList, now: number): number | null {
    this.#ask(parts, null);
    // The next alarm takes over a running piece, because its process may be lost.
    const goesOn = this.#running.size > 0 && Object.values(parts).some((part) => this.#running.has(part));
    const at = goesOn ? now : (this.nextAt ?? null);
    return at === null ? null : Math.max(now + 1, at);
  }

  /**
   * Asks every part that is not running when it is due. Returns the parts to start at `now` (ms) that have not had
   * their turn yet; none if `now` is null. Sets `nextAt` to when the first of the others starts.
   */
  #ask(parts: PartList, now: number | null): [name: string, part: ObjectPart][] {
    const starting: [name: string, part: ObjectPart][] = [];
    let next: number | null = null;
    const asking = {};
    for (const [name, part] of Object.entries(parts)) {
      if (this.#running.has(part)) continue;
      let dueAt: number | null;
      try {
        dueAt = part.dueAt(asking);
      } catch {
        // A part that throws when it is asked is run now, so that its failure is handled like any other.
        dueAt = 0;
      }
      if (dueAt === null) continue;
      const at = Math.max(dueAt, this.failures[name]?.notBefore ?? 0);
      if (now !== null && at <= now && !this.#hadTurn.has(part)) starting.push([name, part]);
      else next = Math.min(next ?? at, at);
    }
    this.nextAt = next;
    return starting;
  }
}
