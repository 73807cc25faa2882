import { decodeField, type MultipartError, make } from "multipasta";

const MAX_FILE = 100 * 1024 * 1024;
/** Bytes of an upload, its faults included, that are read at all. */
const MAX_RECEIVED = MAX_FILE + 32 * 1024 * 1024;
/** Bytes are taken from the body in pieces of this size: by itself it comes in chunks of about 4 KB. */
const PIECE = 256 * 1024;

/** The upload as a form is not usable. */
export class InvalidUpload extends Error {}
/** The file is over 100 MB. */
export class UploadTooLarge extends Error {}

export interface UploadHandlers {
  /** A text field, wherever it stands in the form. */
  field(name: string, value: string): void;
  /** Some bytes of the file `contacts`. */
  contacts(bytes: Uint8Array): void;
}

/**
 * Takes a multipart form apart as it arrives (RFC 7578): fields and pieces of the file are handed on, nothing is kept.
 * @throws InvalidUpload, UploadTooLarge, and whatever the handlers throw
 */
export async function readUpload(request: Request, handlers: UploadHandlers): Promise<void> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) throw new InvalidUpload("the body must be multipart/form-data");
  if (!/boundary=/i.test(contentType) || !request.body)
    throw new InvalidUpload("the multipart form has no boundary or no body");
  let failure: unknown;
  let files = 0;
  let size = 0;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  const parser = make({
    headers: { "content-type": contentType },
    isFile: (info) => info.name === "contacts" || info.filename !== undefined,
    maxFieldSize: 64 * 1024,
    maxParts: 100,
    onField: (info, value) => handlers.field(info.name, decodeField(info, value)),
    onFile: (info) => {
      if (info.name !== "contacts") return () => {};
      if (++files > 1) fail(new InvalidUpload("the form has more than one file contacts"));
      return (chunk) => {
        if (chunk === null || failure !== undefined) return;
        size += chunk.length;
        if (size > MAX_FILE) fail(new UploadTooLarge("the file is over 100 MB"));
        else guarded(() => handlers.contacts(chunk), fail);
      };
    },
    onError: (error) => fail(new InvalidUpload(explain(error))),
    onDone: () => {},
  });
  let received = 0;
  for await (const piece of pieces(request.body)) {
    received += piece.length;
    if (failure === undefined) guarded(() => parser.write(piece), fail);
    // What follows a failure is read and thrown away: a client cut off while it sends never gets to see the answer.
    else if (received > MAX_RECEIVED) throw failure;
  }
  if (failure !== undefined) throw failure;
  guarded(() => parser.end(), fail);
  if (failure !== undefined) throw failure;
  if (files === 0) throw new InvalidUpload("the form has no file contacts");
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  for (;;) {
    const { value, done } = await reader.readAtLeast(PIECE, new Uint8Array(PIECE));
    if (value && value.length > 0) yield value;
    if (done) return;
  }
}

function guarded(work: () => void, fail: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    fail(error);
  }
}

function explain(error: MultipartError): string {
  switch (error._tag) {
    case "EndNotReached":
      return "the multipart form ends before its last boundary";
    case "ReachedLimit":
      return error.limit === "MaxParts" ? "the form has too many parts" : "a form field is too long";
    default:
      return "the multipart form is malformed";
  }
}
