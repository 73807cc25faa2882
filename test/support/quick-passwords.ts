import { afterAll, beforeAll } from "vitest";

/**
 * Hashing passwords is meant to cost processor time, which tests would spend hundreds of times for nothing: here every
 * hash has few rounds, whatever it says. The real cost is tested in `test/kernel/secrets/passwords.test.ts`, which uses
 * `slowPasswords`.
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

/** Has passwords hashed as they are outside tests, for the tests of this file. */
export function slowPasswords(): void {
  beforeAll(() => {
    quick = false;
  });
  afterAll(() => {
    quick = true;
  });
}
