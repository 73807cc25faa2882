import { z } from "zod";
import type { Author } from "../../kernel/db/account-store.ts";
import { giveWay } from "../../kernel/durable/give-way.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { ApiError, invalid, invalidField } from "../../kernel/http/errors.ts";
import { unknownFieldsError } from "../../kernel/http/ignored-fields.ts";
import { fieldErrors, invalidFields } from "../../kernel/http/issues.ts";
import { type Form, InvalidUpload, readForm, UploadTooLarge } from "../../kernel/http/multipart.ts";
import { type UnknownFields, unknownFields } from "../../kernel/http/unknown-fields.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import { ContactsCsv } from "../../lists/contacts-csv.ts";
import { NO_CORRECTIONS } from "../../lists/corrections.ts";
import { InvalidCorrections, InvalidCsv } from "../../lists/invalid-csv.ts";
import type { ImportBatch, ImportCounts, UploadHeader } from "../../lists/rows.ts";
import type { Reject } from "../store/rejects.ts";
import { lineOf } from "../store/upload-position.ts";
import { correctionFields, type ImportOptions } from "../upload-form.ts";
import { LIST_FORM } from "./list-form.ts";

const NAMED_LINES = 10;
const REJECTS_A_STEP = 5_000;

export interface Upload {
  content_type: string;
  author: Author;
  /** The console user or key that creates it. */
  created_by: string;
  /** Who sends the list. Their access is checked while it is read. */
  reader: Reader;
  /** The only agents for which the sender may act; null for all. */
  agentIds: AgentIds;
  /** Whether unknown form fields are refused. */
  strict: boolean;
}

export interface Intake {
  /** The counts of rows so far. */
  readonly counts: ImportCounts;
  take(batch: ImportBatch, reader: ContactsCsv): void;
  /** Does longer work between two chunks of the list. @throws ApiError too_many_contacts */
  settle(): Promise<void>;
  /** Removes the rejects after a line that lacked only a country, and returns them to be read again. */
  takeNational(afterLine: number, limit: number): { line: number; row: string[] }[];
  rejects(limit: number): Reject[];
}

/** Returns the error for invalid content of an upload. The message is for the uploader. */
const refused = (message: string) => invalidField("contacts", "invalid_csv", message, message);

export const tooMany = (most: number) =>
  invalid(
    `a campaign can have at most ${most.toLocaleString("en")} contacts; leave some out, or put them in another campaign`,
    "too_many_contacts",
  );

/** The fields of a form besides its file, each with the texts of its parts. */
type Fields = Record<string, string[]>;

/**
 * Reads a form's list of contacts into an intake as it arrives; whether it is valid is known only at the end. The
 * form's parts can be in any order, except that corrections must come before the file.
 * @param shape the form's fields besides its file. Others are ignored, or refused if the form is strict
 * @throws ApiError invalid_csv, too_many_contacts, body_too_large, unknown_fields
 */
export async function readList<S extends z.ZodObject, T extends ImportOptions>(
  form: Form,
  intake: Intake,
  { shape, parse }: { shape: S; parse: (sent: z.output<S>) => T },
): Promise<{ reader: ContactsCsv; options: T; ignored: UnknownFields }> {
  const fields = new Map<string, string[]>();
  const files: string[] = [];
  let csv: ContactsCsv | null = null;
  let hasBegun = false;
  let isRefused = false;
  try {
    await readForm(form, LIST_FORM, {
      otherFile: (name) => {
        files.push(name);
        isRefused ||= form.strict === true;
      },
      field: (name, value) => {
        isRefused ||= form.strict === true && !Object.hasOwn(shape.shape, name);
        const isCorrection = Object.hasOwn(correctionFields.shape, name);
        if (isCorrection && hasBegun) throw new InvalidUpload("must come before the file", name);
        // The last value applies. Corrections may be long, so only the last one is kept.
        fields.set(name, isCorrection ? [value] : [...(fields.get(name) ?? []), value]);
      },
      chunk: (bytes) => {
        // The file is skipped, so that the error can name all unknown fields once they have arrived.
        if (isRefused) return;
        if (!hasBegun) csv = readerFor(fields);
        hasBegun = true;
        const batch = csv?.push(bytes);
        if (csv && batch) intake.take(batch, csv);
      },
      settle: () => intake.settle(),
    });
    const sent = Object.fromEntries(fields);
    const ignored = unknownParts(shape, sent, files);
    if (form.strict && ignored.total > 0) throw unknownFieldsError(ignored);
    const options = parse(parseFields(shape, sent));
    const { default_country, on_invalid } = options;
    const reader: ContactsCsv = csv ?? new ContactsCsv(default_country);
    intake.take(reader.end(), reader);
    await intake.settle();
    reader.country = default_country;
    if (default_country !== null) await reconsider(intake, reader);
    judge(intake, on_invalid);
    return { reader, options, ignored };
  } catch (error) {
    if (error instanceof InvalidCorrections) throw invalidFields(error.problems, "invalid_csv");
    if (error instanceof InvalidUpload && error.field !== undefined)
      throw invalidField(error.field, "invalid_csv", error.message);
    if (error instanceof InvalidCsv || error instanceof InvalidUpload) throw refused(error.message);
    if (error instanceof UploadTooLarge) throw new ApiError(413, "body_too_large", error.message);
    throw error;
  }
}

/**
 * Returns the reader for a file, based on the fields before it. Null if the corrections among them are invalid: the
 * file is then skipped, so that the error can name all invalid fields once they have arrived.
 */
function readerFor(fields: Map<string, string[]>): ContactsCsv | null {
  const parsed = correctionFields.safeParse(Object.fromEntries(fields));
  if (!parsed.success) return null;
  const { columns = NO_CORRECTIONS.columns, rows = NO_CORRECTIONS.rows } = parsed.data;
  for (const name of Object.keys(correctionFields.shape)) fields.delete(name);
  return new ContactsCsv(fields.get("default_country")?.at(-1)?.toUpperCase() || null, { columns, rows });
}

/** Returns the parts of a form that aren't read: unknown fields, and fields sent as files. */
function unknownParts(shape: z.ZodObject, sent: Fields, files: readonly string[]): UnknownFields {
  const { fields, total } = unknownFields(shape.extend({ contacts: z.unknown() }), sent);
  const unread = files.map((name) => ({ path: [name], known: [] }));
  return { fields: [...fields, ...unread], total: total + unread.length };
}

/** Parses the fields by their schema. @throws ApiError with the invalid fields */
function parseFields<S extends z.ZodType>(schema: S, fields: Fields): z.output<S> {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw invalidFields(fieldErrors(parsed.error), "invalid_csv");
  return parsed.data;
}

/** Returns the columns of a list, under which its skipped rows are exported. */
export function headerOf({ layout, mostExtra }: ContactsCsv): UploadHeader {
  return { names: layout?.header ?? [], phone: layout?.phone ?? 0, extra: mostExtra };
}

/** Reads rejected national numbers again, because the country may come after the file in the form. */
async function reconsider(intake: Intake, reader: ContactsCsv): Promise<void> {
  let line = 0;
  for (;;) {
    const rows = intake.takeNational(line, REJECTS_A_STEP);
    const last = rows.at(-1);
    if (!last) return;
    line = last.line;
    intake.take(reader.reconsider(rows), reader);
    await intake.settle();
    await giveWay();
  }
}

function judge(intake: Intake, onInvalid: ImportOptions["on_invalid"]): void {
  const { accepted, rejected, duplicates } = intake.counts;
  const good = accepted + duplicates;
  if (rejected > 0 && (onInvalid === "reject" || good === 0)) {
    const named = intake.rejects(NAMED_LINES).map(({ position, reason }) => `line ${lineOf(position)}: ${reason}`);
    const more = rejected > NAMED_LINES ? `; and ${rejected - NAMED_LINES} more` : "";
    throw refused(`${named.join("; ")}${more} (invalid lines in total: ${rejected})`);
  }
  if (good === 0) throw refused("the file has a header but no contacts");
}
