import { giveWay } from "../../durable/give-way.ts";
import { type CampaignSettings, formFields, withDefaults } from "../settings.ts";
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
import { InvalidUpload, readUpload } from "./multipart.ts";

/** How many bad lines an error names. */
const NAMED = 10;
/** Contacts between two signs of progress. */
const PROGRESS = 20_000;
const PIECE = 5_000;

/** The upload was read, and its content cannot be used; the message is for its owner. */
export class ImportRefused extends Error {}

/**
 * Reads an upload into the book: contacts and rejects are stored as they arrive, whatever the order of the form's
 * parts, and only at the end it is known whether they stay. @throws ImportRefused, UploadTooLarge
 */
export async function importUpload(
  request: Request,
  book: CampaignStore,
  now: () => number,
  missingReference: (settings: CampaignSettings) => Promise<string | null>,
): Promise<void> {
  const fields = new Map<string, string[]>();
  let csv: ContactsCsv | null = null;
  let progress = PROGRESS;
  const take = (batch: ImportBatch) => {
    addBatch(book, batch, now());
    const { accepted, rejected, duplicates } = book.campaign.known;
    if (accepted + rejected + duplicates < progress) return;
    progress = accepted + rejected + duplicates + PROGRESS;
    showProgress(book, now());
  };
  try {
    await readUpload(request, {
      field: (name, value) => fields.set(name, [...(fields.get(name) ?? []), value]),
      contacts: (bytes) => {
        csv ??= new ContactsCsv(fields.get("default_country")?.at(-1)?.toUpperCase() || null);
        const batch = csv.push(bytes);
        if (batch) take(batch);
      },
    });
    const { on_invalid, default_country, ...settings } = parseFields(fields);
    const reader: ContactsCsv = csv ?? new ContactsCsv(default_country);
    take(reader.end());
    reader.country = default_country;
    if (default_country !== null) await reconsider(book, reader, take, now);
    judge(book, on_invalid);
    const missing = await missingReference(settings);
    if (missing) throw new ImportRefused(missing);
    for (const _ of settleImport(book, now)) await giveWay();
    finishImport(book, settings, reader.columns, now());
  } catch (error) {
    if (error instanceof InvalidCsv || error instanceof InvalidUpload) throw new ImportRefused(error.message);
    throw error;
  }
}

function parseFields(fields: Map<string, string[]>) {
  const parsed = formFields.safeParse(Object.fromEntries(fields));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ImportRefused(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  return withDefaults(parsed.data, `Campaign ${new Date().toISOString().slice(0, 10)}`);
}

/** The country of national numbers may stand behind the file in the form. */
async function reconsider(
  book: CampaignStore,
  reader: ContactsCsv,
  take: (batch: ImportBatch) => void,
  now: () => number,
): Promise<void> {
  let line = 0;
  for (;;) {
    const rows = takeNationalRejects(book, line, PIECE, now());
    const last = rows.at(-1);
    if (!last) return;
    line = last.line;
    take(reader.reconsider(rows));
    await giveWay();
  }
}

function judge(book: CampaignStore, onInvalid: "reject" | "skip"): void {
  const { accepted, rejected } = book.campaign.known;
  if (rejected > 0 && (onInvalid === "reject" || accepted === 0)) {
    const named = book.contacts.rejects(0, NAMED).map(({ line, reason }) => `line ${line}: ${reason}`);
    const more = rejected > NAMED ? `; and ${rejected - NAMED} more` : "";
    throw new ImportRefused(`${named.join("; ")}${more}`);
  }
  if (accepted === 0) throw new ImportRefused("the file has a header and no contacts");
}
