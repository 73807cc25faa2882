import { createHash } from "node:crypto";
import { DamagedBackup } from "./sealed-file.ts";

/** A record of a backup, in order: the head, pages and files, and finally a summary of them. */
export type Record_ =
  | { type: "head"; value: Head }
  | { type: "page"; value: PageRecord }
  | { type: "file"; value: FileRecord; body: Buffer }
  | { type: "end"; value: Totals };

export interface Head {
  format: 1;
  id: string;
  taken_at: string;
  /** The service from which it was taken, and the account in its state at that time. */
  source: string;
  account: { name: string } & Record<string, unknown>;
  /** Whether the account was disabled at the source, so that it no longer changes there. */
  moved: boolean;
  /** Whether it contains only erasures and opt-outs. */
  erasures?: boolean;
}

export interface PageRecord {
  store: string;
  steps: number;
  tables: { table: string; columns: string[]; rows: (string | number | null)[][] }[];
  last: boolean;
}

export interface FileRecord {
  bucket: string;
  name: string;
  type: string;
}

/** The number of records of each kind, and the hash over them. */
export type Totals = Record<string, { count: number; sha256: string }>;

const TYPES = ["head", "page", "file", "end"] as const;
/** The frame before a record: its type, and the lengths of its JSON and its body. */
const FRAME_BYTES = 9;
/** The largest record, bytes. A page has about 1 MB; a file has at most the size limit of a request. */
const MOST_BYTES = 128 * 1024 * 1024;

/** The largest JSON of a record, bytes: the limit of a request with a page. */
const MOST_JSON_BYTES = 32 * 1024 * 1024;

export function frame(record: Record_): Buffer {
  const json = Buffer.from(JSON.stringify(record.value));
  const body = record.type === "file" ? record.body : Buffer.alloc(0);
  const lengths = Buffer.alloc(FRAME_BYTES);
  lengths.writeUInt8(TYPES.indexOf(record.type), 0);
  lengths.writeUInt32BE(json.length, 1);
  lengths.writeUInt32BE(body.length, 5);
  return Buffer.concat([lengths, json, body]);
}

/** Returns the kinds under which a record is counted, such as `d1/agents`, `campaign/contacts` or `recordings`. */
export function kindsOf(record: Record_): { kind: string; count: number }[] {
  if (record.type === "file") return [{ kind: record.value.bucket, count: 1 }];
  if (record.type !== "page") return [];
  const [store] = record.value.store.split("/");
  return record.value.tables.map(({ table, rows }) => ({ kind: `${store}/${table}`, count: rows.length }));
}

/** Names the part being read, for error messages. */
export function nameOf(record: Record_): string {
  if (record.type === "head") return "the header";
  if (record.type === "end") return "the end";
  if (record.type === "file") return `${record.value.bucket}/${record.value.name}`;
  const tables = record.value.tables.map(({ table }) => table).join(", ");
  return `${record.value.store}${tables ? ` (${tables})` : ""}`;
}

/** Counts and hashes records. The hash of each kind is chained over its records. */
export class Tally {
  readonly #of = new Map<string, { count: number; sha256: string }>();

  add(record: Record_): void {
    const bytes = frame(record);
    for (const { kind, count } of kindsOf(record)) {
      const before = this.#of.get(kind) ?? { count: 0, sha256: "" };
      const sha256 = createHash("sha256").update(before.sha256).update(bytes).digest("hex");
      this.#of.set(kind, { count: before.count + count, sha256 });
    }
  }

  get totals(): Totals {
    return Object.fromEntries([...this.#of].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Yields the records of a stream of frames. Calls `read` before each record. @throws DamagedBackup */
export async function* records(
  stream: AsyncIterable<Buffer>,
  read: (record: Record_) => void,
): AsyncGenerator<Record_> {
  const tally = new Tally();
  let held: Buffer[] = [];
  let bytes = 0;
  let needs = FRAME_BYTES;
  let ended = false;
  for await (const piece of stream) {
    held.push(piece);
    bytes += piece.length;
    while (bytes >= needs) {
      const all = Buffer.concat(held);
      held = [all];
      const whole = FRAME_BYTES + all.readUInt32BE(1) + all.readUInt32BE(5);
      if (whole > MOST_BYTES || all.readUInt32BE(1) > MOST_JSON_BYTES)
        throw new DamagedBackup("a record of the backup is too large, so the file is damaged");
      needs = whole;
      if (bytes < whole) break;
      const record = parse(all.subarray(0, whole));
      held = [all.subarray(whole)];
      bytes -= whole;
      needs = FRAME_BYTES;
      if (record.type === "end") {
        assertSame(record.value, tally.totals);
        ended = true;
      } else tally.add(record);
      read(record);
      yield record;
    }
  }
  if (!ended || bytes > 0)
    throw new DamagedBackup("the backup is incomplete: it was cut off, or writing it was interrupted");
}

function parse(bytes: Buffer): Record_ {
  const jsonEnd = FRAME_BYTES + bytes.readUInt32BE(1);
  const type = TYPES[bytes.readUInt8(0)];
  const value = JSON.parse(bytes.toString("utf8", FRAME_BYTES, jsonEnd));
  if (type === "file") return { type, value, body: bytes.subarray(jsonEnd) };
  if (type === undefined) throw new DamagedBackup("the backup contains an unknown kind of record");
  return { type, value };
}

function assertSame(declared: Totals, found: Totals): void {
  for (const kind of new Set([...Object.keys(declared), ...Object.keys(found)])) {
    const [a, b] = [declared[kind], found[kind]];
    if (a?.count !== b?.count || a?.sha256 !== b?.sha256)
      throw new DamagedBackup(
        `${kind} is incomplete or changed: ${b?.count ?? 0} of ${a?.count ?? 0} records were found`,
      );
  }
}
