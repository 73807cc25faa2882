import type { Author } from "../../db/account-store.ts";
import { changedFields } from "../../db/audit-changes.ts";
import type { Outcome } from "../decide/state.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignEntry, contactEntry } from "../store/campaign-transitions.ts";

/** Which failed contacts are being made pending again, and how many are by now: stored until all are. */
export interface Redialling {
  outcomes: Outcome[];
  done: number;
}

/** Contacts made pending in one transaction. */
export const REDIALLED_A_PIECE = 2_000;

/** Notes that failed contacts with these outcomes are to be called again, and pauses a campaign that had completed. */
export function beginRedial(store: CampaignStore, outcomes: Outcome[], author: Author, now: number): void {
  const { campaign, audits } = store;
  const { status, status_reason } = campaign.known;
  const redial: Redialling = { outcomes, done: 0 };
  store.transaction((write) => {
    campaign.update({
      redial: JSON.stringify(redial),
      status: "paused",
      status_reason: status === "paused" ? status_reason : null,
      ended_at: null,
      updated_at: now,
    });
    audits.add("redial", author, now, changedFields({ status }, { status: "paused" }));
    write({ ...campaignEntry(store, "redial", author.actor), detail: outcomes.join(",") });
  }, now);
}

/** The next piece of the redial that is under way: how many contacts are pending again by now, and whether all are. */
export function redialSome(store: CampaignStore, limit: number, now: number): { done: number; over: boolean } {
  const { campaign, repairs } = store;
  const { outcomes, done }: Redialling = JSON.parse(campaign.known.redial ?? '{"outcomes":[],"done":0}');
  const failed = repairs.failed(outcomes, limit);
  const redial: Redialling = { outcomes, done: done + failed.length };
  const over = failed.length < limit;
  store.transaction((write) => {
    repairs.makePending(
      failed.map(({ id }) => id),
      now,
    );
    campaign.update({
      pending: campaign.known.pending + failed.length,
      failed: campaign.known.failed - failed.length,
      redial: over ? null : JSON.stringify(redial),
    });
    write(...failed.map((contact) => contactEntry(contact, "pending", null, null, "redial")));
  }, now);
  return { done: redial.done, over };
}
