import { type CallingWindow, type Opening, openingAfter } from "./calling-windows.ts";
import type { ZoneQueue } from "./dispatch.ts";
import type { WaitingGroup } from "./storage/contacts.ts";

/** The waiting contacts of one time zone on a virtual clock that only goes forward. */
export class WaitingZone {
  readonly zone: number;
  readonly #name: string;
  readonly #windows: CallingWindow[] | null;
  /** Those that become due later, the next last. */
  readonly #later: WaitingGroup[];
  #due = 0;
  #left: number;
  /** The opening found last, kept as long as the clock has not passed it: time zones are costly to work out. */
  #opening: Opening | null;

  /** Of one or more groups of the same zone; `timezone` is that of the campaign. */
  constructor(groups: WaitingGroup[], windows: CallingWindow[] | null, timezone: string, now: number) {
    this.zone = groups[0]?.zone ?? 0;
    this.#name = groups[0]?.name ?? timezone;
    this.#windows = windows;
    this.#later = groups.filter(({ n }) => n > 0).sort((a, b) => b.dueAt - a.dueAt);
    this.#left = groups.reduce((sum, { n }) => sum + n, 0);
    this.#opening = this.#openingAfter(now);
  }

  get left(): number {
    return this.#left;
  }

  queueAt(at: number): ZoneQueue {
    for (let next = this.#later.at(-1); next && next.dueAt <= at; next = this.#later.at(-1)) {
      this.#due += next.n;
      this.#later.pop();
    }
    if (this.#opening && this.#opening.closes <= at) this.#opening = this.#openingAfter(at);
    return {
      zone: this.zone,
      opensAt: this.#opening && Math.max(this.#opening.opens, at),
      due: this.#due,
      nextDueAt: this.#later.at(-1)?.dueAt ?? null,
    };
  }

  /** Takes out up to `n` of those that are due; gives how many. */
  take(n: number): number {
    const taken = Math.min(n, this.#due);
    this.#due -= taken;
    this.#left -= taken;
    return taken;
  }

  #openingAfter(at: number): Opening | null {
    const always = { opens: at, closes: Number.POSITIVE_INFINITY };
    return this.#windows === null ? always : openingAfter(this.#windows, this.#name, at);
  }
}
