import { randomFrom, shuffled } from "../campaigns/kills.ts";
import type { Service } from "../campaigns/service.ts";

/**
 * The moments at which the service can be killed. A caller was greeted; sent words; heard the first word of an answer,
 * or a later one; sent an interruption; heard a whole answer; was told that the number is on the list; or was told of
 * the end. Or the model received a request; called a tool; or received a tool's result.
 */
export const MOMENTS = [
  "greeted",
  "prompted",
  "asked",
  "first word",
  "mid-speech",
  "interrupted",
  "whole",
  "tool runs",
  "tool used",
  "opted out",
  "ended",
] as const;
export type Moment = (typeof MOMENTS)[number];

/** When to kill the service: at such a moment, once it has occurred this many times. */
export interface PlannedKill<M extends string = Moment> {
  moment: M;
  after: number;
}

/** The most moments of a kind that may be skipped, for kinds that occur often in a conversation. */
const SPACING: Partial<Record<Moment, number>> = { "mid-speech": 25, prompted: 4, asked: 4, "first word": 4, whole: 4 };

/** Plans kills at every kind of moment in turn; the same seed gives the same plan. */
export function planKills(count: number, seed: number): PlannedKill[] {
  const random = randomFrom(seed);
  const moments: Moment[] = [];
  while (moments.length < count) moments.push(...shuffled(MOMENTS, random));
  return moments.slice(0, count).map((moment) => ({ moment, after: Math.floor(random() * (SPACING[moment] ?? 2)) }));
}

/** Kills the service at planned moments. */
export class KillSwitch<M extends string = Moment> {
  readonly #service: Service;
  #armed: { planned: PlannedKill<M>; done: () => void } | null = null;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Resolves when the service has been killed. */
  killAt({ moment, after }: PlannedKill<M>): Promise<void> {
    return new Promise((done) => {
      this.#armed = { planned: { moment, after }, done };
    });
  }

  /** Must be called at every such moment. */
  reached(moment: M): void {
    if (this.#armed?.planned.moment !== moment || this.#armed.planned.after-- > 0) return;
    const { done } = this.#armed;
    this.#armed = null;
    this.#service.kill();
    done();
  }
}
