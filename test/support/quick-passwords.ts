import { afterAll, beforeAll } from "vitest";

/**
 * Passwords are hashed so that it takes the processor its time, which tests spend hundreds of times for nothing: here every
 * hash has few rounds, whatever it says. What hashing comes to is for `test/kernel/secrets/passwords.test.ts`, which asks
 * for `slowPasswords`.
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
