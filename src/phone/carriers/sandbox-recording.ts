const SAMPLE_RATE_HZ = 8_000;
const HEADER_BYTES = 44;
const TONE_HZ = 440;

const SHORTEST_MS = 500;
const LONGEST_MS = 120_000;

let shortest: Uint8Array<ArrayBuffer> | undefined;

export function recordingLength(callMs: number): number {
  return Math.round(Math.min(Math.max(callMs, SHORTEST_MS), LONGEST_MS));
}

/** Returns the sandbox's recording of a call: a tone of this length as WAV, 8 kHz, mono, 8 bits a sample. */
export function sandboxRecording(lengthMs: number): Uint8Array<ArrayBuffer> {
  if (lengthMs > SHORTEST_MS) return makeRecording(lengthMs);
  shortest ??= makeRecording(SHORTEST_MS);
  return shortest;
}

function makeRecording(lengthMs: number): Uint8Array<ArrayBuffer> {
  const samples = Math.round((SAMPLE_RATE_HZ * lengthMs) / 1000);
  const bytes = new Uint8Array(HEADER_BYTES + samples);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => new TextEncoder().encodeInto(text, bytes.subarray(at));
  word(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + samples, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE_HZ, true);
  view.setUint32(28, SAMPLE_RATE_HZ, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, "data");
  view.setUint32(40, samples, true);
  for (let i = 0; i < samples; i++)
    bytes[HEADER_BYTES + i] = 128 + Math.round(60 * Math.sin((2 * Math.PI * TONE_HZ * i) / SAMPLE_RATE_HZ));
  return bytes;
}
