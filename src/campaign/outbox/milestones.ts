import type { NewEvent } from "../../records/events/event.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { milestoneEvents } from "./milestone-events.ts";
import { Pace } from "./pace.ts";

/** Entries of the history looked at, and events handed over, at once. */
const ENTRIES_A_BATCH = 20_000;
const EVENTS_A_BATCH = 500;

interface Dependencies {
  store: CampaignStore;
  /** Takes events in, all or, by throwing, none. */
  take(events: NewEvent[]): Promise<void>;
  now(): number;
}

/** What the campaign owes to the account's events: its history after the last reported entry. */
export class Milestones {
  readonly #deps: Dependencies;
  readonly #pace = new Pace();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** When (ms) the next events are due; null if all of the history was looked at. */
  dueAt(): number | null {
    const { row } = this.#deps.store.campaign;
    return row !== null && row.told_seq < row.seq ? this.#pace.dueAt(row.status) : null;
  }

  async deliver(): Promise<void> {
    const { store, take, now } = this.#deps;
    const { id, seq, told_seq, told_status, status, accepted } = store.campaign.existing;
    this.#pace.begin(status, now());
    const end = Math.min(seq, told_seq + ENTRIES_A_BATCH);
    const milestones = store.log.milestones(told_seq, end, EVENTS_A_BATCH);
    const campaign = { id, settings: store.campaign.settings, total_contacts: accepted };
    const events = milestoneEvents(campaign, milestones, told_status);
    if (events.events.length > 0) await take(events.events);
    const last = milestones.length < EVENTS_A_BATCH ? end : (milestones.at(-1)?.seq ?? end);
    store.campaign.markReported(last, events.status);
    if (last < seq) this.#pace.more();
  }
}
