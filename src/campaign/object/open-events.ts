import type { Reader } from "../../kernel/http/credential.ts";
import type { AgentIds } from "../../kernel/scopes.ts";
import type { CampaignContext } from "../context.ts";

/**
 * Opens the campaign's event stream, beginning with the events after `lastSeen`. The hub is notified at once when a
 * reader leaves.
 */
export async function openEvents(
  { guard, streams, hub }: Pick<CampaignContext, "guard" | "streams" | "hub">,
  { lastSeen, reader, agentIds }: { lastSeen: number | null; reader: Reader; agentIds: AgentIds },
): Promise<ReadableStream<Uint8Array>> {
  guard.existing(agentIds);
  const id = await streams.enter(reader);
  if (!guard.has(agentIds)) streams.left(id);
  guard.existing(agentIds);
  return hub.open(lastSeen, id);
}
