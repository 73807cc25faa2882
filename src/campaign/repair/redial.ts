import type { Author } from "../../kernel/db/account-store.ts";
import { changedFields } from "../../kernel/db/audit-changes.ts";
import type { Outcome } from "../decide/state.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignEntry, contactEntry } from "../store/campaign-transitions.ts";

/** A redial in progress, stored until all of its contacts are pending again. */
export interface Redialling {
  outcomes: Outcome[];
  contacts: number;
  done: number;
  /** Contacts that were being called when it began. They aren't included, even if they fail before it ends. */
  except: number[];
}

/** Contacts made pending in one transaction. */
export const REDIALLED_A_PIECE = 2_000;

/**
 * Stores that failed contacts with these outcomes are to be called again, and pauses a completed campaign. Returns the
 * number of contacts.
 * @param operation the ID of the request, if it is fixed by an idempotency key
 */
export function beginRedial(
  store: CampaignStore,
  outcomes: Outcome[],
  author: Author,
  now: number,
  operation: string | null = null,
): number {
  const { campaign, audits, repairs } = store;
  const { status, status_reason } = campaign.existing;
  const contacts = repairs.countFailed(outcomes);
  const redial: Redialling = { outcomes, contacts, done: 0, except: repairs.beingCalled() };
  store.transaction((write) => {
    campaign.update({
      redial: JSON.stringify(redial),
      status: "paused",
      status_reason: status === "paused" ? status_reason : null,
      ended_at: null,
      updated_at: now,
    });
    store.operations.note(operation, contacts, now);
    audits.add("redial", author, now, changedFields({ status }, { status: "paused" }));
    write({ ...campaignEntry(store, "redial", author.actor), detail: outcomes.join(",") });
  }, now);
  return contacts;
}

/** Does the next step of the redial in progress. Returns whether all of its contacts are pending again. */
export function redialSome(store: CampaignStore, most: number, now: number): boolean {
  const { campaign, repairs } = store;
  const redial: Redialling | null = JSON.parse(campaign.existing.redial ?? "null");
  if (!redial) return true;
  const { outcomes, contacts, done, except } = redial;
  const limit = Math.min(most, contacts - done);
  const failed = repairs.failed(outcomes, except, limit);
  redial.done += failed.length;
  const over = failed.length < limit || redial.done === contacts;
  store.transaction((write) => {
    repairs.makePending(
      failed.map(({ id }) => id),
      now,
    );
    campaign.update({
      pending: campaign.existing.pending + failed.length,
      failed: campaign.existing.failed - failed.length,
      redial: over ? null : JSON.stringify(redial),
    });
    write(...failed.map((contact) => contactEntry(contact, "pending", null, null, "redial")));
    if (over) write(campaignEntry(store, "redialled", null));
  }, now);
  return over;
}
