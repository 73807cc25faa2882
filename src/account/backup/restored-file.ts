import { accountStore } from "../../kernel/durable/account-stores.ts";
import { bodyDeadline, MAX_FILE_MS } from "../../kernel/http/body-deadline.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { MAX_RECORDING_BYTES } from "../../phone/carriers/http.ts";
import { audioType } from "../../phone/recordings/audio-store.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { BUCKETS, type BucketName } from "./walk.ts";

/** A file of a backup, as it arrives. */
export interface RestoredFile {
  bucket: BucketName;
  name: string;
  /** The media type that the backup gives it. */
  type: string;
  body: ReadableStream<Uint8Array> | null;
  /** Bytes. */
  length: number;
}

/** Largest archive of a conversation, bytes: reading one takes a few times its size of an isolate's memory. */
export const MAX_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** The most bytes of a file, and how its name begins with the id of a row of the ledger. */
const RULES = {
  recordings: { most: MAX_RECORDING_BYTES, name: /^([0-9a-f-]{36})$/ },
  conversations: { most: MAX_ARCHIVE_BYTES, name: /^([0-9a-f-]{36})(?:\.analysis)?\.json$/ },
} as const satisfies Record<BucketName, { most: number; name: RegExp }>;

const AUTHOR = { actor: "system:restore", request_id: "" };

/**
 * Stores a file that the restored ledger lists as it arrives; an incomplete file is not stored. Its type is what such a
 * file can have, whatever the backup says: browsers execute none of them. A row has at most two files.
 * @throws ApiError 404 for a file of no row, 413
 */
export async function storeFile(env: Env, account: string, file: RestoredFile): Promise<void> {
  const { bucket, name, type, length } = file;
  const { most, name: pattern } = RULES[bucket];
  if (length > most) throw new ApiError(413, "body_too_large", `the file is larger than ${most} bytes`);
  const [, id] = pattern.exec(name) ?? [];
  if (id === undefined || !(await isListed(env, account, bucket, id)))
    throw new ApiError(404, "file_not_listed", `the restored account has no row for this file of ${bucket}`);
  const contentType = bucket === "recordings" ? (audioType(type) ?? "application/octet-stream") : "application/json";
  const { readable, writable } = new FixedLengthStream(length);
  const body = file.body ?? new Blob([]).stream();
  const put = env[BUCKETS[bucket]].put(`${account}/${name}`, readable, { httpMetadata: { contentType } });
  const stopped = new AbortController();
  const deadline = bodyDeadline(MAX_FILE_MS, (reason) => stopped.abort(reason));
  try {
    await Promise.all([put, body.pipeTo(writable, { signal: stopped.signal })]);
  } finally {
    deadline.end();
    deadline.assertNotOver();
  }
}

async function isListed(env: Env, account: string, bucket: BucketName, id: string): Promise<boolean> {
  const ledger = new Ledger({ env, store: accountStore(env, account, AUTHOR) });
  const row = bucket === "recordings" ? await ledger.recording(id) : await ledger.conversation(id);
  return row !== null;
}
