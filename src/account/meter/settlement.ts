/**
 * A change of pots. `used` is added to the use in the period that contains `at` (ms), and `reserved` to the
 * reservations.
 */
export interface Change {
  used?: number;
  reserved?: number;
  at: number;
}

/**
 * A reservation that is over. A lapsed one was already charged, in the period in which it was made at `reservedAt`
 * (ms).
 */
export interface Freed {
  amount: number;
  hasLapsed: boolean;
  reservedAt: number;
}

/**
 * Returns the changes that settle `used` against the freed reservations. The use counts at `now` (ms), except for the
 * part that replaces the charge of a lapsed reservation, which belongs to the period in which it was reserved. The
 * newest reservations are filled first, so that no period shows less than was used in it.
 */
export function settlement(used: number, freed: readonly Freed[], now: number): Change[] {
  const reserved = sumOf(freed.filter(({ hasLapsed }) => !hasLapsed));
  const lapsed = freed.filter(({ hasLapsed }) => hasLapsed).toSorted((one, other) => other.reservedAt - one.reservedAt);
  let rest = Math.max(0, used - reserved);
  const corrections = lapsed.map(({ amount, reservedAt }) => {
    const part = Math.min(rest, amount);
    rest -= part;
    return { part, change: { used: part - amount, at: reservedAt } };
  });
  const ofThePast = corrections.reduce((sum, { part }) => sum + part, 0);
  return [...corrections.map(({ change }) => change), { used: used - ofThePast, reserved: -reserved, at: now }];
}

function sumOf(freed: readonly Freed[]): number {
  return freed.reduce((sum, { amount }) => sum + amount, 0);
}
