import type { Author } from "../../db/account-store.ts";
import { giveWay } from "../../durable/give-way.ts";
import { ApiError, invalid } from "../../http/errors.ts";
import { fieldErrors, invalidFields } from "../../http/issues.ts";
import { type CampaignSettings, formFields, importOptions, withDefaults } from "../settings.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { ImportBatch } from "../store/import-batch.ts";
import {
  addBatch,
  finishImport,
  settleImport,
  showProgress,
  takeNationalRejects,
} from "../store/import-transitions.ts";
import { ContactsCsv, InvalidCsv } from "./contacts-csv.ts";
import { type Form, InvalidUpload, readUpload, UploadTooLarge } from "./multipart.ts";

/** How many bad lines an error names. */
const NAMED_LINES = 10;
/** Contacts between two signs of progress. */
const PROGRESS_ROWS = 20_000;
const REJECTS_A_STEP = 5_000;

/** What is told of an upload beside its body. */
export interface Upload {
  content_type: string;
  author: Author;
  /** The console user or key that it is created by. */
  created_by: string;
}

/** The upload was read, and its content cannot be used; the message is for its owner. */
const refused = (message: string) => invalid(message, "invalid_csv");

/**
 * Reads an upload into the store: contacts and rejects are stored as they arrive, whatever the order of the form's
 * parts, and only at the end it is known whether they stay. @throws ApiError invalid_csv, body_too_large
 */
export async function importUpload(
  form: Form,
  store: CampaignStore,
  now: () => number,
  missingReference: (settings: CampaignSettings) => Promise<string | null>,
): Promise<void> {
  const fields = new Map<string, string[]>();
  let csv: ContactsCsv | null = null;
  let progress = PROGRESS_ROWS;
  const take = (batch: ImportBatch) => {
    addBatch(store, batch, now());
    const { accepted, rejected, duplicates } = store.campaign.known;
    if (accepted + rejected + duplicates < progress) return;
    progress = accepted + rejected + duplicates + PROGRESS_ROWS;
    showProgress(store, now());
  };
  try {
    await readUpload(form, {
      field: (name, value) => fields.set(name, [...(fields.get(name) ?? []), value]),
      contacts: (bytes) => {
        csv ??= new ContactsCsv(fields.get("default_country")?.at(-1)?.toUpperCase() || null);
        const batch = csv.push(bytes);
        if (batch) take(batch);
      },
    });
    const sent = parseFields(fields);
    const settings = withDefaults(sent, `Campaign ${new Date(now()).toISOString().slice(0, 10)}`);
    const { default_country, on_invalid } = importOptions(sent);
    const reader: ContactsCsv = csv ?? new ContactsCsv(default_country);
    take(reader.end());
    reader.country = default_country;
    if (default_country !== null) await reconsider(store, reader, take, now);
    judge(store, on_invalid);
    const missing = await missingReference(settings);
    if (missing) throw refused(missing);
    for (const _ of settleImport(store, now)) await giveWay();
    finishImport(store, settings, reader.columns, now());
  } catch (error) {
    if (error instanceof InvalidCsv || error instanceof InvalidUpload) throw refused(error.message);
    if (error instanceof UploadTooLarge) throw new ApiError(413, "body_too_large", error.message);
    throw error;
  }
}

function parseFields(fields: Map<string, string[]>) {
  const parsed = formFields.safeParse(Object.fromEntries(fields));
  if (!parsed.success) throw invalidFields(fieldErrors(parsed.error), "invalid_csv");
  return parsed.data;
}

/** The country of national numbers may stand behind the file in the form. */
async function reconsider(
  store: CampaignStore,
  reader: ContactsCsv,
  take: (batch: ImportBatch) => void,
  now: () => number,
): Promise<void> {
  let line = 0;
  for (;;) {
    const rows = takeNationalRejects(store, line, REJECTS_A_STEP, now());
    const last = rows.at(-1);
    if (!last) return;
    line = last.line;
    take(reader.reconsider(rows));
    await giveWay();
  }
}

function judge(store: CampaignStore, onInvalid: "reject" | "skip"): void {
  const { accepted, rejected } = store.campaign.known;
  if (rejected > 0 && (onInvalid === "reject" || accepted === 0)) {
    const named = store.contacts.rejects(0, NAMED_LINES).map(({ line, reason }) => `line ${line}: ${reason}`);
    const more = rejected > NAMED_LINES ? `; and ${rejected - NAMED_LINES} more` : "";
    throw refused(`${named.join("; ")}${more}`);
  }
  if (accepted === 0) throw refused("the file has a header and no contacts");
}
