/** The bytes before the components of a packed vector. They contain the inverse of its length as a 32-bit float. */
const HEAD_BYTES = 4;
const LARGEST = 127;

export function packedBytes(dimensions: number): number {
  return HEAD_BYTES + dimensions;
}

/** Packs vectors one after the other, with one byte per component. */
export function packVectors(vectors: readonly (readonly number[])[]): ArrayBuffer {
  const bytes = packedBytes(vectors[0]?.length ?? 0);
  const packed = new DataView(new ArrayBuffer(vectors.length * bytes));
  for (const [i, vector] of vectors.entries()) {
    const largest = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    let squares = 0;
    for (const [at, component] of vector.entries()) {
      const rounded = Math.round((component / largest) * LARGEST);
      packed.setInt8(i * bytes + HEAD_BYTES + at, rounded);
      squares += rounded * rounded;
    }
    packed.setFloat32(i * bytes, 1 / Math.sqrt(squares));
  }
  return packed.buffer;
}

/** Returns the signs of a vector's components, 32 to a number. A set bit is a positive component. */
export function signsOf(vector: ArrayLike<number>): Int32Array {
  const signs = new Int32Array(Math.ceil(vector.length / 32));
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > 0) signs[i >>> 5] = (signs[i >>> 5] ?? 0) | (1 << (i & 31));
  return signs;
}

/** Packs the signs of vectors one after the other, a bit for each component. */
export function packSigns(vectors: readonly (readonly number[])[]): ArrayBuffer {
  const each = vectors.map(signsOf);
  const words = each[0]?.length ?? 0;
  const packed = new Int32Array(words * each.length);
  for (const [i, signs] of each.entries()) packed.set(signs, i * words);
  return packed.buffer;
}

/**
 * Counts the signs that differ between one vector and each packed one. A smaller count means that the vectors are
 * nearer.
 */
export function signDistances(own: Int32Array, packed: ArrayBuffer): number[] {
  const all = new Int32Array(packed);
  const found: number[] = [];
  for (let from = 0; from + own.length <= all.length; from += own.length) {
    let distance = 0;
    for (let i = 0; i < own.length; i++) distance += bitsOf((own[i] ?? 0) ^ (all[from + i] ?? 0));
    found.push(distance);
  }
  return found;
}

/** Counts the set bits of a 32-bit number: in pairs, then in fours, then in bytes. */
function bitsOf(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (component) => component / length);
}

/** Returns the cosine of the angle between a vector of length 1 and each packed vector. */
export function similarities(unit: Float32Array, packed: ArrayBuffer): number[] {
  const bytes = packedBytes(unit.length);
  const view = new DataView(packed);
  const found: number[] = [];
  for (let from = 0; from + bytes <= packed.byteLength; from += bytes) {
    const components = new Int8Array(packed, from + HEAD_BYTES, unit.length);
    let product = 0;
    for (let i = 0; i < unit.length; i++) product += (unit[i] ?? 0) * (components[i] ?? 0);
    found.push(product * view.getFloat32(from));
  }
  return found;
}
