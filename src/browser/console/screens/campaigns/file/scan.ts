import { Judge, type Verdict } from "./judge.ts";
import { linesAdded, Rewriter, type Rewriting } from "./rewrite.ts";
import type { Encoding } from "./shape.ts";

/** Bytes of a file read at a time. */
const READ_BYTES = 1_000_000;
/** Characters of skipped rows that are collected before they are laid aside. */
const COLLECTED_CHARS = 1_000_000;

/** What a file will become, and the rows that will not be sent on, as CSV. */
export interface Check extends Verdict {
  encoding: Encoding;
  /** Bytes that are sent. */
  bytes: number;
  rejectsCsv: Blob;
  duplicatesCsv: Blob;
}

/** How far reading is, of 1. */
type Progress = (share: number) => void;

/** Reads the whole file as it would be sent, and judges it. @throws InvalidCsv */
export async function check(file: Blob, rewriting: Rewriting, country: string | null, progress: Progress) {
  let encoding = rewriting.shape.encoding;
  try {
    return await checkAs(encoding, file, rewriting, country, progress);
  } catch (error) {
    if (encoding !== "utf-8" || !(error instanceof TypeError)) throw error;
    // Only further down it shows that the file is not UTF-8: it is what spreadsheets write in its place.
    encoding = "windows-1252";
    return checkAs(encoding, file, rewriting, country, progress);
  }
}

async function checkAs(
  encoding: Encoding,
  file: Blob,
  rewriting: Rewriting,
  country: string | null,
  progress: Progress,
): Promise<Check> {
  const [rejects, duplicates] = [new Pieces(), new Pieces()];
  const judge = new Judge(country, linesAdded(rewriting), {
    rejects: (csv) => rejects.add(csv),
    duplicates: (csv) => duplicates.add(csv),
  });
  const encoder = new TextEncoder();
  let bytes = 0;
  for await (const text of rewritten(encoding, file, rewriting, progress)) {
    const encoded = encoder.encode(text);
    bytes += encoded.length;
    judge.push(encoded);
  }
  const verdict = judge.end();
  return Object.assign(verdict, { encoding, bytes, rejectsCsv: rejects.blob(), duplicatesCsv: duplicates.blob() });
}

/** The file as it is sent. It is in pieces which the browser keeps, on disk where they are many. */
export async function rewrite(file: Blob, rewriting: Rewriting, encoding: Encoding, progress: Progress): Promise<Blob> {
  const pieces = new Pieces();
  for await (const text of rewritten(encoding, file, rewriting, progress)) pieces.add(text);
  return pieces.blob();
}

async function* rewritten(
  encoding: Encoding,
  file: Blob,
  rewriting: Rewriting,
  progress: Progress,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8", ignoreBOM: false });
  const rewriter = new Rewriter(rewriting);
  for (let at = 0; at < file.size; at += READ_BYTES) {
    const bytes = await file.slice(at, at + READ_BYTES).arrayBuffer();
    yield rewriter.push(decoder.decode(bytes, { stream: true }));
    progress(Math.min(1, (at + READ_BYTES) / file.size));
  }
  yield rewriter.push(decoder.decode());
  yield rewriter.end();
}

/** A text of any length, of which little is in memory. */
class Pieces {
  readonly #pieces: Blob[] = [];
  #text = "";

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= COLLECTED_CHARS) this.#lay();
  }

  blob(): Blob {
    this.#lay();
    return new Blob(this.#pieces, { type: "text/csv" });
  }

  #lay(): void {
    if (this.#text !== "") this.#pieces.push(new Blob([this.#text]));
    this.#text = "";
  }
}
