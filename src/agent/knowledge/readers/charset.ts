import { Unreadable } from "./read-text.ts";

/** The number of bytes of an HTML page that are searched for its charset. */
const META_BYTES = 2_048;
/** The number of bytes that are examined to detect UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;
const META = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i;

/**
 * Decodes a text by its byte order mark, otherwise by the declared charset, otherwise as UTF-8 or UTF-16 if valid,
 * otherwise as windows-1252.
 * @param declared the charset in the response's header
 * @throws Unreadable if the bytes are not text
 */
export function decodeText(bytes: Uint8Array, { html, declared }: { html: boolean; declared?: string }): string {
  const text = textIn(bytes, html, declared);
  // Text never contains this character.
  if (text.includes("\0")) throw new Unreadable("not_text");
  return text.toWellFormed();
}

function textIn(bytes: Uint8Array, html: boolean, declared: string | undefined): string {
  const marked = charsetOfMark(bytes);
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  const named = decoderOf(declared) ?? (html ? decoderOf(charsetOfMeta(bytes)) : null);
  if (named) return named.decode(bytes);
  try {
    return new TextDecoder(wideCharset(bytes) ?? "utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function charsetOfMark([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : null;
}

function charsetOfMeta(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, META_BYTES));
  const charset = META.exec(beginning)?.[1]?.toLowerCase();
  // A declaration that is readable byte by byte cannot be in UTF-16.
  return charset?.startsWith("utf-16") ? "utf-8" : charset;
}

function decoderOf(charset: string | undefined): TextDecoder | null {
  try {
    return charset === undefined ? null : new TextDecoder(charset);
  } catch {
    return null;
  }
}

/** Detects UTF-16 if nearly every second byte is zero, as in texts of European languages. */
function wideCharset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length * 0.4 && even === 0) return "utf-16le";
  return even > sample.length * 0.4 && odd === 0 ? "utf-16be" : null;
}
