import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callSettings } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { takeCallEvents } from "./call-events.ts";
import { liveCall } from "./live/ledger-lines.ts";
import { callLimits } from "./place-call.ts";
import { judge } from "./reconciliation.ts";

/**
 * Ends a call on record as unknown, with an audit entry, if nothing has settled it within the time that the policy for
 * silent calls gives a carrier that does not answer: 10 minutes past the call's limit. Returns whether the call is over.
 */
export async function endUnsettled(
  context: { env: Bindings; store: AccountStore; now: number },
  id: string,
): Promise<boolean> {
  const { env, store, now } = context;
  const ledger = new Ledger({ env, store });
  const call = (await (await ledger.at(id))?.call(id)) as CallRow | null | undefined;
  if (!call || isTerminal(call.status as CallStatus)) return true;
  const [settings = DEFAULT_CALL_SETTINGS] = await store.read(store.first(callSettings));
  const verdict = judge(liveCall(store.account, call), "unreachable", callLimits(env, settings), now);
  if (verdict.next === "running") return false;
  await ledger.note(store.act({ action: "end", resource: "call", resource_id: id }), id);
  await takeCallEvents(context, { id, events: [verdict.event] });
  return true;
}
