import type { CampaignStatus } from "../decide/state.ts";

/** Counters and calls change all the time, and are reported at most this often, ms. */
const EVERY_MS = 1_000;

/** Spaces out the reports to a destination, except changes of the campaign's state and a backlog. */
export class Pace {
  #last = 0;
  #status: CampaignStatus | null = null;
  #hasMore = false;

  /** When (ms) to send what is owed while the campaign has this status. */
  dueAt(status: CampaignStatus): number {
    return this.#hasMore || status !== this.#status ? 0 : this.#last + EVERY_MS;
  }

  /** Something is about to be reported, at `now`, ms. */
  begin(status: CampaignStatus, now: number): void {
    this.#status = status;
    this.#last = now;
    this.#hasMore = false;
  }

  /** It was no more than fits at once. */
  more(): void {
    this.#hasMore = true;
  }
}
