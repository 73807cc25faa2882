import { earliest } from "../../kernel/durable/alarm.ts";
import { type CallingWindow, type Opening, openingAfter } from "./calling-windows.ts";
import type { ZoneQueue } from "./next-step.ts";

/** Waiting contacts of one zone that are due, or become due within the same minute. */
export interface WaitingGroup {
  zone: number;
  name: string | null;
  /** When the first of them becomes due, ms; 0 if they are due. */
  dueAt: number;
  n: number;
}

/** The waiting contacts of one time zone on a virtual clock that only moves forward. */
export class WaitingZone {
  readonly zone: number;
  readonly #name: string;
  readonly #windows: CallingWindow[] | null;
  /** Groups that become due later, the next one last. */
  readonly #later: WaitingGroup[];
  #due = 0;
  #left: number;
  /** The last found opening, kept until the clock passes it, because computing time zones is expensive. */
  #opening: Opening | null;

  /**
   * @param groups one or more groups of the same zone
   * @param timezone the campaign's
   */
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

  /** End of the last found opening; null if there is none. */
  get closesAt(): number | null {
    return this.#opening?.closes ?? null;
  }

  /** Takes up to `n` due contacts out and returns how many. */
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

/**
 * The waiting contacts of many time zones as two queues, one for open and one for closed zones. They are rebuilt only
 * when a zone changes, because a forecast asks at every step.
 */
export class WaitingZones {
  readonly #zones: WaitingZone[];
  #left: number;
  /** The open zones with due contacts, the first one last. */
  #ready: WaitingZone[] = [];
  #open: ZoneQueue | null = null;
  #closed: ZoneQueue | null = null;
  #changesAt = Number.NEGATIVE_INFINITY;

  constructor(zones: WaitingZone[]) {
    this.#zones = zones;
    this.#left = zones.reduce((sum, { left }) => sum + left, 0);
  }

  get left(): number {
    return this.#left;
  }

  queuesAt(at: number): ZoneQueue[] {
    if (at >= this.#changesAt) this.#look(at);
    return [this.#open, this.#closed].filter((queue) => queue !== null);
  }

  /** Takes `n` due contacts out of open zones, zone by zone. */
  take(n: number): void {
    for (let zone = this.#ready.at(-1); n > 0 && zone; zone = this.#ready.at(-1)) {
      const taken = zone.take(n);
      n -= taken;
      this.#left -= taken;
      if (this.#open) this.#open.due -= taken;
      if (n > 0) this.#ready.pop();
    }
  }

  #look(at: number): void {
    const zones = this.#zones
      .filter(({ left }) => left > 0)
      .map((zone) => ({ zone, queue: zone.queueAt(at) }))
      .map(({ zone, queue }) => ({ zone, queue, isOpen: queue.opensAt !== null && queue.opensAt <= at }));
    const open = zones.filter(({ isOpen }) => isOpen);
    const closed = zones.filter(({ isOpen }) => !isOpen);
    const due = open.reduce((sum, { queue }) => sum + queue.due, 0);
    const nextDueAt = earliest(open.map(({ queue }) => queue.nextDueAt));
    const opensAt = earliest(closed.map(({ queue }) => queue.opensAt));
    this.#open = open.length === 0 ? null : { zone: 0, opensAt: at, due, nextDueAt };
    this.#closed = closed.length === 0 ? null : { zone: 1, opensAt, due: 1, nextDueAt: null };
    this.#ready = open
      .filter(({ queue }) => queue.due > 0)
      .map(({ zone }) => zone)
      .reverse();
    const closesAt = earliest(open.map(({ zone }) => zone.closesAt));
    this.#changesAt = earliest([nextDueAt, opensAt, closesAt]) ?? Number.POSITIVE_INFINITY;
  }
}
