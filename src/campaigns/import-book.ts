import type { Author } from "../db/account-store.ts";
import type { CampaignBook } from "./book.ts";
import type { CsvBatch } from "./contacts-csv.ts";
import type { CampaignSettings } from "./settings.ts";
import type { CampaignRow } from "./storage/campaign-row.ts";

/** A campaign to be: what is known before its upload is read. */
export type NewCampaign = Pick<CampaignRow, "id" | "account" | "settings" | "created_by" | "created_at" | "origin">;

/** The part of the campaign's book that tells of its import. */
export class ImportBook {
  readonly #book: CampaignBook;

  constructor(book: CampaignBook) {
    this.#book = book;
  }

  /** Begins a campaign whose upload is about to be read. */
  begin(campaign: NewCampaign, author: Author): void {
    const book = this.#book;
    book.transaction((write) => {
      book.createTables();
      book.campaign.create(campaign);
      book.audits.add("create", author, campaign.created_at);
      write(book.campaignEntry("importing", campaign.created_by));
    }, campaign.created_at);
  }

  /** Stores a batch of the upload. */
  add(batch: CsvBatch, now: number): void {
    const { campaign, contacts } = this.#book;
    this.#book.transaction(() => {
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

  /** Lets those who watch see the import move. */
  progress(now: number): void {
    this.#book.transaction((write) => write(this.#book.campaignEntry("importing", null)), now);
  }

  /** Takes rejects back that lacked a country, to be looked at again. */
  takeNational(limit: number, now: number): { line: number; row: string[] }[] {
    const { campaign, contacts } = this.#book;
    return this.#book.transaction(() => {
      const rows = contacts.takeNational(limit);
      if (rows.length > 0) campaign.update({ rejected: campaign.known.rejected - rows.length });
      return rows;
    }, now);
  }

  /** Ends the import: from here on the campaign is a draft that can be started. */
  finish(settings: CampaignSettings, columns: string[], now: number): void {
    const { campaign, contacts } = this.#book;
    this.#book.transaction((write) => {
      const repeated = contacts.settle();
      const { accepted, pending } = campaign.known;
      campaign.update({
        ...{ accepted: accepted - repeated, pending: pending - repeated, duplicates: repeated },
        ...{ settings: JSON.stringify(settings), columns: JSON.stringify(columns) },
        ...{ importing: 0, status_reason: null, updated_at: now },
      });
      write(this.#book.campaignEntry("created", campaign.known.created_by));
    }, now);
  }
}
