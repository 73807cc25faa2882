import { decodeField, type MultipartError, make } from "multipasta";
import { bodyDeadline, type Later, MAX_BODY_MS, MAX_FILE_MS } from "../../kernel/http/body-deadline.ts";
import { MAX_FILE_BYTES, MAX_ROWS_BYTES } from "../../lists/limits.ts";

/** Most bytes read of an upload, valid or not. */
export const MAX_RECEIVED_BYTES = 132_000_000;
/** The body is read in chunks of this size, since it arrives in chunks of about 4 KB. */
const READ_BYTES = 256 * 1024;
const HYPHEN = 0x2d;

const MALFORMED = "the multipart form is malformed";
const CUT_OFF = "the multipart form ends before its last boundary";
const BROKEN_OFF = "the upload was interrupted";

/** The upload as a form is not usable. */
export class InvalidUpload extends Error {
  /** The field at fault, if it is not the file. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
/** The file is over 100 MB. */
export class UploadTooLarge extends Error {}

/** A multipart form as it arrives. */
export interface Form extends Pick<Request, "headers" | "body"> {
  /** Its sender may not send any more. */
  revoked?: AbortSignal;
  /** The clock of its deadline. */
  after?: Later;
  /** Whether parts that the form does not have refuse it. */
  strict?: boolean;
}

type OpenForm = Omit<Form, "body"> & { body: ReadableStream<Uint8Array> };

export interface UploadHandlers {
  /** Called for each part that is text or JSON. */
  field(name: string, value: string): void;
  /** Called for each other file, which is not read. */
  file?(name: string): void;
  /** Called for each chunk of the file `contacts`. */
  contacts(bytes: Uint8Array): void;
  /** Longer work between two chunks of the file. */
  settle?(): Promise<void>;
}

/**
 * Parses a multipart form as it arrives (RFC 7578): passes fields and chunks of the file on, and keeps nothing.
 * @throws InvalidUpload, UploadTooLarge, and whatever the handlers throw
 */
export async function readUpload(form: Form, handlers: UploadHandlers): Promise<void> {
  const contentType = form.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) throw new InvalidUpload("the body must be multipart/form-data");
  if (!/boundary=/i.test(contentType) || !form.body)
    throw new InvalidUpload("the multipart form has no boundary or no body");
  let failure: unknown;
  let files = 0;
  let size = 0;
  /** Whether the last boundary was read; anything after it is ignored. */
  let done = false;
  const fail = (error: unknown) => {
    if (!done) failure ??= error;
  };
  const parser = make({
    headers: { "content-type": contentType },
    // Browsers and generated clients give a JSON part a file name in order to set its type.
    isFile: ({ name, filename, contentType }) =>
      name === "contacts" || name === "rows" || (filename !== undefined && !/^application\/json\b/i.test(contentType)),
    maxFieldSize: 64 * 1024,
    maxParts: 100,
    onField: (info, value) => {
      if (info.name === "") fail(new InvalidUpload("a part of the form has no name"));
      else if (!done) guarded(() => handlers.field(info.name, decodeField(info, value)), fail);
    },
    onFile: (info) => {
      if (info.name === "rows" && !done) return longField(info.name, handlers, fail);
      if (info.name !== "contacts" && !done) handlers.file?.(info.name);
      if (info.name !== "contacts" || done) return () => {};
      if (++files > 1) fail(new InvalidUpload("the form has more than one file named contacts"));
      return (chunk) => {
        if (chunk === null || failure !== undefined) return;
        size += chunk.length;
        if (size > MAX_FILE_BYTES) fail(new UploadTooLarge("the file is larger than 100 MB"));
        else guarded(() => handlers.contacts(chunk), fail);
      };
    },
    onError: (error) => fail(new InvalidUpload(explain(error))),
    onDone: () => {
      done = true;
    },
  });
  // Only the parser's own errors, about the form, get here; errors of the handlers do not.
  const parse = (work: () => void) => guarded(work, () => fail(new InvalidUpload(MALFORMED)));
  let received = 0;
  for await (const piece of pieces(Object.assign({}, form, { body: form.body }))) {
    received += piece.length;
    // Read on after a failure: a client that is cut off while sending never sees the answer.
    if (received > MAX_RECEIVED_BYTES) throw failure ?? new UploadTooLarge("the form is larger than 132 MB");
    if (failure === undefined && !done) parse(() => parser.write(piece));
    if (failure === undefined) await handlers.settle?.().catch(fail);
  }
  form.revoked?.throwIfAborted();
  if (failure === undefined && !done) parse(() => parser.end());
  if (!done) fail(new InvalidUpload(CUT_OFF));
  if (failure !== undefined) throw failure;
  if (files === 0) throw new InvalidUpload("the form has no file named contacts");
}

/** Collects a field that may be longer than others. */
function longField(name: string, handlers: UploadHandlers, fail: (error: unknown) => void) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let size = 0;
  return (chunk: Uint8Array | null) =>
    guarded(() => {
      size += chunk?.length ?? 0;
      if (size > MAX_ROWS_BYTES)
        throw new InvalidUpload(`must not be larger than ${MAX_ROWS_BYTES.toLocaleString("en")} bytes`, name);
      text += decodedText(decoder, chunk, name);
      if (chunk === null) handlers.field(name, text);
    }, fail);
}

function decodedText(decoder: TextDecoder, chunk: Uint8Array | null, field: string): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new InvalidUpload("must be UTF-8 text", field);
  }
}

/** Reads a body to its end and discards it: a client cut off while sending never sees why it was refused. */
export async function discard(body: Form["body"]): Promise<void> {
  if (body === null) return;
  let received = 0;
  const reader = body.getReader();
  const deadline = bodyDeadline(MAX_BODY_MS, (reason) => void reader.cancel(reason).catch(() => {}));
  try {
    while (received <= MAX_RECEIVED_BYTES) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return;
      received += value?.length ?? 0;
    }
  } finally {
    deadline.end();
  }
}

/** The body in pieces, as long as it may take. @throws InvalidUpload, ApiError 408, and the reason why it was revoked */
async function* pieces({ body, revoked, after }: OpenForm): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  const stop = (reason: unknown) => void reader.cancel(reason).catch(() => {});
  revoked?.addEventListener("abort", () => stop(revoked.reason));
  const deadline = bodyDeadline(MAX_FILE_MS, stop, after);
  try {
    yield* inPieces(reader, () => {
      revoked?.throwIfAborted();
      deadline.assertNotOver();
    });
  } finally {
    deadline.end();
  }
}

/** The pieces that a reader gives; `check` throws where it was stopped. */
async function* inPieces(reader: ReadableStreamBYOBReader, check: () => void): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array();
  for (;;) {
    const { value, done } = await reader.readAtLeast(READ_BYTES, new Uint8Array(READ_BYTES)).catch(() => {
      check();
      throw new InvalidUpload(BROKEN_OFF);
    });
    check();
    let piece = value ?? new Uint8Array();
    if (held.length > 0) {
      const joined = new Uint8Array(held.length + piece.length);
      joined.set(held);
      joined.set(piece, held.length);
      piece = joined;
    }
    // The parser does not recognise the last boundary if its two hyphens are in different chunks.
    const end = !done && piece.at(-1) === HYPHEN ? piece.length - 2 : piece.length;
    held = piece.slice(Math.max(0, end));
    if (end > 0) yield piece.subarray(0, end);
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
      return CUT_OFF;
    case "ReachedLimit":
      return error.limit === "MaxParts" ? "the form has too many parts" : "a form field is too long";
    default:
      return MALFORMED;
  }
}
