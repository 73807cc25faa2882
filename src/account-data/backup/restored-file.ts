import { accountStore } from "../../kernel/durable/account-stores.ts";
import { bodyDeadline, MAX_FILE_MS } from "../../kernel/http/body-deadline.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { prefixOf } from "../stores.ts";
import { type BucketName, bucketOf, COPIED_BUCKETS } from "./walk.ts";

/** A file of a backup, as it arrives. */
export interface RestoredFile {
  bucket: BucketName;
  name: string;
  /** The media type in the backup. */
  type: string;
  body: ReadableStream<Uint8Array> | null;
  /** The file's length, bytes. */
  length: number;
}

const AUTHOR = { actor: "system:restore", request_id: "" };

/**
 * Stores a file that the restored ledger lists, as a stream; an incomplete file is not stored. Its media type is always
 * one that the store allows, regardless of the backup, and browsers execute none of these. A row has at most two files.
 * @throws ApiError 404 for a file without a row, 413
 */
export async function storeFile(env: Env, account: string, file: RestoredFile): Promise<void> {
  const { bucket, name, type, length } = file;
  const store = COPIED_BUCKETS.find(({ backup }) => backup === bucket);
  const files = bucketOf(env, bucket);
  if (!store || !files) throw notFound("store");
  const { most, file: pattern } = store;
  if (length > most) throw new ApiError(413, "body_too_large", `the file is larger than ${most} bytes`);
  const [, id] = pattern.exec(name) ?? [];
  const context = { env, store: accountStore(env, account, AUTHOR) };
  if (id === undefined || !(await store.isListed(context, id)))
    throw new ApiError(404, "file_not_listed", `the restored account has no row for this file of ${bucket}`);
  const contentType = store.mediaType(type);
  const { readable, writable } = new FixedLengthStream(length);
  const body = file.body ?? new Blob([]).stream();
  const put = files.put(`${prefixOf(account)}${name}`, readable, { httpMetadata: { contentType } });
  const stopped = new AbortController();
  const deadline = bodyDeadline(MAX_FILE_MS, (reason) => stopped.abort(reason));
  try {
    await Promise.all([put, body.pipeTo(writable, { signal: stopped.signal })]);
  } finally {
    deadline.end();
    deadline.assertNotOver();
  }
}
