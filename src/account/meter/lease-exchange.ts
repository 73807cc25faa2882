import type { Admission } from "../../phone/call-limits/call-caps.ts";
import type { CampaignLimits, LeaseLedger } from "./lease-ledger.ts";
import type { TurnQueue } from "./turn-queue.ts";

/**
 * A campaign's report in one hop: which of its calls are over, were not placed or still run, and how many leases it
 * wants.
 */
export interface LeaseExchange {
  campaign: string;
  /** The agent of the calls to be placed. */
  agent_id: string | null;
  free: string[];
  /** The duration (ms) of calls that are over, by call id. */
  took_ms: Record<string, number>;
  refund: string[];
  renew: { calls: string[]; ttl: number };
  /**
   * All calls of the campaign that may hold a lease, sent once after its object starts. The campaign's other leases are
   * freed.
   */
  leased: string[] | null;
  take: string[];
  /** How long a lease lasts, ms. */
  ttl: number;
}

/** The retry delay of a campaign that let others go first, ms. Usually it is woken sooner. */
const TURN_RETRY_MS = 5_000;

/** Gives a campaign its share of the free slots. If that is less than it requested, the campaign waits in the queue. */
export function exchangeLeases(
  leases: LeaseLedger,
  turns: TurnQueue,
  limits: CampaignLimits,
  { campaign, free, refund, renew, leased, take, ttl }: Omit<LeaseExchange, "agent_id" | "took_ms">,
  now: number,
): Admission {
  if (renew.calls.length > 0) leases.renew(renew.calls, renew.ttl, now);
  if (free.length > 0) leases.free(free);
  if (refund.length > 0) leases.refund(refund);
  if (leased) leases.refundLost(campaign, leased);
  if (take.length === 0) {
    turns.leave(campaign);
    return { granted: 0, refusal: null };
  }
  const share = turns.share(campaign, take.length, leases.room(limits, now), now);
  const admission = leases.takeForCampaign(take.slice(0, share), ttl, limits, now, campaign);
  if (admission.granted === take.length) {
    turns.leave(campaign);
    return admission;
  }
  turns.wait(campaign, admission.granted > 0);
  const { refusal } = leases.admission(limits, take.length, now);
  return {
    granted: admission.granted,
    refusal: refusal ?? { cap: "concurrent_calls_cap", retryAt: now + TURN_RETRY_MS },
  };
}
