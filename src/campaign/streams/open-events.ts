import type { Reader } from "../../kernel/http/pass.ts";
import type { EventHub } from "../../kernel/streams/event-hub.ts";
import type { OpenStreams } from "../../kernel/streams/open-streams.ts";
import type { CampaignGuard } from "../guard.ts";
import type { CampaignStore } from "../store/campaign-store.ts";

interface Context {
  guard: CampaignGuard;
  store: CampaignStore;
  streams: OpenStreams;
  hub: EventHub;
}

/** The campaign's events, those after `lastSeen` first. The hub hears at once of a reader that leaves. */
export async function openEvents(
  { guard, store, streams, hub }: Context,
  { lastSeen, reader }: { lastSeen: number | null; reader: Reader },
): Promise<ReadableStream<Uint8Array>> {
  guard.existing();
  const id = await streams.enter(reader);
  if (store.campaign.row === null) streams.left(id);
  guard.existing();
  return hub.open(lastSeen, id);
}
