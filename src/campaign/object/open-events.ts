import type { Reader } from "../../kernel/http/pass.ts";
import type { CampaignContext } from "../context.ts";

/** The campaign's events, those after `lastSeen` first. The hub hears at once of a reader that leaves. */
export async function openEvents(
  { guard, store, streams, hub }: Pick<CampaignContext, "guard" | "store" | "streams" | "hub">,
  { lastSeen, reader }: { lastSeen: number | null; reader: Reader },
): Promise<ReadableStream<Uint8Array>> {
  guard.existing();
  const id = await streams.enter(reader);
  if (store.campaign.row === null) streams.left(id);
  guard.existing();
  return hub.open(lastSeen, id);
}
