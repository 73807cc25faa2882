import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frame, nameOf, type Record_, records, Tally } from "../../../src/dev/backup/records.ts";
import {
  freshSalt,
  HEAD_BYTES,
  type Keys,
  keysOf,
  opened,
  saltIn,
  sealed,
} from "../../../src/dev/backup/sealed-file.ts";

/** The cost of the key derivation, reduced for tests. */
const CHEAP = { N: 2, r: 1, p: 1, maxmem: 1024 * 1024 };
const SEED = { seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: 60 };
const salt = freshSalt();
const keys = await keysOf("a long passphrase", salt, CHEAP);

const some: Record_[] = [
  {
    type: "head",
    value: { format: 1, id: "b", taken_at: "", source: "", account: { name: "acme" }, moved: false },
  },
  ...["events", "d1", "campaign/1"].map(
    (store): Record_ => ({
      type: "page",
      value: {
        store,
        steps: 1,
        last: true,
        tables: [{ table: "rows", columns: ["id"], rows: [[1], ["x".repeat(90_000)]] }],
      },
    }),
  ),
  { type: "file", value: { bucket: "recordings", name: "r", type: "audio/mpeg" }, body: Buffer.alloc(200_000, 7) },
];

async function* framed(all: Record_[]): AsyncGenerator<Buffer> {
  const tally = new Tally();
  for (const record of all) {
    tally.add(record);
    yield frame(record);
  }
  yield frame({ type: "end", value: tally.totals });
}

async function gathered<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

const whole = Buffer.concat(await gathered(sealed(framed(some), keys, salt)));

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a file to its end, in pieces of the given size. */
async function read(file: Buffer, by: Keys = keys, size = 50_000): Promise<Record_[]> {
  let last = "the header";
  const plain = opened(cut(file.subarray(HEAD_BYTES), size), by, saltIn(file.subarray(0, HEAD_BYTES)), () => last);
  return gathered(
    records(plain, (record) => {
      last = nameOf(record);
    }),
  );
}

describe("the sealed file of a backup", () => {
  it("has keys that Python's scrypt and HKDF derive from the same passphrase and salt", async () => {
    const derived = await keysOf("a long passphrase", Buffer.from(Array.from({ length: 16 }, (_, n) => n)));
    expect([derived.file.toString("hex"), derived.transport]).toEqual([
      "f355d010cfd2a2710a12a0ceba1a42118309c198b64d738bb5979f56d738149e",
      "V7K2c10nS1GF+65UW5vsPbtPTmQvNkyIR7/ZJEPHF5M=",
    ]);
  });

  it("returns what was written, however its bytes are split", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3_000, max: 300_000 }), async (size) => {
        const found = await read(whole, keys, size);
        expect(found.slice(0, -1)).toEqual(some);
      }),
      { seed: SEED.seed, numRuns: 10 },
    );
  });

  it("refuses a file with any flipped bit, and reports where", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
        await expect(read(changed)).rejects.toThrow(/cannot be read|not a backup|version/);
      }),
      SEED,
    );
  });

  it("refuses a file that was cut anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (end) => {
        await expect(read(whole.subarray(0, end))).rejects.toThrow(/cannot be read|not a backup|incomplete/);
      }),
      SEED,
    );
  });

  it("refuses reordered, repeated and foreign chunks", async () => {
    const chunk = 64 * 1024 + 16;
    const [a, b] = [
      whole.subarray(HEAD_BYTES, HEAD_BYTES + chunk),
      whole.subarray(HEAD_BYTES + chunk, HEAD_BYTES + 2 * chunk),
    ];
    const [head, rest] = [whole.subarray(0, HEAD_BYTES), whole.subarray(HEAD_BYTES + 2 * chunk)];
    await expect(read(Buffer.concat([head, b, a, rest]))).rejects.toThrow(/cannot be read \(chunk 0\)/);
    await expect(read(Buffer.concat([head, a, a, rest]))).rejects.toThrow(/events|head/);
    const other = freshSalt();
    const foreign = Buffer.concat(await gathered(sealed(framed(some), keys, other)));
    const mixed = Buffer.concat([head, a, foreign.subarray(HEAD_BYTES + chunk)]);
    await expect(read(mixed)).rejects.toThrow(/cannot be read \(chunk 1\)/);
  });

  it("names the damaged part", async () => {
    const changed = Buffer.from(whole);
    const at = whole.length - 1_000;
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(read(changed)).rejects.toThrow(/campaign\/1 \(rows\) cannot be read/);
  });

  it("refuses another passphrase, and an end that declares more records than the file has", async () => {
    const others = await keysOf("another passphrase", salt, CHEAP);
    await expect(read(whole, others)).rejects.toThrow(/the passphrase is wrong/);
    async function* short(): AsyncGenerator<Buffer> {
      const tally = new Tally();
      for (const record of some) tally.add(record);
      for (const record of some.slice(0, -1)) yield frame(record);
      yield frame({ type: "end", value: tally.totals });
    }
    const file = Buffer.concat(await gathered(sealed(short(), keys, salt)));
    await expect(read(file)).rejects.toThrow("recordings is incomplete or changed: 0 of 1 records were found");
  });
});
