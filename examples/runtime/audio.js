/* Sound as 16-bit samples: what carriers send and take, a tone, and where somebody speaks. No I/O. */

/** What is sent at a time, ms. */
export const FRAME_MS = 20;

const BIAS = 0x84;
const CLIP = 32_635;

/** One G.711 µ-law byte as a sample. */
function fromMulawByte(byte) {
  const bits = ~byte & 0xff;
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4);
  return bits & 0x80 ? BIAS - magnitude : magnitude - BIAS;
}

const MULAW = Int16Array.from({ length: 256 }, (_, byte) => fromMulawByte(byte));

/**
 * G.711 µ-law, as telephone networks have it, to samples.
 * @param {Uint8Array} bytes
 * @returns {Int16Array}
 */
export function fromMulaw(bytes) {
  return Int16Array.from(bytes, (byte) => MULAW[byte]);
}

/**
 * Samples to G.711 µ-law.
 * @param {Int16Array} samples
 * @returns {Uint8Array}
 */
export function toMulaw(samples) {
  return Uint8Array.from(samples, (sample) => {
    const magnitude = Math.min(CLIP, Math.abs(sample)) + BIAS;
    const exponent = 24 - Math.clz32(magnitude);
    const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
    return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
  });
}

/**
 * 16-bit little-endian PCM to samples; half a sample at the end is left out.
 * @param {Uint8Array} bytes
 * @returns {Int16Array}
 */
export function fromL16(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.byteLength >> 1 }, (_, i) => view.getInt16(2 * i, true));
}

/**
 * Samples to 16-bit little-endian PCM.
 * @param {Int16Array} samples
 * @returns {Uint8Array}
 */
export function toL16(samples) {
  const view = new DataView(new ArrayBuffer(2 * samples.length));
  samples.forEach((sample, i) => {
    view.setInt16(2 * i, sample, true);
  });
  return new Uint8Array(view.buffer);
}

/** Of a tone's beginning and end so much is faded, ms: else it clicks. */
const FADE_MS = 10;

/**
 * A tone.
 * @param {number} rate samples a second
 * @param {number} hz
 * @param {number} ms
 * @returns {Int16Array}
 */
export function tone(rate, hz, ms, level = 8_000) {
  const n = Math.round((rate * ms) / 1000);
  const fade = (rate * FADE_MS) / 1000;
  return Int16Array.from({ length: n }, (_, i) => {
    const gain = Math.min(1, i / fade, (n - 1 - i) / fade);
    return Math.round(level * gain * Math.sin((2 * Math.PI * hz * i) / rate));
  });
}

/**
 * How loud it is (root mean square).
 * @param {Int16Array} samples
 */
export function loudness(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/**
 * Several pieces of sound as one.
 * @param {Int16Array[]} pieces
 * @returns {Int16Array}
 */
export function joined(pieces) {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Louder than this is taken for speech: lines hum. */
const SPEECH_LEVEL = 500;
/** Speech begins after so much of it, ms. */
const BEGINS_AFTER_MS = 60;
/** It is over after so much silence, ms. */
export const OVER_AFTER_MS = 600;
/** Nobody is listened to for longer at a time, ms. */
const LONGEST_MS = 10_000;

/** Finds where somebody speaks. A runtime with a vendor would have the vendor do this. */
export class Listener {
  #rate;
  /** @type {Int16Array[]} What may be, or is, speech. */
  #heard = [];
  #heardMs = 0;
  #quietMs = 0;
  #speaking = false;

  /** @param {number} rate samples a second */
  constructor(rate) {
    this.#rate = rate;
  }

  /**
   * Takes in what was heard next. Gives "began" once somebody speaks, and what was said once they are silent again.
   * @param {Int16Array} samples
   * @returns {null | "began" | Int16Array}
   */
  take(samples) {
    const ms = (1000 * samples.length) / this.#rate;
    const isLoud = loudness(samples) > SPEECH_LEVEL;
    this.#quietMs = isLoud ? 0 : this.#quietMs + ms;
    if (!this.#speaking && !isLoud) {
      this.reset();
      return null;
    }
    this.#heard.push(samples);
    this.#heardMs += ms;
    if (!this.#speaking) {
      this.#speaking = this.#heardMs >= BEGINS_AFTER_MS;
      return this.#speaking ? "began" : null;
    }
    if (this.#quietMs < OVER_AFTER_MS && this.#heardMs < LONGEST_MS) return null;
    const all = joined(this.#heard);
    const said = all.subarray(0, all.length - Math.round((this.#quietMs * this.#rate) / 1000));
    this.reset();
    return said;
  }

  /** Discards what was heard so far. */
  reset() {
    this.#heard = [];
    this.#heardMs = 0;
    this.#quietMs = 0;
    this.#speaking = false;
  }
}
