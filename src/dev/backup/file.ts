import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { frame, nameOf, type Record_, records, Tally, type Totals } from "./records.ts";
import { freshSalt, HEAD_BYTES, type Keys, keysOf, opened, saltIn, sealed } from "./sealed-file.ts";

/** Writes a backup and returns a summary of its content. The file appears under its name only when it is complete. */
export async function writeBackup(
  path: string,
  passphrase: string,
  source: (keys: Keys) => AsyncIterable<Record_>,
): Promise<Totals> {
  const salt = freshSalt();
  const keys = await keysOf(passphrase, salt);
  const tally = new Tally();
  // Each process writes its own partial file, so that two runs for one file both produce a complete file.
  const partial = `${path}.${process.pid}.partial`;
  async function* frames(): AsyncGenerator<Buffer> {
    for await (const record of source(keys)) {
      tally.add(record);
      yield frame(record);
    }
    yield frame({ type: "end", value: tally.totals });
  }
  try {
    const file = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(Readable.from(sealed(frames(), keys, salt), { objectMode: false }), file);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return tally.totals;
}

export interface OpenBackup {
  keys: Keys;
  /** Reads the records from the first. @throws DamagedBackup, which names the part */
  records(): AsyncGenerator<Record_>;
}

/** @throws DamagedBackup if the file is not a backup */
export async function openBackup(path: string, passphrase: string): Promise<OpenBackup> {
  const salt = await saltOf(path);
  const keys = await keysOf(passphrase, salt);
  return {
    keys,
    records: () => {
      let last = "the header";
      const body = createReadStream(path, { start: HEAD_BYTES, highWaterMark: 256 * 1024 });
      const plain = opened(body, keys, salt, () => (last === "the header" ? last : `the part after ${last}`));
      return records(plain, (record) => {
        last = nameOf(record);
      });
    },
  };
}

async function saltOf(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0).finally(() => handle.close());
  return saltIn(head.subarray(0, bytesRead));
}

/**
 * Checks whether the file exists and begins as a backup does. Such a file is complete, because only complete files get
 * their name.
 */
export function isBackup(path: string): Promise<boolean> {
  return saltOf(path).then(
    () => true,
    () => false,
  );
}

/** Reads a backup to its end to check it. @throws DamagedBackup */
export async function verifyBackup({ records: read }: OpenBackup): Promise<{ head: Record_; totals: Totals }> {
  let head: Record_ | undefined;
  let totals: Totals = {};
  for await (const record of read()) {
    head ??= record;
    if (record.type === "end") totals = record.value;
  }
  if (head?.type !== "head") throw new Error("the backup has no header");
  return { head, totals };
}
