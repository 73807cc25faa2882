import type { ConversationRow } from "./report.ts";

type Held = Pick<ConversationRow, "campaign_id" | "call_id">;

/** A call and the campaign that stores the outcome of its conversation. */
export interface OutcomeHolder {
  campaign_id: string;
  call_id: string;
}

/** Returns the campaign and call that store a conversation's outcome besides its record; null if none do. */
export function outcomeHolder({ campaign_id, call_id }: Held): OutcomeHolder | null {
  return campaign_id === null || call_id === null ? null : { campaign_id, call_id };
}

/** Returns the calls of these conversations whose outcomes are stored by campaigns, by campaign. */
export function heldByCampaigns(conversations: Held[]): Map<string, string[]> {
  const holders = conversations.flatMap((one) => outcomeHolder(one) ?? []);
  const byCampaign = Map.groupBy(holders, ({ campaign_id }) => campaign_id);
  return new Map([...byCampaign].map(([campaign, held]) => [campaign, held.map(({ call_id }) => call_id)]));
}
