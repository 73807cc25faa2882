import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

/* docs/decisions/backup.md describes the format. */

const MAGIC = Buffer.from("switchboard-backup\n");
const VERSION = 1;
const SALT_BYTES = 16;
/** scrypt's cost: 128 MiB (2^17 × 8 × 128 bytes) and about a second. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
/** The plain text of a chunk, bytes. */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
export const HEAD_BYTES = MAGIC.length + 1 + SALT_BYTES;

/**
 * Thrown for a file that is not a backup, is damaged, or has another passphrase. The message says which of these, and
 * where.
 */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

/** The key that seals a file, and the key that seals its secrets on the way to and from the service. */
export interface Keys {
  file: Buffer;
  /** Base64 */
  transport: string;
}

/** Derives the keys from a passphrase and the file's salt. */
export async function keysOf(passphrase: string, salt: Buffer, cost = COST): Promise<Keys> {
  const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
  const master = await derive(passphrase.normalize("NFKC"), salt, 32, cost);
  const part = (info: string) => Buffer.from(hkdfSync("sha256", master, salt, info, 32));
  return { file: part("file"), transport: part("secrets").toString("base64") };
}

export const freshSalt = (): Buffer => randomBytes(SALT_BYTES);

function headOf(salt: Buffer): Buffer {
  return Buffer.concat([MAGIC, Buffer.from([VERSION]), salt]);
}

/** Reads the salt from a file's head. @throws DamagedBackup */
export function saltIn(head: Buffer): Buffer {
  if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new DamagedBackup("the file is not a backup, or its header is damaged");
  const version = head[MAGIC.length];
  if (version !== VERSION)
    throw new DamagedBackup(`the file has format version ${version}, but this release reads version ${VERSION}`);
  return head.subarray(MAGIC.length + 1, HEAD_BYTES);
}

/** Returns the nonce of a chunk. It binds the chunk to its position and to whether it is the last. */
function nonce(n: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt8(isLast ? 1 : 0, 0);
  bytes.writeBigUInt64BE(BigInt(n), 4);
  return bytes;
}

function sealChunk(key: Buffer, head: Buffer, n: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce(n, isLast));
  cipher.setAAD(head);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(key: Buffer, head: Buffer, n: number, isLast: boolean, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce(n, isLast), { authTagLength: TAG_BYTES });
  decipher.setAAD(head);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * Splits a stream into pieces of one size, each with whether it is the last. The last piece may be smaller or empty.
 */
async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<[piece: Buffer, isLast: boolean]> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const more of source) {
    held.push(more);
    bytes += more.length;
    // One more byte proves that the piece is not the last.
    if (bytes <= size) continue;
    let all = Buffer.concat(held);
    for (; all.length > size; all = all.subarray(size)) yield [all.subarray(0, size), false];
    held = [all];
    bytes = all.length;
  }
  yield [Buffer.concat(held), true];
}

/** Yields the head and the sealed chunks of a stream. */
export async function* sealed(plain: AsyncIterable<Buffer>, keys: Keys, salt: Buffer): AsyncGenerator<Buffer> {
  const head = headOf(salt);
  yield head;
  let n = 0;
  for await (const [piece, isLast] of inPieces(plain, CHUNK_BYTES))
    yield sealChunk(keys.file, head, n++, isLast, piece);
}

/**
 * Opens the chunks after the head. `reading` names the part being read, for errors. @throws DamagedBackup for a changed,
 * missing, truncated or misplaced chunk
 */
export async function* opened(
  body: AsyncIterable<Buffer>,
  keys: Keys,
  salt: Buffer,
  reading: () => string,
): AsyncGenerator<Buffer> {
  const head = headOf(salt);
  let n = 0;
  for await (const [piece, isLast] of inPieces(body, CHUNK_BYTES + TAG_BYTES)) {
    const plain = openChunk(keys.file, head, n, isLast, piece);
    if (plain === null) {
      const cause = n === 0 ? "the passphrase is wrong, or the file is damaged" : "the file is damaged or incomplete";
      throw new DamagedBackup(`${cause}: ${reading()} cannot be read (chunk ${n})`);
    }
    n++;
    yield plain;
  }
}
