import { bodyDeadline, type Later, MAX_BODY_MS, MAX_FILE_MS } from "./body-deadline.ts";
import { boundaryOf, formParts, type PartInfo } from "./form-parts.ts";

const MEGABYTE = 1_000_000;
const MAX_PARTS = 100;
/** The maximum size of a field, bytes, unless the form allows more for it. */
const MAX_FIELD_BYTES = 64 * 1024;
/** The body is read in chunks of this size, because it arrives in chunks of about 4 KB. */
const READ_BYTES = 256 * 1024;
const HYPHEN = 0x2d;

const MALFORMED = "the multipart form is malformed";
const CUT_OFF = "the multipart form ends before its last boundary";
const BROKEN_OFF = "the upload was interrupted";

/** Thrown if the form cannot be used. */
export class InvalidUpload extends Error {
  /** The field at fault, if it is not the file. */
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
/** Thrown if the file or the form is too large. */
export class UploadTooLarge extends Error {}

export interface Form extends Pick<Request, "headers" | "body"> {
  /** Aborted when the sender loses access. */
  revoked?: AbortSignal;
  /** The timer of the deadline. */
  after?: Later;
  /** Whether unknown parts are an error. */
  strict?: boolean;
}

type OpenForm = Omit<Form, "body"> & { body: ReadableStream<Uint8Array> };

/** The file in a form, and size limits. */
export interface FormRules {
  /** The name of the part with the file. */
  file: string;
  /** The maximum size of the file, bytes. */
  most: number;
  /** The maximum number of bytes of a form that are read, whether it is valid or not. */
  received: number;
  /** Fields that may be longer than others, with their maximum sizes in bytes. */
  long?: Readonly<Record<string, number>>;
}

export interface FormHandlers {
  /** Called for each part that is text or JSON. */
  field(name: string, value: string): void;
  /** Called for each other file, which is not read. */
  otherFile?(name: string): void;
  /** Called once, before the file's first chunk. */
  begin?(file: { name: string; type: string }): void;
  chunk(bytes: Uint8Array): void;
  /** Does longer work between two chunks of the file. */
  settle?(): Promise<void>;
}

/**
 * Parses a multipart form as it arrives (RFC 7578). It passes on fields and chunks of the file, and stores nothing.
 * @throws InvalidUpload, UploadTooLarge, and anything that the handlers throw
 */
export async function readForm(form: Form, rules: FormRules, handlers: FormHandlers): Promise<void> {
  const contentType = form.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) throw new InvalidUpload("the body must be multipart/form-data");
  if (!/boundary=/i.test(contentType) || !form.body)
    throw new InvalidUpload("the multipart form has no boundary or no body");
  const boundary = boundaryOf(contentType);
  let failure: unknown = boundary === undefined ? new InvalidUpload(MALFORMED) : undefined;
  let files = 0;
  let size = 0;
  /** Whether the last boundary was read. Anything after it is ignored. */
  let done = false;
  const fail = (error: unknown) => {
    if (!done) failure ??= error;
  };
  const theFile = (info: PartInfo) => {
    if (++files > 1) fail(new InvalidUpload(`the form has more than one file named ${rules.file}`));
    else guarded(() => handlers.begin?.({ name: info.fileName ?? "", type: info.type }), fail);
    return (chunk: Uint8Array | null) => {
      if (chunk === null || failure !== undefined) return;
      size += chunk.length;
      if (size > rules.most) fail(new UploadTooLarge(`the file is larger than ${rules.most / MEGABYTE} MB`));
      else guarded(() => handlers.chunk(chunk), fail);
    };
  };
  let parts = 0;
  const parser = formParts(boundary ?? "", {
    part: (info) => {
      const { name, fileName, type } = info;
      if (++parts > MAX_PARTS) fail(new InvalidUpload("the form has too many parts"));
      if (name === rules.file) return theFile(info);
      const most = longest(rules, name);
      if (most !== undefined) return longField({ name, most }, handlers, fail);
      // Browsers and generated clients give a JSON part a file name in order to set its type.
      if (fileName === undefined || type === "application/json") return shortField(info, handlers, fail);
      handlers.otherFile?.(name);
      return () => {};
    },
    malformed: () => fail(new InvalidUpload(MALFORMED)),
    done: () => {
      done = true;
    },
  });
  // Only catches the parser's own errors about the form, not those of the handlers.
  const parse = (work: () => void) => guarded(work, () => fail(new InvalidUpload(MALFORMED)));
  let received = 0;
  for await (const piece of pieces(Object.assign({}, form, { body: form.body }))) {
    received += piece.length;
    // Reading continues after a failure, because a client whose connection closes while it sends never sees the
    // response.
    if (received > rules.received)
      throw failure ?? new UploadTooLarge(`the form is larger than ${rules.received / MEGABYTE} MB`);
    if (failure === undefined && !done) parse(() => parser.write(piece));
    if (failure === undefined) await handlers.settle?.().catch(fail);
  }
  form.revoked?.throwIfAborted();
  if (failure === undefined && !done) parse(() => parser.end());
  if (!done) fail(new InvalidUpload(CUT_OFF));
  if (failure !== undefined) throw failure;
  if (files === 0) throw new InvalidUpload(`the form has no file named ${rules.file}`);
}

/** Returns the maximum size of a field that may be longer than others; undefined for other fields. */
function longest({ long = {} }: FormRules, name: string): number | undefined {
  return Object.hasOwn(long, name) ? long[name] : undefined;
}

function shortField({ name, charset }: PartInfo, handlers: FormHandlers, fail: (error: unknown) => void) {
  const decoder = decoderOf(charset);
  let text = "";
  let size = 0;
  return (chunk: Uint8Array | null) =>
    guarded(() => {
      size += chunk?.length ?? 0;
      if (name === "") throw new InvalidUpload("a part of the form has no name");
      if (size > MAX_FIELD_BYTES) throw new InvalidUpload("a form field is too long");
      text += chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
      if (chunk === null) handlers.field(name, text);
    }, fail);
}

function decoderOf(charset = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function longField(
  { name, most }: { name: string; most: number },
  handlers: FormHandlers,
  fail: (error: unknown) => void,
) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let size = 0;
  return (chunk: Uint8Array | null) =>
    guarded(() => {
      size += chunk?.length ?? 0;
      if (size > most) throw new InvalidUpload(`must not be larger than ${most.toLocaleString("en")} bytes`, name);
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

/**
 * Reads and discards up to `most` bytes of a body, because a client whose connection closes while it sends never sees
 * why it was refused.
 */
export async function discard(body: Form["body"], most: number): Promise<void> {
  if (body === null) return;
  let received = 0;
  const reader = body.getReader();
  const deadline = bodyDeadline(MAX_BODY_MS, (reason) => void reader.cancel(reason).catch(() => {}));
  try {
    while (received <= most) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return;
      received += value?.length ?? 0;
    }
  } finally {
    deadline.end();
  }
}

/**
 * Yields the body in pieces until its deadline.
 * @throws InvalidUpload, ApiError 408, and the reason for a revocation
 */
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

/** Yields the pieces of a reader. `check` throws if the reader was stopped. */
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
    // The parser does not recognize the last boundary if its two hyphens arrive in different chunks.
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
