import { guestNetwork } from "../../kernel/http/rate-limits.ts";
import type { LiveLease, VisitorHolder } from "./live-lease.ts";

/** The maximum number of visitors' conversations at the same time. */
export interface LiveCaps {
  /** The cap of the account. */
  conversations: number;
  visitor: number;
  /**
   * The cap per address, which also turns on the share for one network of guests; null if addresses are not counted.
   */
  address: number | null;
}

/** The current use of the caps, counted for one visitor. */
export interface LiveUsage {
  conversations: number;
  guests: number;
  ofVisitor: number;
  ofAddress: number;
  /** Conversations of guests in the same network. */
  ofNetwork: number;
}

export const VISITOR_CONVERSATIONS = 2;
export const ADDRESS_CONVERSATIONS = 20;
/** The shares of a cap for all guests, and for the guests of one network. */
const OF_GUESTS = 1 / 2;
const OF_NETWORK = 1 / 5;

/** Checks whether the visitor may begin another conversation. */
export function mayAdmit(
  caps: LiveCaps,
  usage: LiveUsage,
  { visitor_type }: Pick<VisitorHolder, "visitor_type">,
): boolean {
  if (usage.conversations >= caps.conversations || usage.ofVisitor >= caps.visitor) return false;
  if (caps.address !== null && usage.ofAddress >= caps.address) return false;
  if (visitor_type !== "guest") return true;
  if (usage.guests >= shareOf(caps.conversations, OF_GUESTS)) return false;
  return caps.address === null || usage.ofNetwork < shareOf(caps.conversations, OF_NETWORK);
}

/** Returns a share of a cap in whole conversations. It is at least one, so that a small cap does not exclude guests. */
function shareOf(cap: number, part: number): number {
  return Math.max(1, Math.floor(cap * part));
}

/** Counts other leases against the caps of this visitor. */
export function usageBy(visitor: VisitorHolder, others: Iterable<LiveLease>): LiveUsage {
  const usage = { conversations: 0, guests: 0, ofVisitor: 0, ofAddress: 0, ofNetwork: 0 };
  const network = networkOf(visitor);
  for (const { kind, holder } of others) {
    if (kind !== "widget" || holder.type !== "visitor") continue;
    const isGuest = holder.visitor_type === "guest";
    usage.conversations++;
    if (isGuest) usage.guests++;
    if (holder.visitor_id === visitor.visitor_id && holder.visitor_type === visitor.visitor_type) usage.ofVisitor++;
    if (visitor.address !== null && holder.address === visitor.address) usage.ofAddress++;
    if (isGuest && network !== null && networkOf(holder) === network) usage.ofNetwork++;
  }
  return usage;
}

function networkOf({ address }: VisitorHolder): string | null {
  return address === null ? null : guestNetwork(address);
}
