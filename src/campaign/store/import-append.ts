import type { Author } from "../../kernel/db/account-store.ts";
import {
  type AssumedNumbers,
  type ImportBatch,
  type ImportCounts,
  recordedAssumptions,
  type UploadHeader,
  withAssumed,
} from "../../lists/rows.ts";
import type { CampaignStore } from "./campaign-store.ts";
import { campaignEntry } from "./campaign-transitions.ts";
import { FIRST_UPLOAD, storeDistinct } from "./import-transitions.ts";

/** Rows deleted in one step of undoing. */
const UNDONE_A_STEP = 5_000;

/**
 * Begins to add contacts to an existing campaign and returns the number of the upload. Until `finishAppend`, the stored
 * rows stay invisible: contacts after `append_after` and the upload's skipped rows don't count.
 */
export function beginAppend(store: CampaignStore, now: number): number {
  const { campaign, imports, rejects } = store;
  return store.transaction(() => {
    const uploads = rejects.uploads();
    campaign.update({ append_after: imports.last() });
    return Math.max(FIRST_UPLOAD, ...uploads.keys()) + 1;
  }, now);
}

/** Stores a batch of the upload and returns the counts of its rows. */
export function appendBatch(
  store: CampaignStore,
  batch: ImportBatch,
  upload: number,
  arrange: ((cells: string[]) => string[]) | undefined,
  now: number,
): ImportCounts {
  return store.transaction(() => storeDistinct(store, batch, upload, now, arrange), now);
}

export interface Appended {
  upload: number;
  counts: ImportCounts;
  /** The campaign's columns, including new ones. */
  columns: string[];
  header: UploadHeader;
  assumed: AssumedNumbers | null;
}

/** Makes all stored rows of the upload visible in one step. */
export function finishAppend(
  store: CampaignStore,
  { upload, counts, columns, header, assumed }: Appended,
  author: Author,
  now: number,
): void {
  const { campaign, rejects, audits } = store;
  store.transaction((write) => {
    const { accepted, pending, rejected, duplicates } = campaign.existing;
    rejects.addUpload(upload, header);
    campaign.update({
      accepted: accepted + counts.accepted,
      pending: pending + counts.accepted,
      rejected: rejected + counts.rejected,
      duplicates: duplicates + counts.duplicates,
      columns: JSON.stringify(columns),
      assumed: assumed
        ? JSON.stringify(withAssumed(recordedAssumptions(campaign.existing.assumed), assumed))
        : campaign.existing.assumed,
      append_after: null,
      updated_at: now,
    });
    audits.add("add_contacts", author, now);
    write({ ...campaignEntry(store, "contacts_added", author.actor), detail: String(counts.accepted) });
  }, now);
}

/** Undoes an interrupted upload in steps, which restores the campaign. */
export function* undoAppend(store: CampaignStore, now: () => number): Generator<void, void> {
  const { campaign, imports, rejects } = store;
  const upload = Math.max(FIRST_UPLOAD, ...rejects.uploads().keys()) + 1;
  for (let left = true; left; yield) {
    if (campaign.row?.append_after == null) return;
    const last = campaign.row.append_after;
    left = store.transaction(() => {
      const dropped = imports.dropBehind(last, UNDONE_A_STEP) + rejects.dropFrom(upload, UNDONE_A_STEP);
      if (dropped === 0) campaign.update({ append_after: null });
      return dropped > 0;
    }, now());
  }
}
