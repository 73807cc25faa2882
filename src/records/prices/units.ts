/** The units of prices. A price is a whole number of millionths of a dollar per unit. */
export const UNITS = ["million_tokens", "thousand_characters", "minute", "started_minute"] as const;
export type Unit = (typeof UNITS)[number];

/** The number of tokens, characters or seconds in one unit. */
const SIZE: Record<Unit, number> = {
  million_tokens: 1_000_000,
  thousand_characters: 1_000,
  minute: 60,
  started_minute: 60,
};

/** Quantities are rounded to six decimals. */
const DECIMALS = 1_000_000;

/** Returns the billed tokens, characters or seconds. Started minutes are billed as whole minutes. */
function billed(count: number, unit: Unit): number {
  const size = SIZE[unit];
  return unit === "started_minute" ? Math.ceil(count / size) * size : count;
}

/** Converts tokens, characters or seconds to units. */
export function quantityOf(count: number, unit: Unit): number {
  return Math.round((billed(count, unit) / SIZE[unit]) * DECIMALS) / DECIMALS;
}

/** Returns the cost of tokens, characters or seconds, rounded half up to a whole millionth of a dollar. */
export function amountOf(count: number, unit: Unit, unit_micros: number): number {
  const size = BigInt(SIZE[unit]);
  return Number((BigInt(billed(count, unit)) * BigInt(unit_micros) * 2n + size) / (size * 2n));
}
