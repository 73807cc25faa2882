import type { Author } from "../../db/account-store.ts";
import type { CampaignSettings } from "../settings.ts";
import type { CampaignRow } from "./campaign-row.ts";
import type { CampaignStore } from "./campaign-store.ts";
import { campaignEntry } from "./campaign-transitions.ts";
import type { ImportBatch } from "./import-batch.ts";

/** A campaign to be: what is known before its upload is read. */
export type NewCampaign = Pick<CampaignRow, "id" | "account" | "settings" | "created_by" | "created_at">;

/** Begins a campaign whose upload is about to be read. */
export function beginImport(store: CampaignStore, campaign: NewCampaign, author: Author): void {
  store.transaction((write) => {
    store.createTables();
    store.campaign.create(campaign);
    store.audits.add("create", author, campaign.created_at);
    write(campaignEntry(store, "importing", campaign.created_by));
  }, campaign.created_at);
}

/** Stores a batch of the upload. */
export function addBatch(store: CampaignStore, batch: ImportBatch, now: number): void {
  const { campaign, contacts } = store;
  store.transaction(() => {
    contacts.import(batch, now);
    const { accepted, pending, rejected } = campaign.known;
    campaign.update({
      accepted: accepted + batch.contacts.length,
      pending: pending + batch.contacts.length,
      rejected: rejected + batch.rejects.length,
      updated_at: now,
    });
  }, now);
}

/** Adds the import's progress to the history, and so to the event stream. */
export function showProgress(store: CampaignStore, now: number): void {
  store.transaction((write) => write(campaignEntry(store, "importing", null)), now);
}

/** Removes rejects after a line that lacked only a country, to be read again. */
export function takeNationalRejects(
  store: CampaignStore,
  afterLine: number,
  limit: number,
  now: number,
): { line: number; row: string[] }[] {
  const { campaign, contacts } = store;
  return store.transaction(() => {
    const rows = contacts.takeNational(afterLine, limit);
    if (rows.length > 0) campaign.update({ rejected: campaign.known.rejected - rows.length });
    return rows;
  }, now);
}

/** The steps that need all contacts: building indexes and dropping repeated numbers; `finishImport` comes after it. */
export function* settleImport(store: CampaignStore, now: () => number): Generator<void, void> {
  const { contacts } = store;
  store.transaction(() => contacts.indexPhones(), now());
  yield;
  for (let from: number | null = 0; from !== null; yield) from = dropRepeated(store, from, now());
  store.transaction(() => contacts.indexDue(), now());
  yield;
}

function dropRepeated(store: CampaignStore, from: number, now: number): number | null {
  const { campaign, contacts } = store;
  return store.transaction(() => {
    const { accepted, pending, duplicates } = campaign.known;
    const { dropped, next } = contacts.dropRepeated(from);
    if (dropped > 0)
      campaign.update({
        accepted: accepted - dropped,
        pending: pending - dropped,
        duplicates: duplicates + dropped,
      });
    return next;
  }, now);
}

/** Ends the import: from here on the campaign is a draft that can be started. */
export function finishImport(store: CampaignStore, settings: CampaignSettings, columns: string[], now: number): void {
  const { campaign } = store;
  store.transaction((write) => {
    campaign.update({
      settings: JSON.stringify(settings),
      columns: JSON.stringify(columns),
      importing: 0,
      status_reason: null,
      updated_at: now,
    });
    write(campaignEntry(store, "created", campaign.known.created_by));
  }, now);
}
