import type { ContactChange } from "./campaign-events.ts";

export interface Stretch {
  /** Start, ms. */
  at: number;
  answered: number;
  failed: number;
  /** Calls whose contact waits for another attempt. */
  again: number;
}

/** Maximum number of intervals that a plot can show. */
const MAX_STRETCHES = 120;
const FIRST_LENGTH_MS = 10_000;

/**
 * Counts ended calls by interval. Intervals become longer when there are too many, so that memory stays small for days.
 */
export class OutcomesOverTime {
  #length = FIRST_LENGTH_MS;
  readonly #stretches = new Map<number, Stretch>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** Counts the end of a call and ignores other changes. */
  add({ status, previous_status, attempt, at }: ContactChange): void {
    const kind = KINDS[status];
    if (!kind || attempt === null || previous_status === "failed") return;
    const ms = Date.parse(at);
    this.#first = Math.min(this.#first, ms);
    this.#last = Math.max(this.#last, ms);
    while ((this.#last - this.#first) / this.#length >= MAX_STRETCHES) this.#widen();
    this.#at(ms)[kind]++;
  }

  /** Returns the intervals in order and without a gap, up to `now` (ms) while the campaign is running. */
  stretches(now?: number): Stretch[] {
    if (this.#stretches.size === 0) return [];
    const found: Stretch[] = [];
    const from = this.#begin(this.#first);
    const to = Math.min(Math.max(this.#last, now ?? this.#last), from + MAX_STRETCHES * this.#length);
    for (let at = from; at <= to; at += this.#length) found.push(this.#stretches.get(at) ?? empty(at));
    return found;
  }

  #begin = (ms: number) => Math.floor(ms / this.#length) * this.#length;

  #at(ms: number): Stretch {
    const at = this.#begin(ms);
    const stretch = this.#stretches.get(at) ?? empty(at);
    this.#stretches.set(at, stretch);
    return stretch;
  }

  #widen(): void {
    const narrow = [...this.#stretches.values()];
    this.#stretches.clear();
    this.#length *= 2;
    for (const { at, answered, failed, again } of narrow) {
      const wide = this.#at(at);
      wide.answered += answered;
      wide.failed += failed;
      wide.again += again;
    }
  }
}

const KINDS: Partial<Record<ContactChange["status"], "answered" | "failed" | "again">> = {
  completed: "answered",
  failed: "failed",
  pending: "again",
};

const empty = (at: number): Stretch => ({ at, answered: 0, failed: 0, again: 0 });
