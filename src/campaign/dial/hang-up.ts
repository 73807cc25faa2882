import type { Act } from "../../kernel/db/account-store.ts";
import type { CampaignContext } from "../context.ts";
import { hangUpRequested } from "../store/call-transitions.ts";

type Context = Pick<CampaignContext, "store" | "dispatcher" | "outbox" | "wake" | "report" | "now">;

/**
 * Ends one of the campaign's calls and records the request, with its audit entry `act` if there is one. Returns false
 * if the campaign has no such call. If the carrier fails, the hang-up is retried.
 * @throws ApiError if the carrier fails
 */
export async function hangUp(
  { store, dispatcher, outbox, wake, report, now }: Context,
  { callId, act }: { callId: string; act: Act | null },
): Promise<boolean> {
  const attempt = store.campaign.row && store.attempts.get(callId);
  if (!attempt) return false;
  if (act !== null) hangUpRequested(store, attempt, act, now());
  try {
    if (attempt.state !== "ended") await dispatcher.calls.hangUp(attempt);
  } finally {
    await wake();
    // The request is recorded. If the carrier accepted it, the call is over, even if its last report arrives late.
    await outbox.push("ledger").catch(report);
  }
  return true;
}
