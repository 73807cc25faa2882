import type { TokensOfModel } from "./conversation-usage.ts";
import { amountOf, quantityOf, type Unit } from "./units.ts";

/** The kinds of use that have a price. */
export type Measure = "uncached_tokens" | "cached_tokens" | "output_tokens" | "speech_chars" | "carrier_s";

/** A price of a conversation, as it was in force when the conversation ended; null if it is unknown. */
export interface Rate {
  what: string;
  measure: Measure;
  unit: Unit;
  unit_micros: number | null;
  /** If two models answered, whether the price is for the fallback model or the first one. */
  fallback?: boolean;
}

export interface CostItem {
  what: string;
  unit: Unit;
  /** The number of units, with decimals. */
  quantity: number;
  unit_micros: number | null;
  amount_micros: number | null;
}

export interface Cost {
  /** The sum of the items whose price is known. */
  amount_micros: number;
  currency: typeof CURRENCY;
  items: CostItem[];
  /** Whether the price of every item is known. */
  complete: boolean;
}

export const CURRENCY = "USD" as const;

/** The usage that has a price. */
export interface PricedUsage extends Record<Exclude<Measure, "uncached_tokens">, number> {
  input_tokens: number;
  /** The tokens by model; omitted if the fallback model was not asked. */
  models?: TokensOfModel[];
}

/** Returns the cost of this usage at these prices. Unused kinds are omitted, and each item is rounded once. */
export function costOf(usage: PricedUsage, rates: readonly Rate[]): Cost {
  const items = rates.flatMap(({ what, measure, unit, unit_micros, fallback }): CostItem[] => {
    const count = countOf(fallback === undefined ? usage : shareOf(usage, fallback), measure);
    if (count === 0) return [];
    const amount_micros = unit_micros === null ? null : amountOf(count, unit, unit_micros);
    return [{ what, unit, quantity: quantityOf(count, unit), unit_micros, amount_micros }];
  });
  return {
    amount_micros: items.reduce((sum, item) => sum + (item.amount_micros ?? 0), 0),
    currency: CURRENCY,
    items,
    complete: items.every(({ amount_micros }) => amount_micros !== null),
  };
}

/** Returns the usage of the first or the fallback model. */
export function shareOf({ models = [] }: Pick<PricedUsage, "models">, ofFallback: boolean): PricedUsage {
  const share: PricedUsage = Object.assign({}, NOTHING);
  for (const { fallback, input_tokens, cached_tokens, output_tokens } of models) {
    if (fallback !== ofFallback) continue;
    share.input_tokens += input_tokens;
    share.cached_tokens += cached_tokens;
    share.output_tokens += output_tokens;
  }
  return share;
}

const NOTHING: PricedUsage = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  speech_chars: 0,
  carrier_s: 0,
};

function countOf(usage: PricedUsage, measure: Measure): number {
  if (measure !== "uncached_tokens") return usage[measure];
  return Math.max(0, usage.input_tokens - usage.cached_tokens);
}
