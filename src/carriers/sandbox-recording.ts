const RATE = 8_000;
const SECONDS = 0.5;
const HEADER = 44;
const TONE_HZ = 440;

let made: Uint8Array<ArrayBuffer> | undefined;

/** The sandbox's recording of any call: half a second of a tone as WAV, 8 kHz, mono, 8 bits a sample. */
export function sandboxRecording(): Uint8Array<ArrayBuffer> {
  made ??= makeRecording();
  return made;
}

function makeRecording(): Uint8Array<ArrayBuffer> {
  const samples = RATE * SECONDS;
  const bytes = new Uint8Array(HEADER + samples);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => new TextEncoder().encodeInto(text, bytes.subarray(at));
  word(0, "RIFF");
  view.setUint32(4, HEADER - 8 + samples, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, "data");
  view.setUint32(40, samples, true);
  for (let i = 0; i < samples; i++)
    bytes[HEADER + i] = 128 + Math.round(60 * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE));
  return bytes;
}

/** How long the recording lasts, ms. */
export const SANDBOX_RECORDING_MS = SECONDS * 1000;
