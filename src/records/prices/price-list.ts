import type { prices } from "../../kernel/db/schema/index.ts";
import { CURRENCY } from "./cost.ts";
import { PRICED_THINGS } from "./default-prices.ts";
import type { Unit } from "./units.ts";

/** An account's own price from a time on; null if the default applies again. */
export type OwnPrice = Pick<typeof prices.$inferSelect, "what" | "since" | "unit_micros">;

/** What a thing costs at a time. */
export interface Price {
  what: string;
  unit: Unit;
  /** Null if it is unknown. */
  unit_micros: number | null;
  currency: typeof CURRENCY;
  /** Since when it costs that, ISO 8601; null if it is unknown. */
  since: string | null;
  /** `account`, or the public list that the default is from; null if it is unknown. */
  source: string | null;
}

const THINGS = new Map(PRICED_THINGS.map((thing) => [thing.what, thing]));

/** Whether there is a price of this name. */
export function hasPrice(what: string): boolean {
  return THINGS.has(what);
}

/** The prices in force at a time (ISO 8601): the account's own over the defaults. */
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

  /** Every price, in the list's order. */
  get all(): Price[] {
    return PRICED_THINGS.map(({ what }) => this.of(what));
  }

  /** The price of a thing; a thing that the list lacks has none. */
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
