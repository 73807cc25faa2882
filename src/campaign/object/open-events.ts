import type { Reader } from "../../kernel/http/pass.ts";
import type { CampaignContext } from "../context.ts";

/** The campaign's events, preceded by those after `lastSeen`. The hub learns at once when a reader leaves. */
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
