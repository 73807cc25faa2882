import { eq, inArray, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { calls } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { CALL_STATUSES, type CallStatus, isTerminal, replaceable } from "../../records/ledger/call-status.ts";
import { endNotes, endReason } from "../../records/ledger/end-reason.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import { endConversations } from "./end-conversations.ts";

type CallRow = typeof calls.$inferSelect;

/**
 * Takes an event of a call into its record, with the `notes` that follow from it, and into the account's caps: an answer
 * prolongs its lease, an end frees it, and ends the conversation that was held on it.
 */
export async function takeCallEvent(
  env: Bindings,
  store: AccountStore,
  callId: string,
  event: CallEvent,
  now: number,
  notes: Write<CallRow[]>[] = [],
) {
  const [moved] = await store.record(...eventStatements(store, callId, event, now), ...notes);
  const meter = accountMeter(env, store.account);
  if (isTerminal(event.status)) {
    const over = moved.filter(wasAnswered).map(heldCall);
    // The meter also on a repeated event: the first time it may not have been reached.
    await Promise.all([meter.release([callId]), endConversations({ env, account: store.account }, over)]);
  } else if (event.status === "in-progress") await meter.answered(callId);
}

/** A call that is over as its conversation is told of it. */
export function heldCall({ id: call_id, provider, metadata }: CallRow) {
  return { call_id, provider, outcome: metadata.answered_by === "machine" ? "machine" : null };
}

/** Whether somebody had picked up a call that is over: that it was answered may not have been heard of. */
export function wasAnswered({ status, connected_at }: Pick<CallRow, "status" | "connected_at">): boolean {
  return status === "completed" || connected_at !== null;
}

const RUNNING = CALL_STATUSES.filter((status) => !isTerminal(status));

/**
 * What an event of a call writes; late and repeated events change nothing, an end is never taken back. Who answered may be
 * told after the answer itself, and even after the end.
 */
export function eventStatements(
  store: AccountStore,
  callId: string,
  { status, provider_call_id, answered_by, reason }: CallEvent,
  now: number,
): [Write<CallRow[]>, ...Write<CallRow[]>[]] {
  const at = new Date(now).toISOString();
  const named = provider_call_id !== null && { provider_call_id };
  const end = { status, reason, answered_by };
  const noted = (notes: object) => ({ metadata: sql`json_patch(${calls.metadata}, ${JSON.stringify(notes)})` });
  const isOne = (statuses: CallStatus[]) => all(eq(calls.id, callId), inArray(calls.status, statuses));
  const moved = store.update(
    calls,
    {
      status,
      ...named,
      ...noted(endNotes(end)),
      ...(status === "in-progress" && { connected_at: at }),
      ...(isTerminal(status) && { ended_at: at, end_reason: endReason(end) }),
    },
    isOne(replaceable(status)),
  );
  if (answered_by === null) return [moved];
  // Carriers listen for a while: a machine may be told of when the call is over.
  const known = answered_by === "machine" ? eq(calls.id, callId) : isOne(RUNNING);
  return [moved, store.update(calls, noted({ answered_by }), known)];
}
