import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  FRAME_MS,
  fromL16,
  fromMulaw,
  joined,
  Listener,
  loudness,
  toL16,
  toMulaw,
  tone,
} from "../../../examples/runtime/audio.js";
import * as theirs from "../../../packages/runtime-check/src/sound.ts";

const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);
const SAMPLES = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);

describe("the sound of the example runtime", () => {
  it("the sound of the example runtime is the µ-law of G.711", () => {
    // The ends of the range, and the two encodings of silence.
    expect([...fromMulaw(Uint8Array.of(0x00, 0x80, 0x7f, 0xff))]).toEqual([-32_124, 32_124, 0, 0]);
    expect([...fromMulaw(BYTES)]).toEqual([...theirs.fromMulaw(Buffer.from(BYTES))]);
    expect(Buffer.from(toMulaw(SAMPLES)).equals(theirs.toMulaw(SAMPLES))).toBe(true);
    const again = fromMulaw(toMulaw(SAMPLES));
    const tooFar = SAMPLES.filter((sample, i) => Math.abs(sample - (again[i] ?? 0)) > 4 + Math.abs(sample) / 16);
    expect([...tooFar]).toEqual([]);
  });

  it("the sound of the example runtime is converted to 16 bits and back at any offset in a buffer", () => {
    const odd = new Uint8Array(toL16(SAMPLES).length + 1);
    odd.set(toL16(SAMPLES), 1);
    expect(fromL16(odd.subarray(1))).toEqual(SAMPLES);
    expect([...toL16(Int16Array.of(-2))]).toEqual([0xfe, 0xff]);
  });

  it("has tones of the requested length, pitch and loudness", () => {
    const samples = tone(8_000, 440, 500);
    expect(samples).toHaveLength(4_000);
    const crossings = samples.filter(
      (sample, i) => i > 0 && Math.sign(sample) > 0 && (samples[i - 1] ?? 0) <= 0,
    ).length;
    expect(Math.abs(crossings - 220)).toBeLessThan(2);
    expect(loudness(samples)).toBeGreaterThan(5_000);
    expect(Math.abs(samples[0] ?? 1)).toBe(0);
  });
});

describe("the example runtime's listener", () => {
  const rate = 8_000;
  const size = (rate * FRAME_MS) / 1000;
  const frames = (sound: Int16Array) =>
    Array.from({ length: Math.ceil(sound.length / size) }, (_, i) => sound.subarray(i * size, (i + 1) * size));
  const listen = (sound: Int16Array) => {
    const listener = new Listener(rate);
    return frames(sound).flatMap((frame) => listener.take(frame) ?? []);
  };
  const silence = (ms: number) => new Int16Array((rate * ms) / 1000);

  it("finds the words between silences, and ignores a click", () => {
    const spoken = tone(rate, 300, 800);
    const found = listen(joined([silence(200), tone(rate, 900, 20), silence(200), spoken, silence(1_000)]));
    expect(found).toHaveLength(2);
    expect(found[0]).toBe("began");
    expect(Math.abs((found[1]?.length ?? 0) - spoken.length)).toBeLessThan(2 * size);
  });

  it("stops listening to a caller who never pauses", () => {
    const found = listen(tone(rate, 300, 25_000));
    expect(found.filter((one) => one !== "began").map(({ length }) => length / rate)).toEqual([10, 10]);
  });
});

describe("the speech of the check's caller", () => {
  /** Creates a WAV file with these chunks after the header, each with its padding. */
  const file = async (format: number[], samples: Int16Array) => {
    const data = toL16(samples);
    const chunk = (name: string, bytes: Uint8Array) =>
      Buffer.concat([
        Buffer.from(name),
        Buffer.from(Uint32Array.of(bytes.length).buffer),
        bytes,
        Buffer.alloc(bytes.length % 2),
      ]);
    const [kind = 1, channels = 1, rate = 16_000, bits = 16] = format;
    const fmt = Buffer.alloc(16);
    fmt.writeUInt16LE(kind, 0);
    fmt.writeUInt16LE(channels, 2);
    fmt.writeUInt32LE(rate, 4);
    fmt.writeUInt16LE(bits, 14);
    const path = join(folder, `${crypto.randomUUID()}.wav`);
    const chunks = [chunk("LIST", Buffer.from("odd")), chunk("fmt ", fmt), chunk("data", data)];
    await writeFile(path, Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), ...chunks]));
    return path;
  };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "switchboard-wav-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("the check's caller speaks from a WAV file at the line's rate", async () => {
    const samples = Int16Array.from({ length: 320 }, (_, i) => i);
    const sound = await theirs.wav(await file([], samples));
    expect(sound).toEqual({ rate: 16_000, samples });
    expect([...theirs.resampled(sound, 8_000)].slice(0, 4)).toEqual([0, 2, 4, 6]);
  });

  it.each([[[3]], [[1, 2]], [[1, 1, 8_000, 8]]])("a WAV file of the format %j is refused", async (format) => {
    await expect(theirs.wav(await file(format, Int16Array.of(1)))).rejects.toThrow("is not a WAV file with 16-bit PCM");
  });
});
