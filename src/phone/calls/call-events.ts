import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallEvents, TakenEvents } from "../../records/ledger/line.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { endConversations } from "./end-conversations.ts";
import { voicemailTimeoutMs } from "./voicemail.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/**
 * Records events of a single or inbound call and applies them to the account's caps. An answer extends the call's
 * lease. An end frees the lease, or refunds it if the call is uncounted, and ends the call's conversation. The end is
 * recorded first, because a call that has lost its lease isn't checked any more. An event after which a message for a
 * machine must be left only records this; the message is left at the call's next lookup at the latest.
 */
export async function takeCallEvents({ env, store, now }: Context, reported: CallEvents): Promise<TakenEvents> {
  const clock = { now, message_ms: voicemailTimeoutMs(env) };
  const [taken = UNKNOWN] = await new Ledger({ env, store }).takeEvents([reported], clock);
  if (taken.outcome !== "taken") return taken;
  const meter = accountMeter(env, store.account);
  const statuses = reported.events.map(({ status }) => status);
  if (statuses.some(isTerminal)) {
    const over = taken.ended ? [heldCall(taken.row)] : [];
    // The meter is notified again for a repeated event, because it may not have been reached the first time.
    const freed = taken.row.uncounted ? meter.refund([reported.id]) : meter.release([reported.id]);
    await Promise.all([freed, endConversations({ env, account: store.account }, over)]);
  } else if (statuses.includes("in-progress")) await meter.answered(reported.id);
  return taken;
}

const UNKNOWN: TakenEvents = { outcome: "unknown" };

/** Returns an ended call for the notification of its conversation. */
export function heldCall({ id: call_id, provider, metadata }: CallRow) {
  return { call_id, provider, outcome: metadata.answered_by === "machine" ? "machine" : null };
}
