/** A change of pots: an addition to the use of the period of `at` (ms), and to what is reserved. */
export interface Change {
  used?: number;
  reserved?: number;
  at: number;
}

/**
 * A reservation that is over; one that lapsed before was charged in the period in which it was made, at `reservedAt`
 * (ms).
 */
export interface Freed {
  amount: number;
  hasLapsed: boolean;
  reservedAt: number;
}

/**
 * Returns the changes that settle `used` against the freed reservations. It counts at `now` (ms), except what replaces
 * the charge of a lapsed reservation: that belongs to the period in which it was reserved. The newest reservations are
 * filled first, so that no period shows less than was used in it.
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
