import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { findCall } from "./find-call.ts";
import { callOwner } from "./live/call-owner.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Ends a call at its carrier, records its outcome, frees its slot and returns the call. A call that is over doesn't
 * change. If the carrier doesn't confirm the hang-up, it is retried until the call's limit. Pass the call's campaign if
 * you know it, because the call may not be recorded yet. With `skipRepeated`, a call whose hang-up was requested before
 * gets no further audit entry.
 * @throws ApiError with the carrier's reason
 */
export async function hangUpCall(
  context: Context,
  { id, campaignId = null, skipRepeated = false }: { id: string; campaignId?: string | null; skipRepeated?: boolean },
): Promise<CallRow> {
  const call = await findCall(context, id, campaignId);
  if (!call) throw notFound("call");
  if (isTerminal(call.status as CallStatus)) return call;
  const isRecorded = skipRepeated && call.hangup_requested;
  const act = isRecorded ? null : context.store.act({ action: "hangup", resource: "call", resource_id: id });
  return callOwner(context, call.campaign_id).hangUp(Object.assign({}, call, { hangup_requested: true }), act);
}
