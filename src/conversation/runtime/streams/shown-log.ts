import type { ConversationEvent } from "../../../records/conversations/events.ts";
import { LiveRedaction } from "../../../records/privacy/redaction/live-redaction.ts";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import type { Work } from "../../../records/privacy/redaction/work.ts";
import { policyOf } from "../session/session.ts";
import type { LoggedEvent } from "../store/conversation-row.ts";
import type { ConversationStore } from "../store/conversation-store.ts";

export interface ReadLog {
  id: string;
  policy: StoragePolicy;
  /** In the order of arrival. */
  log: readonly LoggedEvent[];
  /** The arrival number of the newest event, even if it was removed. */
  lastN: number;
}

/**
 * The events of a live conversation that may be shown, redacted as its record will be. Each read only examines new
 * events, so that long conversations cost no more per turn. A new instance reads the log from the start.
 */
export class ShownLog {
  readonly #current: () => ReadLog | null;
  readonly #work: Work | undefined;
  #of: Shown | null = null;

  /**
   * @param current returns the log, null if there is no conversation
   * @param work counts the examined turns
   */
  constructor(current: () => ReadLog | null, work?: Work) {
    this.#current = current;
    this.#work = work;
  }

  /** The arrival number of the last event that is shown. Later events may still become part of something to redact. */
  get lastN(): number {
    return this.#read()?.lastN ?? 0;
  }

  /** Returns at most `limit` shown events after an arrival number. */
  after(n: number, limit: number): LoggedEvent[] {
    return this.#read()?.after(n, limit) ?? [];
  }

  get events(): ConversationEvent[] {
    return this.after(0, Number.POSITIVE_INFINITY).map(({ event }) => event);
  }

  #read(): Shown | null {
    const current = this.#current();
    if (current === null) return null;
    // A visitor's next conversation may have begun.
    if (this.#of?.id !== current.id) this.#of = new Shown(current, this.#work);
    this.#of.read(current);
    return this.#of;
  }
}

export function logOf(store: ConversationStore): ReadLog | null {
  const { row, log, lastN } = store;
  return row === null ? null : { id: row.id, policy: policyOf(store.session.snapshot), log, lastN };
}

class Shown {
  readonly id: string;
  readonly #showsAll: boolean;
  readonly #redaction: LiveRedaction;
  #log: readonly LoggedEvent[] = [];
  /** How far the log was read, and the last number (`seq`) before the first gap. */
  #readN = 0;
  #through = 0;
  /** Events after the gap, by number. They follow the missing ones, so they must wait. */
  readonly #beyond = new Map<number, ConversationEvent>();
  #isOver = false;
  lastN = 0;

  constructor({ id, policy }: ReadLog, work: Work | undefined) {
    this.id = id;
    this.#showsAll = policy.storage === "all";
    this.#redaction = new LiveRedaction(policy, work);
  }

  read({ log, lastN }: ReadLog): void {
    this.#log = log;
    if (this.#showsAll) {
      this.lastN = lastN;
      return;
    }
    for (const { n, event } of log.slice(firstAfter(log, this.#readN))) {
      this.#readN = n;
      // An interrupted turn is logged again under its number with the same words.
      if (event.seq > this.#through) this.#beyond.set(event.seq, event);
    }
    this.#closeGap();
    this.#redaction.settle(this.#isOver);
    let next = firstAfter(log, this.lastN);
    while (next < log.length && !this.#isHeld(log[next]?.event)) next++;
    this.lastN = next < log.length ? (log[next]?.n ?? 1) - 1 : lastN;
  }

  after(n: number, limit: number): LoggedEvent[] {
    const [from, to] = [firstAfter(this.#log, n), firstAfter(this.#log, this.lastN)];
    const shown: LoggedEvent[] = [];
    for (let at = from; at < to && shown.length < limit; at++) {
      const logged = this.#log[at];
      if (logged) shown.push(...this.#redaction.shown(logged.event).map((event) => ({ n: logged.n, event })));
    }
    return shown;
  }

  #closeGap(): void {
    for (;;) {
      const next = this.#beyond.get(this.#through + 1);
      if (next === undefined) return;
      this.#beyond.delete(next.seq);
      this.#through = next.seq;
      this.#redaction.add(next);
      if (next.type === "ended") this.#isOver = true;
    }
  }

  #isHeld(event: ConversationEvent | undefined): boolean {
    if (event === undefined || this.#isOver) return false;
    return event.seq > this.#through || this.#redaction.isHeld(event);
  }
}

/** Returns the index of the first event after an arrival number. */
function firstAfter(log: readonly LoggedEvent[], n: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.n ?? 0) <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
