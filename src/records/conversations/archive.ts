import { z } from "zod";
import { STORAGE } from "../../kernel/db/schema/index.ts";
import { archiveKey } from "../ledger/file-keys.ts";
import { type ConversationDetail, TOOL_STATES, toolState } from "./record.ts";
import { NO_TIMING, type Timing, timing } from "./timing.ts";

/**
 * The part of a file that is read: the turns and how they are stored, since the row has the rest. Fields that an older
 * version did not write are filled in.
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
  /** The time zone of its date and time. */
  timezone: z.string().default("UTC"),
});

/** Keeps a conversation that has ended. Doing so again replaces it. */
export async function putArchive(
  bucket: Pick<R2Bucket, "put">,
  account: string,
  detail: ConversationDetail,
): Promise<void> {
  const options = { httpMetadata: { contentType: "application/json" } };
  await bucket.put(archiveKey(account, detail.id), JSON.stringify(detail), options);
}

/** What R2 has of a conversation. */
export type Archived = Pick<ConversationDetail, "storage" | "opted_out" | "documents_late" | "turns"> & {
  timing: Timing;
  timezone: string;
};

/** The turns of a conversation that was kept, null if there is no file. @throws where the file is not one of ours */
export async function getArchive(bucket: Pick<R2Bucket, "get">, account: string, id: string): Promise<Archived | null> {
  const file = await bucket.get(archiveKey(account, id));
  return file && archived.parse(await file.json());
}
