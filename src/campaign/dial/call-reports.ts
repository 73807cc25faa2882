import type { CallReport, TakenReport } from "../../phone/calls/call-report.ts";
import { areOfAnotherCall } from "../../records/ledger/call-state.ts";
import type { CampaignContext } from "../context.ts";
import { disclosureIn } from "../store/attempt-row.ts";
import { takeCallEvent } from "../store/call-transitions.ts";

type Context = Pick<CampaignContext, "store" | "dial" | "dispatcher" | "background" | "wake">;

/** Ingests the events of one of the campaign's calls from a webhook that was signed with these credentials. */
export async function takeReport(
  { store, dial, dispatcher, background, wake }: Context,
  { callId, credentialsId, events }: CallReport,
): Promise<TakenReport> {
  const attempt = store.campaign.row && store.attempts.get(callId);
  if (!attempt) return null;
  if (areOfAnotherCall(attempt, events, credentialsId)) return "another_call";
  for (const event of events) takeCallEvent(store, callId, event, dial.limits, dial.now());
  const { message, state } = store.attempts.get(callId) ?? attempt;
  const leaving_message = message !== null && state !== "ended";
  // A machine that is recording doesn't wait for the alarm, so the message is left now.
  const leaveMessages = async () => {
    // A message that couldn't be left requires a hang-up.
    if ((await dispatcher.calls.messages()) > 0) await wake();
  };
  if (leaving_message) background(leaveMessages());
  await wake();
  const { agent_id, pinned_version, recorded } = attempt;
  const disclosure = disclosureIn(attempt.disclosure);
  return { agent_id, pinned_version, disclosure, recorded: recorded !== 0, leaving_message };
}
