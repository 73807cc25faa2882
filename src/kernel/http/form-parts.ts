import * as HeadersParser from "multipasta/HeadersParser";
import * as Search from "multipasta/Search";

export interface PartInfo {
  /** The name of the part; "" if it has none. */
  name: string;
  fileName: string | undefined;
  /** The media type without parameters. */
  type: string;
  charset: string | undefined;
}

/** Receives the content of a part; null marks its end. */
type Sink = (chunk: Uint8Array | null) => void;

interface Handlers {
  /** Called at the beginning of each part. The returned function receives the content. */
  part(info: PartInfo): Sink;
  /** Called at the last boundary. Anything after it is ignored. */
  done(): void;
  malformed(): void;
}

const CRLF = new TextEncoder().encode("\r\n");
const HYPHEN = 0x2d;

/** Returns the boundary of a multipart form's content type; undefined if it is missing, empty or malformed. */
export function boundaryOf(contentType: string): string | undefined {
  return parametersOf(contentType).get("boundary") || undefined;
}

/**
 * Parses a multipart form piece by piece (RFC 7578). The names of fields and files may contain any characters, because
 * browsers write them as UTF-8 and escape only quotes and line breaks.
 */
export function formParts(boundary: string, handlers: Handlers): { write(piece: Uint8Array): void; end(): void } {
  let [part, isDone, isInHeaders, toSkip] = [0, false, false, 0];
  let sink: Sink | null = null;
  let headers = HeadersParser.make();
  const begin = (chunk: Uint8Array) => {
    sink?.(null);
    sink = null;
    if (chunk[0] === HYPHEN && chunk[1] === HYPHEN) {
      isDone = true;
      return handlers.done();
    }
    headers = HeadersParser.make();
    [isInHeaders, toSkip] = [true, CRLF.length];
  };
  const search = Search.make(`\r\n--${boundary}`, (index, chunk) => {
    // Anything before the first boundary is not a part.
    if (isDone || index === 0) return;
    if (index !== part) {
      part = index;
      begin(chunk);
      if (isDone) return;
    }
    if (!isInHeaders) return sink?.(chunk);
    const read = headers(chunk, toSkip);
    toSkip = 0;
    if (read._tag === "Continue") return;
    isInHeaders = false;
    if (read._tag === "Failure") return handlers.malformed();
    const info = infoOf(read.headers);
    if (info === null) return handlers.malformed();
    sink = handlers.part(info);
    if (read.endPosition < chunk.length) sink(chunk.subarray(read.endPosition));
  });
  // The search expects each boundary at the beginning of a line, including the first.
  search.write(CRLF);
  return { write: (piece) => search.write(piece), end: () => search.end() };
}

function infoOf(headers: Readonly<Record<string, string | string[] | undefined>>): PartInfo | null {
  // If the header was split before its value, the value still has its leading space.
  const disposition = String(headers["content-disposition"] ?? "").trim();
  const given = parametersOf(disposition);
  if (!/^form-data\s*(;|$)/i.test(disposition) || !given.has("name")) return null;
  const contentType = String(headers["content-type"] ?? "");
  const [type = ""] = contentType.split(";");
  const fileName = extended(given.get("filename*")) ?? unescaped(given.get("filename"));
  return {
    name: unescaped(given.get("name")) ?? "",
    fileName,
    type: type.trim().toLowerCase() || (fileName === undefined ? "text/plain" : "application/octet-stream"),
    charset: parametersOf(contentType).get("charset"),
  };
}

/** Returns the parameters of a header by lower-case name, without quotes. */
function parametersOf(header: string): Map<string, string> {
  const found = header.matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+)(?=\s*(?:;|$)))/g);
  return new Map(
    Array.from(found, ([, name = "", quoted, bare = ""]): [string, string] => {
      return [name.toLowerCase(), quoted === undefined ? bare : quoted.replaceAll(/\\(["\\])/g, "$1")];
    }),
  );
}

/** Decodes the escapes that browsers use for quotes and line breaks (HTML, 4.10.22.7). */
function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll(/%22|%0D|%0A/g, (encoded) => decodeURIComponent(encoded));
}

/**
 * Decodes a name in the form `UTF-8''…` (RFC 5987); undefined if it is not in that form.
 * @throws URIError if its encoding is broken
 */
function extended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? "") ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}
