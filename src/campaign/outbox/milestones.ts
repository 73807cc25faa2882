import type { NewEvent } from "../../records/events/event.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { milestoneEvents } from "./milestone-events.ts";
import { Pace } from "./pace.ts";

/** History entries read, and events delivered, at once. */
const ENTRIES_A_BATCH = 20_000;
const EVENTS_A_BATCH = 500;

interface Dependencies {
  store: CampaignStore;
  /** Accepts all events, or throws and accepts none. */
  take(events: NewEvent[]): Promise<void>;
  now(): number;
}

/** The outbox for the account's events: the history after the last reported entry. */
export class Milestones {
  readonly #deps: Dependencies;
  readonly #pace = new Pace();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Returns when the next events are due, ms; null if the whole history was read. */
  dueAt(): number | null {
    const { row } = this.#deps.store.campaign;
    return row !== null && row.reported_seq < row.seq ? this.#pace.dueAt(row.status) : null;
  }

  readonly deliver = async (): Promise<void> => {
    const { store, take, now } = this.#deps;
    const { id, seq, reported_seq, reported_status, status, accepted } = store.campaign.existing;
    const campaign = { id, settings: store.campaign.settings, total_contacts: accepted };
    this.#pace.begin(status, now());
    const end = Math.min(seq, reported_seq + ENTRIES_A_BATCH);
    const milestones = store.log.milestones(reported_seq, end, EVENTS_A_BATCH);
    const events = milestoneEvents(campaign, milestones, reported_status);
    if (events.events.length > 0) await take(events.events);
    const last = milestones.length < EVENTS_A_BATCH ? end : (milestones.at(-1)?.seq ?? end);
    store.campaign.markReported(last, events.status);
    if (last < seq) this.#pace.more();
  };
}
