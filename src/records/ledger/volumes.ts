import type { AccountStore } from "../../kernel/db/account-store.ts";
import { firstIdAt, instantOf } from "../../kernel/instant-ids.ts";
import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

/** How long an isolate reuses an account's list of volumes, ms: one under 12 h old is right for every id there is. */
const REUSE_MS = 10 * MINUTE_MS;
/** Clocks may differ by so much, ms: ids of that long before the account or ahead of now are taken for its own. */
const CLOCKS_DIFFER_MS = HOUR_MS;
const MAX_ENTRIES = 10_000;

const known = new Map<string, { days: string[]; at: number }>();

/** The days on which the volumes of the account's ledger begin, oldest first. */
export async function volumeDays(store: Pick<AccountStore, "account" | "read" | "ledgerDays">, now: number) {
  const { account } = store;
  const kept = known.get(account);
  if (kept && now - kept.at < REUSE_MS) return kept.days;
  const [days] = await store.read(store.ledgerDays());
  // An account that is not there may come to be.
  if (days.length > 0) {
    const [oldest] = known.keys();
    if (known.size >= MAX_ENTRIES && oldest !== undefined) known.delete(oldest);
    known.set(account, { days, at: now });
  }
  return days;
}

/** The volume that an id belongs to; null for an id that the account cannot have minted by `now`, ms. */
export function volumeOfId(days: string[], id: string, now: number): string | null {
  const at = instantOf(id);
  const [first] = days;
  if (at === null || first === undefined || at > now + CLOCKS_DIFFER_MS) return null;
  if (at < Date.parse(first) - CLOCKS_DIFFER_MS) return null;
  return days.findLast((day) => Date.parse(day) <= at) ?? first;
}

/** The volumes, oldest first, that can have ids of a window of time (ISO 8601) and lower than `before`. */
export function volumesWithin(
  days: string[],
  { since, until, before }: { since?: string | undefined; until?: string | undefined; before?: string | null },
): string[] {
  return days.filter((day, i) => {
    const next = days[i + 1];
    const isOver = since !== undefined && next !== undefined && next <= since;
    // The first volume also has what clocks that differ put before it.
    const isAhead = i > 0 && ((until !== undefined && day >= until) || (before != null && lowestIdOf(day) >= before));
    return !isOver && !isAhead;
  });
}

/** Lower than any id of a volume, and higher than any of the volumes before. */
export function lowestIdOf(day: string): string {
  return firstIdAt(Date.parse(day));
}
