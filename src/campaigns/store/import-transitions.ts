import type { Author } from "../../db/account-store.ts";
import type { CampaignSettings } from "../settings.ts";
import type { CampaignRow } from "./campaign-row.ts";
import type { CampaignBook } from "./campaign-store.ts";
import type { ImportBatch } from "./import-batch.ts";

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
  add(batch: ImportBatch, now: number): void {
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

  /** Takes rejects back that lacked a country, those behind a line, to be looked at again. */
  takeNational(afterLine: number, limit: number, now: number): { line: number; row: string[] }[] {
    const { campaign, contacts } = this.#book;
    return this.#book.transaction(() => {
      const rows = contacts.takeNational(afterLine, limit);
      if (rows.length > 0) campaign.update({ rejected: campaign.known.rejected - rows.length });
      return rows;
    }, now);
  }

  /** What needs all contacts, step by step: the indexes, and dropping repeated numbers. `finish` comes after it. */
  *settle(now: () => number): Generator<void, void> {
    const { contacts } = this.#book;
    this.#book.transaction(() => contacts.indexPhones(), now());
    yield;
    for (let from: number | null = 0; from !== null; yield) from = this.#dropRepeated(from, now());
    this.#book.transaction(() => contacts.indexDue(), now());
    yield;
  }

  #dropRepeated(from: number, now: number): number | null {
    const { campaign, contacts } = this.#book;
    return this.#book.transaction(() => {
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
  finish(settings: CampaignSettings, columns: string[], now: number): void {
    const { campaign } = this.#book;
    this.#book.transaction((write) => {
      campaign.update({
        settings: JSON.stringify(settings),
        columns: JSON.stringify(columns),
        importing: 0,
        status_reason: null,
        updated_at: now,
      });
      write(this.#book.campaignEntry("created", campaign.known.created_by));
    }, now);
  }
}
