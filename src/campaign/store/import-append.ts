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

/** Rows taken out in one step of undoing. */
const UNDONE_A_STEP = 5_000;

/**
 * Begins to add contacts to a campaign that has some; gives the number of the upload. Until `finishAppend` nobody sees
 * what is stored: contacts behind `append_after` count for nothing, and neither do the skipped rows of the upload.
 */
export function beginAppend(store: CampaignStore, now: number): number {
  const { campaign, imports, rejects } = store;
  return store.transaction(() => {
    const uploads = rejects.uploads();
    if (!uploads.has(FIRST_UPLOAD)) rejects.addUpload(FIRST_UPLOAD, firstHeader(store));
    campaign.update({ append_after: imports.last() });
    return Math.max(FIRST_UPLOAD, ...uploads.keys()) + 1;
  }, now);
}

/** Stores a batch of the upload; gives what became of its rows. */
export function appendBatch(
  store: CampaignStore,
  batch: ImportBatch,
  upload: number,
  arrange: ((cells: string[]) => string[]) | undefined,
  now: number,
): ImportCounts {
  return store.transaction(() => storeDistinct(store, batch, upload, now, arrange), now);
}

/** What came of an upload that was read to its end. */
export interface Appended {
  upload: number;
  counts: ImportCounts;
  /** The campaign's columns with those that are new. */
  columns: string[];
  header: UploadHeader;
  assumed: AssumedNumbers | null;
}

/** Shows all that was stored of the upload, in one step. */
export function finishAppend(
  store: CampaignStore,
  { upload, counts, columns, header, assumed }: Appended,
  author: Author,
  now: number,
): void {
  const { campaign, rejects, audits } = store;
  store.transaction((write) => {
    const { accepted, pending, rejected, duplicates } = campaign.known;
    rejects.addUpload(upload, header);
    campaign.update({
      accepted: accepted + counts.accepted,
      pending: pending + counts.accepted,
      rejected: rejected + counts.rejected,
      duplicates: duplicates + counts.duplicates,
      columns: JSON.stringify(columns),
      assumed: assumed
        ? JSON.stringify(withAssumed(recordedAssumptions(campaign.known.assumed), assumed))
        : campaign.known.assumed,
      append_after: null,
      updated_at: now,
    });
    audits.add("add_contacts", author, now);
    write({ ...campaignEntry(store, "contacts_added", author.actor), detail: String(counts.accepted) });
  }, now);
}

/** Undoes an upload that was not read to its end, step by step: the campaign is as it was before. */
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

/**
 * The columns of a first upload that were not noted: those of the contacts, and that of the numbers where a reject's
 * reason shows it, else in front.
 */
export function firstHeader({ campaign, rejects }: Pick<CampaignStore, "campaign" | "rejects">): UploadHeader {
  const columns: string[] = JSON.parse(campaign.known.columns);
  const [told] = rejects.page(0, 1_000).flatMap(({ reason, row }) => {
    const [, number] = /^phone_number "(.*)" is not a phone number/s.exec(reason) ?? [];
    return number === undefined ? [] : [row.findIndex((cell) => cell.trim().slice(0, 40) === number)];
  });
  const phone = Math.max(0, told ?? 0);
  const names = columns.toSpliced(phone, 0, "phone_number");
  return { names, phone, extra: Math.max(0, rejects.longest() - names.length) };
}
