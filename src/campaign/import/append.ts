import type { Author } from "../../kernel/db/account-store.ts";
import { giveWay } from "../../kernel/durable/give-way.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { conflict, notFound } from "../../kernel/http/errors.ts";
import { discard, type Form } from "../../kernel/http/multipart.ts";
import type { UnknownFields } from "../../kernel/http/unknown-fields.ts";
import { columnKey, MAX_COLUMNS } from "../../lists/columns.ts";
import type { ContactsCsv } from "../../lists/contacts-csv.ts";
import { InvalidCsv } from "../../lists/invalid-csv.ts";
import { MAX_CONTACTS } from "../../lists/limits.ts";
import type { ImportBatch, ImportCounts } from "../../lists/rows.ts";
import { assertRoom } from "../guard.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { appendBatch, beginAppend, finishAppend, undoAppend } from "../store/import-append.ts";
import { positionOf } from "../store/upload-position.ts";
import { appendFields, importOptions } from "../upload-form.ts";
import { LIST_FORM } from "./list-form.ts";
import { headerOf, type Intake, readList, tooMany, type Upload } from "./read-list.ts";

export const DELETED_MEANWHILE = "the campaign was deleted while its upload was being read";

export interface UploadClaims {
  appending<T>(reader: Reader, read: (revoked: AbortSignal) => Promise<T>): Promise<T>;
  keepUpload(): Promise<void>;
  uploaded(): Promise<void>;
}

export interface Appended {
  counts: ImportCounts;
  ignored: UnknownFields;
}

/** Adds the contacts of additional uploads to an existing campaign, each upload completely or not at all. */
export class ContactAppend {
  readonly #store: CampaignStore;
  readonly #claims: UploadClaims;
  readonly #most: number;
  /** Whether this instance of the object is reading an upload. */
  #reading = false;

  constructor(store: CampaignStore, claims: UploadClaims, most = MAX_CONTACTS) {
    this.#store = store;
    this.#claims = claims;
    this.#most = most;
  }

  /**
   * Reads an upload into the campaign. Returns the counts of its rows and the ignored form fields. `begun` is called
   * before contacts are stored.
   * @throws ApiError 409 if the campaign is neither draft nor paused, another upload is being read, or its storage is
   * full; 400 as for the upload of a new campaign
   */
  async append(
    { content_type, author, reader, strict }: Upload,
    body: Form["body"],
    begun: () => Promise<void>,
  ): Promise<Appended> {
    let read: Promise<Appended> | null = null;
    try {
      this.#check();
      return await this.#alone(() =>
        this.#claims.appending(reader, async (revoked) => {
          // The campaign may have been started while the gate responded.
          this.#check();
          const upload = beginAppend(this.#store, Date.now());
          await begun();
          const form = { headers: new Headers({ "content-type": content_type }), body, revoked, strict };
          read = this.#read(form, upload, author);
          return await read;
        }),
      );
    } catch (error) {
      if (read === null) await discard(body, LIST_FORM.received);
      throw error;
    }
  }

  /** Does the work unless another upload is being read, and undoes what it stored if it fails. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reading) throw conflict("importing", "another upload is still being read");
    this.#reading = true;
    try {
      return await work();
    } catch (error) {
      if (this.#store.campaign.row === null) throw conflict("campaign_deleted", DELETED_MEANWHILE);
      await this.#undo();
      throw error;
    } finally {
      this.#reading = false;
    }
  }

  /**
   * Handles the alarm: renews the claim of an upload being read, or undoes an interrupted one. Returns false if there
   * is none.
   */
  async round(): Promise<boolean> {
    if (this.#store.campaign.existing.append_after === null) return false;
    if (this.#reading) {
      await this.#claims.keepUpload();
      return true;
    }
    await this.#undo();
    await this.#claims.uploaded();
    return false;
  }

  #check(): void {
    const { row } = this.#store.campaign;
    if (row === null) throw notFound("campaign");
    if (row.importing || row.append_after !== null) throw conflict("importing", "another upload is still being read");
    if (row.status !== "draft" && row.status !== "paused")
      throw conflict(
        "wrong_state",
        `contacts cannot be added to a campaign that is ${row.status}${row.status === "running" ? "; pause it first" : ""}`,
      );
    assertRoom(this.#store);
  }

  async #read(form: Form, upload: number, author: Author): Promise<Appended> {
    const intake = new AppendIntake(this.#store, upload, this.#most);
    const { reader, ignored } = await readList(form, intake, { shape: appendFields, parse: importOptions });
    const { counts, columns } = intake;
    const { assumed } = reader;
    finishAppend(this.#store, { upload, counts, columns, header: headerOf(reader), assumed }, author, Date.now());
    return { counts, ignored };
  }

  async #undo(): Promise<void> {
    for (const _ of undoAppend(this.#store, Date.now)) await giveWay();
  }
}

/** Intake of an additional upload. Its contacts stay invisible until all are stored. */
class AppendIntake implements Intake {
  readonly counts: ImportCounts = { accepted: 0, rejected: 0, duplicates: 0 };
  readonly #store: CampaignStore;
  readonly #upload: number;
  readonly #room: number;
  readonly #most: number;
  #arrangement: Arrangement | null = null;

  constructor(store: CampaignStore, upload: number, most: number) {
    this.#store = store;
    this.#upload = upload;
    this.#most = most;
    this.#room = most - store.campaign.existing.accepted;
  }

  /** The campaign's columns, including new ones. */
  get columns(): string[] {
    return this.#arrangement?.columns ?? JSON.parse(this.#store.campaign.existing.columns);
  }

  take(batch: ImportBatch, { columns }: ContactsCsv): void {
    this.#arrangement ??= arrangementOf(this.columns, columns);
    const { arrange } = this.#arrangement;
    const { accepted, rejected, duplicates } = appendBatch(this.#store, batch, this.#upload, arrange, Date.now());
    this.counts.accepted += accepted;
    this.counts.rejected += rejected;
    this.counts.duplicates += duplicates;
    if (this.counts.accepted > this.#room) throw tooMany(this.#most);
  }

  async settle(): Promise<void> {}

  takeNational(afterLine: number, limit: number) {
    const rows = this.#store.rejects.takeNational(this.#upload, afterLine, limit);
    this.counts.rejected -= rows.length;
    return rows;
  }

  rejects(limit: number) {
    return this.#store.rejects.page(positionOf(this.#upload, 0), limit);
  }
}

interface Arrangement {
  /** The campaign's columns, including new ones. */
  columns: string[];
  /** Reorders a row's cells to match; undefined if the order is the same. */
  arrange: ((cells: string[]) => string[]) | undefined;
}

/** Returns how the cells of a file with these columns map to the campaign's columns. @throws InvalidCsv */
function arrangementOf(existing: string[], columns: string[]): Arrangement {
  const keys = existing.map(columnKey);
  const added = columns.filter((name) => !keys.includes(columnKey(name)));
  const all = [...existing, ...added];
  // The limit includes the phone column.
  if (added.length > 0 && all.length >= MAX_COLUMNS)
    throw new InvalidCsv(`the campaign would have ${all.length + 1} columns; the maximum is ${MAX_COLUMNS}`);
  const allKeys = all.map(columnKey);
  const positions = columns.map((name) => allKeys.indexOf(columnKey(name)));
  if (positions.every((position, i) => position === i)) return { columns: all, arrange: undefined };
  const blank = Array.from({ length: Math.max(...positions) + 1 }, () => "");
  const arrange = (cells: string[]) => {
    const arranged = blank.slice();
    for (const [i, position] of positions.entries()) arranged[position] = cells[i] ?? "";
    return arranged;
  };
  return { columns: all, arrange };
}
