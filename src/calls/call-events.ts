import { and, eq, inArray, sql } from "drizzle-orm";
import type { CallEvent } from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { calls } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { callLimits } from "./place-call.ts";
import { isTerminal, replaceable } from "./status.ts";

/** Takes news of a call into its record and the account's caps: an answer prolongs its lease, an end frees it. */
export async function takeCallEvent(env: Bindings, store: AccountStore, callId: string, event: CallEvent, now: number) {
  const changed = await recordCallEvent(store, callId, event, now);
  const gate = env.ACCOUNT_GATE.getByName(store.account);
  // Also when the end is heard of twice: the first time the gate may not have been reached.
  if (isTerminal(event.status)) await gate.release([callId]);
  else if (changed && event.status === "in-progress") await gate.renew(callId, callLimits(env).duration);
}

/** Takes news of a call into its record; late and repeated news changes nothing, an end is never taken back. */
export async function recordCallEvent(
  store: AccountStore,
  callId: string,
  event: CallEvent,
  now: number,
): Promise<boolean> {
  const at = new Date(now).toISOString();
  const { status, provider_call_id, answered_by, reason } = event;
  const [changed] = await store.record(
    store.update(
      calls,
      {
        status,
        ...(provider_call_id !== null && { provider_call_id }),
        ...(status === "in-progress" && { connected_at: at }),
        ...(isTerminal(status) && { ended_at: at, end_reason: reason || status }),
        ...(answered_by !== null && { metadata: sql`json_set(${calls.metadata}, '$.answered_by', ${answered_by})` }),
      },
      and(eq(calls.id, callId), inArray(calls.status, replaceable(status))) ?? sql`false`,
    ),
  );
  return changed.length > 0;
}
