import type { CallReport, TakenReport } from "../../phone/calls/call-report.ts";
import { areOfAnotherCall } from "../../records/ledger/call-state.ts";
import type { CampaignContext } from "../context.ts";
import { disclosureIn } from "../store/attempt-row.ts";
import { takeCallEvent } from "../store/call-transitions.ts";

type Context = Pick<CampaignContext, "store" | "dial" | "dispatcher" | "background" | "wake">;

/** Ingests the events of one of the campaign's calls, from a webhook signed with these credentials. */
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
  // A recording machine does not wait, so neither does this: it runs ahead of the alarm.
  const leaveMessages = async () => {
    // A message that could not be left leaves a hang-up to do.
    if ((await dispatcher.calls.messages()) > 0) await wake();
  };
  background(leaveMessages());
  await wake();
  const { agent_id, pinned_version, recorded } = attempt;
  const disclosure = disclosureIn(attempt.disclosure);
  return { agent_id: agent_id ?? "", pinned_version, disclosure, recorded: recorded !== 0, leaving_message };
}
