import type { ObjectPart } from "./object-part.ts";
import { failedAgain, type PartFailure, USUAL_RETRY } from "./part-failures.ts";

/** An object's parts by their names. */
export type PartList = Readonly<Record<string, ObjectPart>>;

/** The parts that fail, by their names. */
export type PartFailures = Readonly<Record<string, PartFailure>>;

/**
 * Decides which parts of an object run when. It has no clock, timer or storage of its own. Every part that is due and not
 * running starts at the next turn, so none waits for another.
 */
export class PartSchedule {
  readonly #parts: () => PartList;
  readonly #running = new Set<ObjectPart>();
  readonly #hadTurn = new Set<ObjectPart>();
  /** When (ms) the next part starts, as the parts last said; undefined since something has changed. */
  #nextAt: number | null | undefined;
  /** To be stored whenever they are replaced, and read back when the object is built. */
  failures: PartFailures = {};

  constructor(parts: () => PartList) {
    this.#parts = parts;
  }

  /** A turn: returns the parts that start at `now`, ms. Each counts as running until `ended`. */
  begin(now: number): [name: string, part: ObjectPart][] {
    this.#hadTurn.clear();
    return this.beginMore(now);
  }

  /** The same within a turn: parts that have not had it, for which a piece that has just ended may have made work. */
  beginMore(now: number): [name: string, part: ObjectPart][] {
    if (this.#nextAt !== undefined && (this.#nextAt ?? Number.POSITIVE_INFINITY) > now) return [];
    const due = this.#ask(now);
    for (const [, part] of due) {
      this.#running.add(part);
      this.#hadTurn.add(part);
    }
    return due;
  }

  /** Something has changed that parts wait for: they are asked again. The end of a piece counts as that. */
  changed(): void {
    this.#nextAt = undefined;
  }

  /** A piece has ended at `now`, ms. Returns false if the object was emptied meanwhile: then its outcome is forgotten. */
  ended(name: string, part: ObjectPart, outcome: "done" | "failed", now: number): boolean {
    this.#running.delete(part);
    this.changed();
    if (this.#parts()[name] !== part) return false;
    const { [name]: earlier, ...others } = this.failures;
    if (outcome === "failed") {
      const failure = failedAgain(earlier, part.retry ?? USUAL_RETRY, now);
      this.failures = Object.assign(others, { [name]: failure });
    } else if (earlier !== undefined) this.failures = others;
    return true;
  }

  /** When (ms) the next of the parts that are not running starts; null if none has work. */
  nextAt(): number | null {
    if (this.#nextAt === undefined) this.#ask(null);
    return this.#nextAt ?? null;
  }

  /** Asks every part again what to arm the alarm for at `now`, ms; null if no part has work. */
  alarmAt(now: number): number | null {
    // A part may have got work without a word to the frame, which was about to ask it anyway.
    this.#ask(null);
    // A piece that goes on is looked after by the next alarm, since its process may be lost.
    const at = this.#goesOn() ? now : (this.#nextAt ?? null);
    return at === null ? null : Math.max(now + 1, at);
  }

  #goesOn(): boolean {
    if (this.#running.size === 0) return false;
    return Object.values(this.#parts()).some((part) => this.#running.has(part));
  }

  /**
   * Asks every part that is not running when it is due. Returns those that start at `now`, ms, because they are due and
   * have not had their turn; with null none does. `#nextAt` is then when the first of the others starts.
   */
  #ask(now: number | null): [name: string, part: ObjectPart][] {
    const starting: [name: string, part: ObjectPart][] = [];
    let next: number | null = null;
    for (const [name, part] of Object.entries(this.#parts())) {
      if (this.#running.has(part)) continue;
      let dueAt: number | null;
      try {
        dueAt = part.dueAt();
      } catch {
        // A part that cannot even say when it is due runs now, and fails by itself.
        dueAt = 0;
      }
      if (dueAt === null) continue;
      const at = Math.max(dueAt, this.failures[name]?.notBefore ?? 0);
      if (now !== null && at <= now && !this.#hadTurn.has(part)) starting.push([name, part]);
      else next = Math.min(next ?? at, at);
    }
    this.#nextAt = next;
    return starting;
  }
}
