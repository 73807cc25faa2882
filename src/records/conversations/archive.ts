import { z } from "zod";
import { STORAGE } from "../../kernel/db/schema/index.ts";
import { archiveKey } from "../ledger/file-keys.ts";
import { type ConversationDetail, TOOL_STATES, toolState } from "./record.ts";
import { NO_TIMING, type Timing, timing } from "./timing.ts";

/**
 * The fields that are read from an archive file: the turns and how they are stored. Everything else is in the row.
 * Fields that an older version did not write get defaults.
 */
const archived = z.object({
  storage: z.enum(STORAGE).default("all"),
  opted_out: z.boolean().default(false),
  documents_late: z.boolean().default(false),
  turns: z.array(
    z.object({
      seq: z.number(),
      at: z.string(),
      role: z.enum(["user", "agent", "tool"]),
      text: z.string().default(""),
      interrupted: z.boolean().default(false),
      lang: z.string().nullable().default(null),
      finish: z.enum(["length", "content_filter"]).nullable().default(null),
      tool_call: z
        .object({
          tool_call_id: z.string(),
          run_id: z.string().nullable().default(null),
          name: z.string(),
          arguments: z.record(z.string(), z.unknown()).default({}),
          state: z.enum(TOOL_STATES).optional(),
          ok: z.boolean().nullable().default(null),
          result: z.unknown().default(null),
          duration_ms: z.number().nullable().default(null),
        })
        .transform(({ state, ...use }) => {
          const { run_id, ok } = use;
          return Object.assign(use, { state: state ?? toolState(ok === null ? null : { ok }, run_id, true) });
        })
        .nullable()
        .default(null),
      sources: z.array(z.object({ document_id: z.string(), chunk: z.number(), heading: z.string() })).default([]),
    }),
  ),
  timing: timing.default(NO_TIMING),
  /** The time zone of the conversation's dates and times. */
  timezone: z.string().default("UTC"),
});

/** Writes a conversation that has ended to R2. Writing it again replaces the file. */
export async function putArchive(
  bucket: Pick<R2Bucket, "put">,
  account: string,
  detail: ConversationDetail,
): Promise<void> {
  const options = { httpMetadata: { contentType: "application/json" } };
  await bucket.put(archiveKey(account, detail.id), JSON.stringify(detail), options);
}

export type Archived = Pick<ConversationDetail, "storage" | "opted_out" | "documents_late" | "turns"> & {
  timing: Timing;
  timezone: string;
};

/** Returns the archived turns of a conversation; null if there is no file. @throws if the file is malformed */
export async function getArchive(bucket: Pick<R2Bucket, "get">, account: string, id: string): Promise<Archived | null> {
  const file = await bucket.get(archiveKey(account, id));
  return file && archived.parse(await file.json());
}
