import type { Corrections } from "../../../../../lists/corrections.ts";
import { NotUtf8 } from "../../../../../lists/invalid-csv.ts";
import { Judge, type Verdict } from "./judge.ts";
import type { Encoding, Shape } from "./shape.ts";

const READ_BYTES = 1_000_000;
/** Characters of skipped rows buffered before they go into a Blob. */
const COLLECTED_CHARS = 1_000_000;
const MARK_BYTES = 3;

/** The verdict on a file, what is sent of it, and its skipped rows as CSV. */
export interface Check extends Verdict {
  encoding: Encoding;
  /** The upload: the file in UTF-8, with a header. */
  sent: Blob;
  rejectsCsv: Blob;
  duplicatesCsv: Blob;
}

/** A file, and how it is read. */
export interface Reading {
  file: Blob;
  shape: Shape;
  corrections: Corrections;
  country: string | null;
}

type Progress = (share: number) => void;

/** Reads the whole file as the service will, and judges it. @throws InvalidCsv */
export async function check(reading: Reading, progress: Progress): Promise<Check> {
  const { encoding } = reading.shape;
  try {
    return await checkAs(encoding, reading, progress);
  } catch (error) {
    if (encoding !== "utf-8" || !(error instanceof NotUtf8)) throw error;
    // A later part of the file isn't UTF-8. Older spreadsheets write windows-1252.
    return checkAs("windows-1252", reading, progress);
  }
}

async function checkAs(encoding: Encoding, reading: Reading, progress: Progress): Promise<Check> {
  const sent = await sentFile(reading, encoding);
  const [rejects, duplicates] = [new Pieces(), new Pieces()];
  const judge = new Judge(reading.country, reading.corrections, {
    rejects: (csv) => rejects.add(csv),
    duplicates: (csv) => duplicates.add(csv),
  });
  for (let at = 0; at < sent.size; at += READ_BYTES) {
    judge.push(new Uint8Array(await sent.slice(at, at + READ_BYTES).arrayBuffer()));
    progress(Math.min(1, (at + READ_BYTES) / sent.size));
  }
  const verdict = judge.end();
  return Object.assign(verdict, { encoding, sent, rejectsCsv: rejects.blob(), duplicatesCsv: duplicates.blob() });
}

/** Returns the file to send: in UTF-8, and with a header line if it has none. */
async function sentFile({ file, shape }: Reading, encoding: Encoding): Promise<Blob> {
  const text = encoding === "utf-8" ? file : await inUtf8(file, encoding);
  if (shape.hasHeader) return text;
  const start = encoding === "utf-8" && shape.hasMark ? MARK_BYTES : 0;
  const below = start + new TextEncoder().encode(shape.separatorLine).length;
  const header = `${shape.names.map((name) => `"${name}"`).join(shape.delimiter)}\n`;
  return new Blob([text.slice(start, below), header, text.slice(below)], { type: "text/csv" });
}

function inUtf8(file: Blob, encoding: Encoding): Promise<Blob> {
  const text = file.stream().pipeThrough(new TextDecoderStream(encoding));
  return new Response(text.pipeThrough(new TextEncoderStream())).blob();
}

/** A text of any length. Blobs keep most of it outside of memory. */
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
