import type { Author } from "../../kernel/db/account-store.ts";
import type { AssumedNumbers, ImportBatch, ImportCounts, ImportedContact, UploadHeader } from "../../lists/rows.ts";
import type { CampaignSettings } from "../settings.ts";
import type { CampaignRow } from "./campaign-row.ts";
import type { CampaignStore } from "./campaign-store.ts";
import { campaignEntry } from "./campaign-transitions.ts";

/** The facts about a new campaign that are known before its upload is read. */
export type NewCampaign = Pick<CampaignRow, "id" | "account" | "settings" | "created_by" | "created_at">;

export const FIRST_UPLOAD = 0;

/** Begins a campaign whose upload is about to be read. */
export function beginImport(store: CampaignStore, campaign: NewCampaign, author: Author): void {
  store.transaction((write) => {
    store.createTables();
    store.campaign.create(campaign);
    store.audits.add("create", author, campaign.created_at);
    write(campaignEntry(store, "importing", campaign.created_by));
  }, campaign.created_at);
}

/**
 * Stores a batch of the campaign's first upload. Duplicate numbers are found by `settleNumbers`, or at once after it
 * has run.
 */
export function addBatch(store: CampaignStore, batch: ImportBatch, now: number): void {
  const { imports, rejects } = store;
  store.transaction(() => {
    if (imports.phonesIndexed) return count(store, storeDistinct(store, batch, FIRST_UPLOAD, now), now);
    imports.import(batch.contacts, FIRST_UPLOAD, now);
    rejects.rememberWritten(batch.contacts, FIRST_UPLOAD);
    rejects.add(batch.rejects, FIRST_UPLOAD);
    count(store, { accepted: batch.contacts.length, rejected: batch.rejects.length, duplicates: 0 }, now);
  }, now);
}

/**
 * Stores a batch of an upload and looks up its numbers. A row is skipped if a contact already has its number, or if the
 * number occurred earlier in the batch. `arrange` reorders the cells of a contact to match the campaign's columns. Part
 * of the caller's transaction.
 */
export function storeDistinct(
  { imports, rejects }: CampaignStore,
  batch: ImportBatch,
  upload: number,
  now: number,
  arrange: (cells: string[]) => string[] = (cells) => cells,
): ImportCounts {
  const taken = imports.taken(batch.contacts.map(digits));
  const fresh: ImportedContact[] = [];
  const repeated: ImportedContact[] = [];
  for (const contact of batch.contacts) {
    const phone = digits(contact);
    (taken.has(phone) ? repeated : fresh).push(contact);
    taken.add(phone);
  }
  imports.import(
    fresh.map((contact) => ({ ...contact, variables: arrange(contact.variables) })),
    upload,
    now,
  );
  rejects.addDuplicates(repeated, upload);
  rejects.add(batch.rejects, upload);
  return { accepted: fresh.length, rejected: batch.rejects.length, duplicates: repeated.length };
}

function digits({ phone_number }: ImportedContact): number {
  return Number(phone_number.slice(1));
}

function count({ campaign }: CampaignStore, more: ImportCounts, now: number): void {
  const { accepted, pending, rejected, duplicates } = campaign.existing;
  campaign.update({
    accepted: accepted + more.accepted,
    pending: pending + more.accepted,
    rejected: rejected + more.rejected,
    duplicates: duplicates + more.duplicates,
    updated_at: now,
  });
}

/** Adds the import's progress to the history, and so to the event stream. */
export function showProgress(store: CampaignStore, now: number): void {
  store.transaction((write) => write(campaignEntry(store, "importing", null)), now);
}

/** Removes the rejects of the first upload after a line that lacked only a country, to be read again. */
export function takeNationalRejects(
  store: CampaignStore,
  afterLine: number,
  limit: number,
  now: number,
): { line: number; row: string[] }[] {
  const { campaign, rejects } = store;
  return store.transaction(() => {
    const rows = rejects.takeNational(FIRST_UPLOAD, afterLine, limit);
    if (rows.length > 0) campaign.update({ rejected: campaign.existing.rejected - rows.length });
    return rows;
  }, now);
}

/**
 * Does the steps that need all contacts: building indexes and dropping repeated numbers. `finishImport` comes
 * afterwards.
 * @param inOrder the row of the last contact that is stored in the order of the file
 */
export function* settleImport(
  store: CampaignStore,
  now: () => number,
  inOrder = Number.MAX_SAFE_INTEGER,
): Generator<void, void> {
  yield* settleNumbers(store, now, inOrder);
  store.transaction(() => store.contacts.indexDue(), now());
  yield;
}

/** Drops duplicate numbers in steps. From then on they are found when they are stored. */
export function* settleNumbers(store: CampaignStore, now: () => number, inOrder: number): Generator<void, void> {
  if (store.imports.phonesIndexed) return;
  store.transaction(() => store.imports.indexPhones(), now());
  yield;
  for (let from: number | null = 0; from !== null; yield) from = dropRepeated(store, from, inOrder, now());
  if (store.campaign.existing.duplicates === 0) return;
  store.transaction(() => store.imports.noteGaps(), now());
  yield;
}

function dropRepeated(store: CampaignStore, from: number, inOrder: number, now: number): number | null {
  const { campaign, imports, rejects } = store;
  return store.transaction(() => {
    const { accepted, pending, duplicates } = campaign.existing;
    const { rows, next } = imports.repeated(from, inOrder);
    const dropped = rows.length;
    if (dropped > 0) {
      rejects.addDropped(rows);
      imports.drop(rows.map(([row]) => row));
      campaign.update({
        accepted: accepted - dropped,
        pending: pending - dropped,
        duplicates: duplicates + dropped,
      });
    }
    return next;
  }, now);
}

/** Ends the import: the campaign becomes a draft that can be started. */
export function finishImport(
  store: CampaignStore,
  settings: CampaignSettings,
  columns: string[],
  now: number,
  header: UploadHeader,
  assumed: AssumedNumbers | null = null,
): void {
  const { campaign, rejects } = store;
  store.transaction((write) => {
    rejects.clearNumbersAsSent();
    rejects.addUpload(FIRST_UPLOAD, header);
    campaign.update({
      settings: JSON.stringify(settings),
      columns: JSON.stringify(columns),
      assumed: assumed && JSON.stringify([assumed]),
      importing: 0,
      status_reason: null,
      updated_at: now,
    });
    write(campaignEntry(store, "created", campaign.existing.created_by));
  }, now);
}
