import { giveWay } from "../../kernel/durable/give-way.ts";
import type { FieldError } from "../../kernel/http/errors.ts";
import { invalidFields } from "../../kernel/http/issues.ts";
import type { Form } from "../../kernel/http/multipart.ts";
import type { UnknownFields } from "../../kernel/http/unknown-fields.ts";
import { MAX_CONTACTS } from "../../lists/limits.ts";
import type { ImportBatch } from "../../lists/rows.ts";
import { type CampaignSettings, withDefaults } from "../settings.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import {
  addBatch,
  finishImport,
  settleImport,
  settleNumbers,
  showProgress,
  takeNationalRejects,
} from "../store/import-transitions.ts";
import { formFields, importOptions } from "../upload-form.ts";
import { headerOf, type Intake, readList, tooMany } from "./read-list.ts";

/** Contacts between two progress events. */
const PROGRESS_ROWS = 20_000;

/**
 * Reads the upload of a new campaign into its store. Contacts and rejects are stored as they arrive; whether they stay
 * is decided only at the end. Returns the ignored form fields.
 * @throws ApiError invalid_csv, too_many_contacts, body_too_large, unknown_fields
 */
export async function importUpload(
  form: Form,
  store: CampaignStore,
  now: () => number,
  missingReference: (settings: CampaignSettings) => Promise<FieldError[]>,
  most = MAX_CONTACTS,
): Promise<UnknownFields> {
  const intake = new FirstIntake(store, now, most);
  const { reader, options, ignored } = await readList(form, intake, {
    shape: formFields,
    parse: (sent) => {
      const settings = withDefaults(sent, `Campaign ${new Date(now()).toISOString().slice(0, 10)}`);
      return { settings, ...importOptions(sent) };
    },
  });
  const missing = await missingReference(options.settings);
  if (missing.length > 0) throw invalidFields(missing, "invalid_csv");
  for (const _ of settleImport(store, now, intake.inOrder)) await giveWay();
  finishImport(store, options.settings, reader.columns, now(), headerOf(reader), reader.assumed);
  return ignored;
}

/** Intake of a new campaign, which stores contacts directly. */
class FirstIntake implements Intake {
  readonly #store: CampaignStore;
  readonly #now: () => number;
  readonly #most: number;
  #progress = PROGRESS_ROWS;
  /**
   * The row of the last contact that is stored in the order of the file. Later ones are from rejected rows that were
   * read again.
   */
  inOrder = Number.MAX_SAFE_INTEGER;

  constructor(store: CampaignStore, now: () => number, most: number) {
    this.#store = store;
    this.#now = now;
    this.#most = most;
  }

  get counts() {
    return this.#store.campaign.existing;
  }

  take(batch: ImportBatch): void {
    addBatch(this.#store, batch, this.#now());
    const { accepted, rejected, duplicates } = this.counts;
    if (accepted + rejected + duplicates < this.#progress) return;
    this.#progress = accepted + rejected + duplicates + PROGRESS_ROWS;
    showProgress(this.#store, this.#now());
  }

  /** Drops contacts with duplicate numbers, which don't count, before it checks whether the list is too long. */
  async settle(): Promise<void> {
    if (this.counts.accepted <= this.#most) return;
    for (const _ of settleNumbers(this.#store, this.#now, this.inOrder)) await giveWay();
    if (this.counts.accepted > this.#most) throw tooMany(this.#most);
  }

  takeNational(afterLine: number, limit: number) {
    this.inOrder = Math.min(this.inOrder, this.#store.imports.last());
    return takeNationalRejects(this.#store, afterLine, limit, this.#now());
  }

  rejects(limit: number) {
    return this.#store.rejects.page(0, limit);
  }
}
