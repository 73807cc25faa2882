import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { callOwner } from "./live/call-owner.ts";

/**
 * Ends a recorded call as unknown if no report has settled it by 10 minutes past its limit. Returns whether the call is
 * over.
 */
export async function endUnsettled(
  context: { env: Bindings; store: AccountStore; now: number },
  id: string,
): Promise<boolean> {
  const call = await new Ledger(context).call(id);
  if (!call || isTerminal(call.status as CallStatus)) return true;
  return callOwner(context, call.campaign_id).endUnsettled(call);
}
