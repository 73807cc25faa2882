import type { LineStore, LiveCall, Outcome } from "../../phone/calls/live/line-store.ts";
import type { CallEvent } from "../../phone/carriers/carrier.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import { callHungUp, callSeen, endCall, hangUpFailed, takeCallEvent } from "../store/call-transitions.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { messageLeft, messageNotLeft, messageRequested } from "../store/message-transitions.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

type Dependencies = Pick<DispatchDependencies, "now" | "limits" | "recorded" | "machineAnswered" | "machineMessage">;

/**
 * Stores the outcomes of live calls in the campaign's attempts. Each outcome is judged on the attempt's current state.
 */
export function attemptLines(
  store: CampaignStore,
  deps: Dependencies,
  live: (attempt: AttemptRow) => LiveCall,
): LineStore {
  const { attempts } = store;
  return {
    current(callId) {
      const attempt = attempts.get(callId);
      if (!attempt) return null;
      const call = live(attempt);
      return call.over && !(call.owesHangUp && attempt.hangup === 1) ? null : call;
    },
    oweHangUp(callId, at) {
      attempts.update(callId, { hangup: 1, hangup_at: at });
    },
    async write(callId, outcome) {
      const attempt = attempts.get(callId);
      // The webhook that reports the recording may also be lost.
      const recording = outcome.hangUp === null ? outcome.event?.recording : null;
      if (attempt && recording) await deps.recorded(attempt, recording);
      writeOutcome(store, deps, callId, outcome);
    },
    async silence(callId) {
      const attempt = attempts.get(callId);
      if (attempt) await deps.machineAnswered(attempt);
    },
    async message(callId) {
      const attempt = attempts.get(callId);
      if (!attempt) throw new RangeError("another campaign's call");
      return deps.machineMessage(attempt);
    },
    async move(callId, move) {
      // The campaign may be deleted while the carrier responds.
      if (store.campaign.row === null) return false;
      if (move.to === "asked") return messageRequested(store, callId, move.text, deps.now());
      if (move.to === "left") return messageLeft(store, callId, deps.now());
      return messageNotLeft(store, callId, move.from, deps.now());
    },
  };
}

function writeOutcome(store: CampaignStore, deps: Dependencies, callId: string, outcome: Outcome): void {
  const { event, lookAt, hangUp } = outcome;
  const { attempts } = store;
  const now = deps.now();
  if (hangUp === "accepted") callHungUp(store, callId, now);
  const again = typeof hangUp === "object" ? (hangUp?.again ?? null) : null;
  if (event) takeOutcome(store, deps, callId, event, outcome, again, now);
  // The event that was just written may have ended it.
  if (attempts.get(callId)?.state !== "ended" && lookAt !== null)
    attempts.update(callId, { deadline: lookAt, looked_at: now });
  if (again !== null) hangUpFailed(store, callId, again, now);
}

function takeOutcome(
  store: CampaignStore,
  { limits }: Dependencies,
  callId: string,
  event: CallEvent,
  { hangUp }: Outcome,
  again: number | null,
  now: number,
): void {
  const isEnd = isTerminal(event.status) && hangUp !== "accepted";
  if (isEnd && event.reason === "unknown") endCall(store, callId, "unknown", event.status, "unknown", now, again);
  else if (isEnd) takeCallEvent(store, callId, event, limits, now);
  else callSeen(store, callId, event, limits, now);
}
