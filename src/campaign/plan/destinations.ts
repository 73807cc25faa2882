import { giveWay } from "../../kernel/durable/give-way.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/** The number of contacts counted before other requests get a turn. */
const COUNTED_A_TURN = 50_000;
/** Maximum digits of a number (E.164), and the minimum that is accepted. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 7;

/** Numbers without their plus sign, from the first to the last. */
export type NumberRange = readonly [first: number, last: number];

/** Returns the numbers that begin with none of these calling codes, as ascending ranges. */
export function numbersElsewhere(codes: readonly string[]): NumberRange[] {
  const allowed = codes
    .flatMap((code) => {
      const digits = code.slice(1);
      const lengths = Array.from({ length: MAX_DIGITS - MIN_DIGITS + 1 }, (_, i) => MIN_DIGITS + i);
      return lengths.map((length): NumberRange => {
        const size = 10 ** (length - digits.length);
        return [Number(digits) * size, (Number(digits) + 1) * size - 1];
      });
    })
    .toSorted(([a], [b]) => a - b);
  const elsewhere: NumberRange[] = [];
  let from = 0;
  for (const [first, last] of allowed) {
    if (first > from) elsewhere.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  elsewhere.push([from, 10 ** MAX_DIGITS - 1]);
  return elsewhere;
}

/** Counts the waiting contacts with numbers outside of these calling codes; null allows every number. */
export async function countElsewhere(store: CampaignStore, codes: readonly string[] | null): Promise<number> {
  if (codes === null) return 0;
  let found = 0;
  let looked = 0;
  for (const [first, last] of numbersElsewhere(codes)) {
    let from = first;
    for (;;) {
      // The campaign may be deleted while other requests have their turn, and there is no index during an import.
      if (store.campaign.row === null || store.campaign.row.importing === 1) return 0;
      const page = store.contacts.waitingWithin(from, last, COUNTED_A_TURN);
      found += page.waiting;
      looked += page.looked;
      if (looked >= COUNTED_A_TURN) {
        looked = 0;
        await giveWay();
      }
      if (page.looked < COUNTED_A_TURN || page.last === null) break;
      from = page.last + 1;
    }
  }
  return found;
}
