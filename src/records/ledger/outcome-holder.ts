import type { ConversationRow } from "./report.ts";

/** A conversation by its call, and by the campaign that placed the call. */
type Held = Pick<ConversationRow, "campaign_id" | "call_id">;

/** A call, and the campaign that keeps with it what came of its conversation. */
export interface OutcomeHolder {
  campaign_id: string;
  call_id: string;
}

/** Who keeps the outcome of a conversation beside its record: the campaign of its call. Null for any other conversation. */
export function outcomeHolder({ campaign_id, call_id }: Held): OutcomeHolder | null {
  return campaign_id === null || call_id === null ? null : { campaign_id, call_id };
}

/** The calls of these conversations whose outcomes campaigns keep, by campaign. */
export function heldByCampaigns(conversations: Held[]): Map<string, string[]> {
  const holders = conversations.flatMap((one) => outcomeHolder(one) ?? []);
  const byCampaign = Map.groupBy(holders, ({ campaign_id }) => campaign_id);
  return new Map([...byCampaign].map(([campaign, held]) => [campaign, held.map(({ call_id }) => call_id)]));
}
