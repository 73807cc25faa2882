import type { WaitingGroup } from "./waiting-zone.ts";

/** How many contacts wait to be called by the clock of a time zone. */
export interface ZoneShare {
  /** Null for all the others together. */
  timezone: string | null;
  contacts: number;
  /** Whose zone it is: the contacts' own, or the campaign's for those that have none. */
  source: "campaign" | "contact" | "others";
}

/** Time zones that are named; the others are summed. */
const NAMED = 20;

/** The time zones that the waiting contacts follow, the ones with most contacts first. */
export function zoneShares(groups: WaitingGroup[], timezone: string): ZoneShare[] {
  const shares = [...Map.groupBy(groups, ({ zone }) => zone).values()]
    .map((ofZone): ZoneShare => {
      const name = ofZone[0]?.name ?? null;
      const contacts = ofZone.reduce((sum, { n }) => sum + n, 0);
      return { timezone: name ?? timezone, contacts, source: name === null ? "campaign" : "contact" };
    })
    .filter(({ contacts }) => contacts > 0)
    .sort((a, b) => b.contacts - a.contacts);
  const others = shares.slice(NAMED).reduce((sum, { contacts }) => sum + contacts, 0);
  if (others === 0) return shares;
  return [...shares.slice(0, NAMED), { timezone: null, contacts: others, source: "others" }];
}
