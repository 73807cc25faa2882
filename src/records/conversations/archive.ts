import { z } from "zod";
import { STORAGE } from "../../kernel/db/schema/index.ts";
import { archiveKey } from "../ledger/file-keys.ts";
import { type ConversationDetail, TOOL_STATES } from "./record.ts";
import { timing } from "./timing.ts";

/** The format of archive files. Increment it if readers of the present format could not read the new one. */
const ARCHIVE_FORMAT = 1;

/**
 * The fields that are read from an archive file: the turns and how they are stored. Everything else is in the row.
 */
const archived = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  storage: z.enum(STORAGE),
  opted_out: z.boolean(),
  documents_late: z.boolean(),
  turns: z.array(
    z.object({
      seq: z.number(),
      at: z.string(),
      role: z.enum(["user", "agent", "tool"]),
      text: z.string(),
      interrupted: z.boolean(),
      lang: z.string().nullable(),
      finish: z.enum(["length", "content_filter"]).nullable(),
      tool_call: z
        .object({
          tool_call_id: z.string(),
          run_id: z.string().nullable(),
          name: z.string(),
          arguments: z.record(z.string(), z.unknown()),
          state: z.enum(TOOL_STATES),
          ok: z.boolean().nullable(),
          result: z.unknown(),
          duration_ms: z.number().nullable(),
        })
        .nullable(),
      sources: z.array(z.object({ document_id: z.string(), chunk: z.number(), heading: z.string() })),
    }),
  ),
  timing,
  /** The time zone of the conversation's dates and times. */
  timezone: z.string(),
});

/** Writes a conversation that has ended to R2. Writing it again replaces the file. */
export async function putArchive(
  bucket: Pick<R2Bucket, "put">,
  account: string,
  detail: ArchivedDetail,
): Promise<void> {
  const options = { httpMetadata: { contentType: "application/json" } };
  await bucket.put(
    archiveKey(account, detail.id),
    JSON.stringify(Object.assign({ format: ARCHIVE_FORMAT }, detail)),
    options,
  );
}

export type Archived = Required<
  Pick<ConversationDetail, "storage" | "opted_out" | "documents_late" | "turns" | "timing" | "timezone">
>;
/** A conversation in the form in which it is archived. */
export type ArchivedDetail = ConversationDetail & Archived;

/** Returns the archived turns of a conversation; null if there is no file. @throws if the file is malformed */
export async function getArchive(bucket: Pick<R2Bucket, "get">, account: string, id: string): Promise<Archived | null> {
  const file = await bucket.get(archiveKey(account, id));
  if (file === null) return null;
  const { format: _format, ...content } = archived.parse(await file.json());
  return content;
}
