import { afterAll, beforeAll } from "vitest";

/**
 * Reduces the rounds of every password hash, because tests would otherwise spend much processor time on hundreds of
 * them. `test/kernel/secrets/passwords.test.ts` tests the real cost with `slowPasswords`.
 */
const QUICK_ROUNDS = 1_000;
const { subtle } = crypto;
const deriveBits = subtle.deriveBits.bind(subtle);
let quick = true;

subtle.deriveBits = (algorithm, key, length) => {
  const rounds = typeof algorithm === "string" ? undefined : algorithm.iterations;
  if (!quick || rounds === undefined || rounds <= QUICK_ROUNDS) return deriveBits(algorithm, key, length);
  return deriveBits(Object.assign({}, algorithm, { iterations: QUICK_ROUNDS }), key, length);
};

/** Restores the real number of rounds for the tests of this file. */
export function slowPasswords(): void {
  beforeAll(() => {
    quick = false;
  });
  afterAll(() => {
    quick = true;
  });
}
