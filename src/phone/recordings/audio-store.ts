export { audioKey } from "../../records/ledger/file-keys.ts";

/** Size of the parts of a stream of unknown length, bytes. R2 requires equal parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Maximum size of audio stored in one piece, bytes: one piece is much cheaper than a stream, and takes little memory.
 */
const SMALL_BYTES = 1024 * 1024;

/** Stores audio in R2, long audio as a stream, and returns its size. A stream that breaks leaves nothing behind. */
export async function storeAudio(bucket: R2Bucket, key: string, audio: Response, contentType: string): Promise<number> {
  if (!audio.body) throw new TypeError("no audio arrived");
  const options = { httpMetadata: { contentType } };
  const length = Number(audio.headers.get("content-length") ?? Number.NaN);
  if (Number.isSafeInteger(length) && !audio.headers.has("content-encoding")) {
    if (length <= SMALL_BYTES) return (await bucket.put(key, await whole(audio, length), options)).size;
    const { readable, writable } = new FixedLengthStream(length);
    const [stored] = await Promise.all([bucket.put(key, readable, options), audio.body.pipeTo(writable)]);
    return stored.size;
  }
  const upload = await bucket.createMultipartUpload(key, options);
  try {
    const parts: R2UploadedPart[] = [];
    for await (const part of inParts(audio.body)) parts.push(await upload.uploadPart(parts.length + 1, part));
    return (await upload.complete(parts)).size;
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

async function whole(audio: Response, length: number): Promise<ArrayBuffer> {
  const bytes = await audio.arrayBuffer();
  if (bytes.byteLength !== length)
    throw new TypeError(`${bytes.byteLength} bytes of audio arrived instead of ${length}`);
  return bytes;
}

/** Yields the stream in pieces of equal size. The last one may be smaller; there is one even for an empty stream. */
async function* inParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  yield part.subarray(0, filled);
}

/** Returns the media type if it is an audio type, which browsers do not execute. */
export function audioType(type: string | null): string | undefined {
  return /^audio\/[\w.+-]+/.exec(type ?? "")?.[0];
}
