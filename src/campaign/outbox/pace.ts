import type { CampaignStatus } from "../decide/state.ts";

/** Minimum time between reports, ms, because counters and calls change all the time. */
const EVERY_MS = 1_000;

/** Spaces out the reports to a destination, except changes of the campaign's state and a backlog. */
export class Pace {
  #last = 0;
  #status: CampaignStatus | null = null;
  #hasMore = false;

  /** Returns when to send pending reports while the campaign has this status, ms. */
  dueAt(status: CampaignStatus): number {
    return this.#hasMore || status !== this.#status ? 0 : this.#last + EVERY_MS;
  }

  /** Notes that a report is about to be sent at `now`, ms. */
  begin(status: CampaignStatus, now: number): void {
    this.#status = status;
    this.#last = now;
    this.#hasMore = false;
  }

  /** Notes that one report could not contain everything that is pending. */
  more(): void {
    this.#hasMore = true;
  }
}
