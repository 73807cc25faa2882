import type { CampaignContext } from "../context.ts";

type Context = Pick<CampaignContext, "store" | "dispatcher" | "outbox" | "wake" | "report">;

/**
 * Ends one of the campaign's calls; returns false if it has no such call. If the carrier fails, the hang-up is retried.
 * @throws ApiError if the carrier fails
 */
export async function hangUp(
  { store, dispatcher, outbox, wake, report }: Context,
  { callId }: { callId: string },
): Promise<boolean> {
  const attempt = store.campaign.row && store.attempts.get(callId);
  if (!attempt) return false;
  try {
    if (attempt.state !== "ended") await dispatcher.calls.hangUp(attempt);
  } finally {
    await wake();
  }
  // The call is over, even if its last report arrives late.
  await outbox.push("ledger").catch(report);
  return true;
}
