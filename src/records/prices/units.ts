/** What prices are per: a price is a whole number of millionths of a dollar for one of these. */
export const UNITS = ["million_tokens", "thousand_characters", "minute", "started_minute"] as const;
export type Unit = (typeof UNITS)[number];

/** How many tokens, characters or seconds are one unit. */
const SIZE: Record<Unit, number> = {
  million_tokens: 1_000_000,
  thousand_characters: 1_000,
  minute: 60,
  started_minute: 60,
};

/** Quantities are given to this many decimals. */
const DECIMALS = 1_000_000;

/** The billed part of a count of tokens, characters or seconds: where started minutes are billed, whole minutes. */
function billed(count: number, unit: Unit): number {
  const size = SIZE[unit];
  return unit === "started_minute" ? Math.ceil(count / size) * size : count;
}

/** How many units a count of tokens, characters or seconds is. */
export function quantityOf(count: number, unit: Unit): number {
  return Math.round((billed(count, unit) / SIZE[unit]) * DECIMALS) / DECIMALS;
}

/** The cost of a count of tokens, characters or seconds, rounded half up to a whole millionth of a dollar. */
export function amountOf(count: number, unit: Unit, unit_micros: number): number {
  const size = BigInt(SIZE[unit]);
  return Number((BigInt(billed(count, unit)) * BigInt(unit_micros) * 2n + size) / (size * 2n));
}
