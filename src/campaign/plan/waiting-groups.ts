import { giveWay } from "../../kernel/durable/give-way.ts";
import { blockedPages } from "../../phone/do-not-call/blocked.ts";
import type { CampaignContext } from "../context.ts";
import type { WaitingGroup } from "../decide/waiting-zone.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

/**
 * The number of contacts counted, and of numbers looked up, before other requests get a turn. An empty zone has a small
 * cost too.
 */
const COUNTED_A_TURN = 50_000;
const A_ZONE = 500;
const LOOKED_UP_A_TURN = 5_000;

/**
 * Returns all waiting contacts by time zone and the minute in which they become due; none if the campaign was deleted.
 */
export async function allWaiting(store: CampaignStore, now: number): Promise<WaitingGroup[]> {
  const groups: WaitingGroup[] = [];
  let counted = 0;
  for (const zone of isSettled(store) ? store.contacts.zones() : []) {
    if (!isSettled(store)) return [];
    const ofZone = store.contacts.waitingIn(zone, now);
    groups.push(...ofZone);
    counted = ofZone.reduce((sum, { n }) => sum + n, counted + A_ZONE);
    if (counted < COUNTED_A_TURN) continue;
    counted = 0;
    await giveWay();
  }
  return groups;
}

/** Returns the waiting contacts whose numbers are on the account's do-not-call list. */
export async function blockedWaiting(
  { env, store, accountStore }: Pick<CampaignContext, "env" | "store" | "accountStore">,
  now: number,
): Promise<WaitingGroup[]> {
  const groups: WaitingGroup[] = [];
  for await (const numbers of blockedPages({ env, store: accountStore }, () => waitingNumbers(store))) {
    for (let from = 0; from < numbers.length; from += LOOKED_UP_A_TURN) {
      if (!isSettled(store)) return [];
      groups.push(...store.contacts.waitingAmong(numbers.slice(from, from + LOOKED_UP_A_TURN).map(Number), now));
      await giveWay();
    }
  }
  return groups;
}

async function* waitingNumbers(store: CampaignStore): AsyncGenerator<string[]> {
  for (let after = 0; isSettled(store); ) {
    const contacts = store.contacts.waitingAfter(after, LOOKED_UP_A_TURN);
    yield contacts.map(({ phone }) => `+${phone}`);
    const last = contacts.at(-1);
    if (!last) return;
    after = last.id;
    await giveWay();
  }
}

/** Checks whether the import is done and the campaign exists. Before that there are no indexes. */
function isSettled({ campaign }: CampaignStore): boolean {
  return campaign.row !== null && campaign.row.importing === 0;
}
