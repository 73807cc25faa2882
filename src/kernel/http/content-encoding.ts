import { ApiError } from "./errors.ts";

type Format = "gzip" | "deflate";

/** The supported compressions by their Content-Encoding; `deflate` is the zlib format (RFC 9110, 8.4.1.2). */
const FORMATS = new Map<string, Format>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);
/** The number of bytes that are decompressed at a time. They may expand a thousandfold. */
const PIECE_BYTES = 4 * 1024;
/** The number of bytes of output that are read at a time. Each read takes a turn of the event loop. */
const READ_BYTES = 64 * 1024;

/** Returns the decompressed body, piece by piece as it is read. @throws ApiError 415 */
export function decodedBody(request: Pick<Request, "headers" | "body">): ReadableStream<Uint8Array> | null {
  const encoding = encodingOf(request);
  if (encoding === "identity") return request.body;
  const format = FORMATS.get(encoding);
  if (format === undefined) throw unsupported("a body can be compressed once, with gzip or deflate");
  return request.body && decompressed(request.body, format);
}

/** Refuses a compressed body if its signature covers the body's bytes. @throws ApiError 415 */
export function refuseEncoded(request: Pick<Request, "headers">): void {
  if (encodingOf(request) !== "identity") throw unsupported("a body must not be compressed here", "identity");
}

function encodingOf({ headers }: Pick<Request, "headers">): string {
  return headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}

function unsupported(message: string, taken = "gzip, deflate"): ApiError {
  return new ApiError(415, "unsupported_content_encoding", message, { "accept-encoding": taken });
}

/**
 * Decompresses a body. A piece is written only after the output of the previous one was read. Otherwise the
 * decompressor would buffer all output, and a decompression bomb has a huge one.
 */
function decompressed(body: ReadableStream<Uint8Array>, format: Format): ReadableStream<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  const [source, sink, out] = [piecesOf(body), writable.getWriter(), readable.getReader({ mode: "byob" })];
  let read: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;
  const feed = async () => {
    const { done, value } = await source.next();
    await (done ? sink.close() : sink.write(value));
  };
  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      read ??= out.read(new Uint8Array(READ_BYTES));
      const result = await Promise.race([read, scheduler.wait(0)]);
      if (!result) await feed();
      else {
        read = null;
        if (result.done) return null;
        if (result.value.length > 0) return result.value;
      }
    }
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const piece = await next().catch((error: unknown) => {
        read?.catch(() => {});
        throw broken(error, format);
      });
      if (piece) controller.enqueue(piece);
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
    async cancel(reason) {
      await Promise.allSettled([source.return(undefined), out.cancel(reason)]);
    },
  });
}

function broken(error: unknown, format: string): unknown {
  // A connection that was cut off is not an error of the format.
  return error instanceof SourceBroke
    ? error
    : new ApiError(400, "malformed_content", `the body is not ${format}, although its Content-Encoding says so`);
}

class SourceBroke extends Error {}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield new Uint8Array(chunk.subarray(at, at + PIECE_BYTES));
    }
  } catch (cause) {
    throw new SourceBroke("the body is incomplete", { cause });
  }
}
