import { readFile } from "node:fs/promises";

/** Audio samples and their rate per second. */
export interface Sound {
  rate: number;
  samples: Int16Array;
}

const SPEECH_RATE = 16_000;
const SPEECH_MS = 1_200;

/** Returns a buzz in syllables. Voice detectors take it for speech, but no recognizer can transcribe it. */
export function buzz(): Sound {
  const samples = Int16Array.from({ length: (SPEECH_RATE * SPEECH_MS) / 1000 }, (_, i) => {
    const t = i / SPEECH_RATE;
    const syllable = 0.55 + 0.45 * Math.sin(2 * Math.PI * 4 * t);
    const voice = [1, 2, 3, 4, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * 140 * n * t) / n, 0);
    return Math.round(6_000 * syllable * voice);
  });
  return { rate: SPEECH_RATE, samples };
}

/** Reads a WAV file with 16-bit PCM in one channel. @throws Error for any other format */
export async function wav(path: string): Promise<Sound> {
  const bytes = await readFile(path);
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)) {
    const chunk = bytes.toString("latin1", at, at + 4);
    if (chunk === "fmt ") {
      const [format, channels, bits] = [at + 8, at + 10, at + 22].map((offset) => bytes.readUInt16LE(offset));
      if (format !== 1 || channels !== 1 || bits !== 16) break;
      rate = bytes.readUInt32LE(at + 12);
    }
    if (chunk === "data" && rate > 0)
      return { rate, samples: fromL16(bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4))) };
  }
  throw new Error(`${path} is not a WAV file with 16-bit PCM in one channel`);
}

/** Resamples by the nearest samples, which is good enough to be understood. */
export function resampled({ rate, samples }: Sound, to: number): Int16Array {
  const n = Math.floor((samples.length * to) / rate);
  return Int16Array.from({ length: n }, (_, i) => samples[Math.floor((i * rate) / to)] ?? 0);
}

/** Returns the loudness (root mean square). */
export function loudness(samples: Int16Array): number {
  const sum = samples.reduce((all, sample) => all + sample * sample, 0);
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

export function fromL16(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i));
}

export function toL16(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(2 * samples.length);
  for (const [i, sample] of samples.entries()) bytes.writeInt16LE(sample, 2 * i);
  return bytes;
}

/** Decodes G.711 µ-law: sign, octave and four bits within it, all inverted. */
export function fromMulaw(bytes: Buffer): Int16Array {
  return Int16Array.from(bytes, (inverted) => {
    const bits = ~inverted & 0xff;
    const magnitude = (((bits & 15) * 2 + 33) << ((bits >> 4) & 7)) * 4 - 132;
    return bits & 128 ? -magnitude : magnitude;
  });
}

export function toMulaw(samples: Int16Array): Buffer {
  return Buffer.from(
    Uint8Array.from(samples, (sample) => {
      const biased = Math.min(32_767, Math.abs(sample) + 132);
      const octave = Math.max(0, 31 - Math.clz32(biased) - 7);
      return ~((sample < 0 ? 128 : 0) | (octave << 4) | ((biased >> (octave + 3)) & 15)) & 255;
    }),
  );
}
