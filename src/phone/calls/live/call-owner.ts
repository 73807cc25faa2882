import type { AccountStore, Act } from "../../../kernel/db/account-store.ts";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../../records/ledger/call-status.ts";
import { asReported } from "../../../records/ledger/records.ts";
import type { CallRow, LedgerReport } from "../../../records/ledger/report.ts";
import type { Carrier, SpokenMessage } from "../../carriers/carrier.ts";
import type { CallReport, TakenReport } from "../call-report.ts";
import type { CallSession } from "../call-session.ts";
import { LedgerOwner } from "./ledger-owner.ts";

/**
 * Stores the state of a call and talks to its carrier: its campaign, or the ledger. Callers don't need to know which.
 */
export interface CallOwner {
  /** Returns the owner's current state of the call, which may be newer than the record; null if there is none. */
  find(callId: string, onRecord: CallRow | null): Promise<CallRow | null>;
  /** Returns the call for its conversation; null if there is none. */
  session(callId: string): Promise<CallSession | null>;
  /** Takes a carrier's report of a call, and acts if a machine answered. */
  take(report: CallReport, carrier: Carrier): Promise<TakenReport>;
  /**
   * Records the request to hang up a running call, with its audit entry unless `act` is null, and hangs the call up. If
   * the process dies after that record, the upkeep of the call hangs it up. Returns the call's new state.
   * @throws ApiError with the carrier's reason
   */
  hangUp(call: CallRow, act: Act | null): Promise<CallRow>;
  /**
   * Ends a call as unknown, with an audit entry, if no report has settled it within the time that an unreachable
   * carrier gets. Returns whether the call is over.
   */
  endUnsettled(call: CallRow): Promise<boolean>;
  /**
   * Returns the message that the carrier speaks to the machine on a call; null if there is none or the call has ended.
   */
  message(callId: string): Promise<SpokenMessage | null>;
}

type LineReport = Extract<LedgerReport, { part: "line" }>;

/**
 * Returns the owner of this campaign's calls; for null, the owner of calls outside campaigns. Calls of a deleted
 * campaign belong to the ledger.
 */
export function callOwner(
  context: { env: Bindings; store: AccountStore; now: number },
  campaignId: string | null,
): CallOwner {
  const ledger = (): CallOwner => new LedgerOwner(context);
  if (campaignId === null) return ledger();
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
      // Pairs arrive as lists over RPC.
      return call && { ...call, variables: call.variables.map(([name = "", value = ""]) => [name, value]) };
    },
    take: async (report, carrier) => (await campaign.callEvents(report)) ?? ledger().take(report, carrier),
    hangUp: async (call, act) =>
      (await campaign.hangUp(call.id, act)) ? ((await find(call.id, call)) ?? call) : ledger().hangUp(call, act),
    async endUnsettled(call) {
      const report = await lineOf(call.id);
      // The campaign settles its calls by the same policy, and only it writes their state.
      return report ? isTerminal(report.line.status as CallStatus) : ledger().endUnsettled(call);
    },
    message: (callId) => campaign.machineMessage(callId),
  };
}
