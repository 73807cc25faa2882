import type { Campaign, CampaignEvent, ContactChange, Counts } from "./campaign-events.ts";
import { OutcomesOverTime } from "./outcomes-over-time.ts";

/**
 * Number of contacts whose latest change is kept. The oldest are dropped, which matters when a million contacts are
 * canceled at once.
 */
const MAX_CHANGES = 200_000;
const MAX_LATEST = 10;

/**
 * The state of a campaign as reported by its stream. Events are applied once and in order of their numbers, however
 * they arrive: an early one waits for its predecessors, a repeated one is dropped.
 */
export class Board {
  /** The campaign without its counters; undefined until the first snapshot. */
  #campaign: Campaign | undefined;
  #counts: Counts = { pending: 0, originated: 0, connected: 0, completed: 0, failed: 0, cancelled: 0 };
  /** The last event included in the counters. They include the history before a snapshot. */
  #countedTo = 0;
  #next: number;
  readonly #early = new Map<number, Exclude<CampaignEvent, { kind: "snapshot" }>>();
  /** The latest change of each contact, oldest first. */
  readonly changes = new Map<string, ContactChange>();
  /** The IDs of the contacts that changed most recently, newest first. */
  latest: string[] = [];
  readonly overTime = new OutcomesOverTime();
  /** How often the campaign itself changed, or events about its contacts were missing. */
  campaignChanges = 0;

  /** Whether every event of the campaign was received. */
  isWhole: boolean;

  /** @param after the event after which the stream begins */
  constructor(after: number) {
    this.#next = after + 1;
    this.isWhole = after === 0;
  }

  get campaign(): Campaign | undefined {
    return this.#campaign && withState(this.#campaign, this.#campaign, this.#counts);
  }

  /** The last event applied without a gap. */
  get seq(): number {
    return this.#next - 1;
  }

  /** Whether events have arrived whose predecessors are missing. */
  get hasGap(): boolean {
    return this.#early.size > 0;
  }

  take(event: CampaignEvent): void {
    if (event.kind === "snapshot") this.#begin(event.campaign, event.isFresh);
    else if (event.change.seq >= this.#next) this.#early.set(event.change.seq, event);
    for (let next = this.#early.get(this.#next); next; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      if (next.kind === "contact") this.#moved(next.change);
      else this.#changed(next.change);
    }
  }

  #begin(
    { seq, campaign_id: _, ...campaign }: Extract<CampaignEvent, { kind: "snapshot" }>["campaign"],
    isFresh: boolean,
  ): void {
    if (isFresh && seq !== this.seq) {
      // Events in between are missing, or the history is a different one.
      this.campaignChanges++;
      this.isWhole = false;
      this.#next = seq + 1;
      for (const early of this.#early.keys()) if (early <= seq) this.#early.delete(early);
    } else if (seq < this.#countedTo) return;
    this.#campaign = campaign;
    this.#counts = { ...campaign.counts };
    this.#countedTo = seq;
  }

  #moved(change: ContactChange): void {
    const { contact_id: id } = change;
    this.latest = [id, ...this.latest.filter((other) => other !== id)].slice(0, MAX_LATEST);
    this.changes.delete(id);
    this.changes.set(id, change);
    if (this.changes.size > MAX_CHANGES) {
      const [oldest] = this.changes.keys();
      if (oldest !== undefined) this.changes.delete(oldest);
    }
    this.overTime.add(change);
    if (change.seq <= this.#countedTo) return;
    this.#counts[change.previous_status]--;
    this.#counts[change.status]++;
    this.#countedTo = change.seq;
  }

  #changed({ seq, status, reason, counts, at }: Extract<CampaignEvent, { kind: "campaign" }>["change"]): void {
    this.campaignChanges++;
    if (seq <= this.#countedTo || !this.#campaign) return;
    // A running campaign reports a carrier outage as its reason, and null once the outage is over.
    const isOfCarrier = (code: string | null) => status === "running" && (code === null || code.startsWith("carrier_"));
    const isOther = status !== this.#campaign.status;
    this.#campaign = Object.assign(
      {},
      this.#campaign,
      { status, updated_at: at },
      (isOther || isOfCarrier(reason)) && { status_reason: reason },
    );
    this.#counts = { ...counts };
    this.#countedTo = seq;
  }
}

/** Returns a campaign with another state and other counters. */
export function withState(
  campaign: Campaign,
  { status, status_reason }: Pick<Campaign, "status" | "status_reason">,
  counts: Counts,
): Campaign {
  const total_contacts = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { ...campaign, status, status_reason, counts: { ...counts }, total_contacts };
}
