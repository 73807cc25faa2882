import type { prices } from "../../kernel/db/schema/index.ts";
import { CURRENCY } from "./cost.ts";
import { PRICED_THINGS } from "./default-prices.ts";
import type { Unit } from "./units.ts";

/** An account's own price from a given time on; null if the default applies again. */
export type OwnPrice = Pick<typeof prices.$inferSelect, "what" | "since" | "unit_micros">;

/** The price of a thing at a time. */
export interface Price {
  what: string;
  unit: Unit;
  /** Null if unknown. */
  unit_micros: number | null;
  currency: typeof CURRENCY;
  /** Since when the price applies (ISO 8601); null if unknown. */
  since: string | null;
  /** `account`, or the public list from which the default comes; null if unknown. */
  source: string | null;
}

const THINGS = new Map(PRICED_THINGS.map((thing) => [thing.what, thing]));

export function hasPrice(what: string): boolean {
  return THINGS.has(what);
}

/** The prices in force at a time (ISO 8601): the account's own prices, otherwise the defaults. */
export class PricesAt {
  readonly #at: string;
  readonly #own = new Map<string, OwnPrice>();

  constructor(own: readonly OwnPrice[], at: string) {
    this.#at = at;
    for (const price of own) {
      const later = this.#own.get(price.what);
      if (price.since <= at && (later === undefined || later.since < price.since)) this.#own.set(price.what, price);
    }
  }

  /** Every price, in the order of the list. */
  get all(): Price[] {
    return PRICED_THINGS.map(({ what }) => this.of(what));
  }

  /** Returns the price of a thing; it is unknown if the list lacks the thing. */
  of(what: string): Price {
    const { unit, list } = THINGS.get(what) ?? { unit: "minute", list: [] };
    const thing = { what, unit, currency: CURRENCY };
    const own = this.#own.get(what);
    if (own && own.unit_micros !== null)
      return Object.assign(thing, { unit_micros: own.unit_micros, since: own.since, source: "account" });
    const day = this.#at.slice(0, 10);
    const listed = list.findLast(({ since }) => since <= day);
    if (!listed) return Object.assign(thing, { unit_micros: null, since: null, source: null });
    return Object.assign(thing, listed, { since: `${listed.since}T00:00:00.000Z` });
  }
}
