import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../../records/ledger/call-status.ts";
import { asReported } from "../../../records/ledger/records.ts";
import type { CallRow, LedgerReport } from "../../../records/ledger/report.ts";
import type { Carrier, SpokenMessage } from "../../carriers/carrier.ts";
import type { CallReport, TakenReport } from "../call-report.ts";
import type { CallSession } from "../call-session.ts";
import { LedgerOwner } from "./ledger-owner.ts";

/** Whoever stores the line of a call and asks its carrier: its campaign, or the ledger. Nothing else asks which it is. */
export interface CallOwner {
  /** The call as its owner knows it now, which may be ahead of what is on record; null if there is none. */
  find(callId: string, onRecord: CallRow | null): Promise<CallRow | null>;
  /** The call as the conversation on it needs it; null if there is none. */
  session(callId: string): Promise<CallSession | null>;
  /** Takes what a carrier reports of a call, and does what follows from a machine. */
  take(report: CallReport, carrier: Carrier): Promise<TakenReport>;
  /** Hangs up a call that goes on; gives it as it then is. @throws ApiError with the carrier's reason */
  hangUp(call: CallRow): Promise<CallRow>;
  /**
   * Ends a call as unknown, with an audit entry, if nothing has settled it within the time that the policy for silent
   * calls gives a carrier that does not answer. Returns whether the call is over.
   */
  endUnsettled(call: CallRow): Promise<boolean>;
  /** What the carrier speaks to the machine on a call; null if nothing is to be spoken, or the call has ended. */
  message(callId: string): Promise<SpokenMessage | null>;
}

type LineReport = Extract<LedgerReport, { part: "line" }>;

/** The owner of calls of this campaign, of others with null. A deleted campaign leaves its calls to the ledger. */
export function callOwner(
  context: { env: Bindings; store: AccountStore; now: number },
  campaignId: string | null,
): CallOwner {
  const ledger: CallOwner = new LedgerOwner(context);
  if (campaignId === null) return ledger;
  const campaign = campaignObject(context.env, context.store.account, campaignId);
  const lineOf = async (callId: string) => (await campaign.lineReport(callId)) as LineReport | null;
  const find = async (callId: string, onRecord: CallRow | null) => {
    const report = await lineOf(callId);
    return report ? asReported(report, onRecord) : onRecord;
  };
  return {
    find,
    async session(callId) {
      const call = await campaign.session(callId);
      // Pairs come as lists over the wire.
      return call && { ...call, variables: call.variables.map(([name = "", value = ""]) => [name, value]) };
    },
    take: async (report, carrier) => (await campaign.callEvents(report)) ?? ledger.take(report, carrier),
    hangUp: async (call) =>
      (await campaign.hangUp(call.id)) ? ((await find(call.id, call)) ?? call) : ledger.hangUp(call),
    async endUnsettled(call) {
      const report = await lineOf(call.id);
      // The campaign settles its calls by the same policy, and alone writes their lines.
      return report ? isTerminal(report.line.status as CallStatus) : ledger.endUnsettled(call);
    },
    message: (callId) => campaign.machineMessage(callId),
  };
}
