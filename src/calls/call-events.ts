import { and, eq, inArray, sql } from "drizzle-orm";
import type { CallEvent } from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { calls } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { callLimits } from "./place-call.ts";
import { isTerminal, replaceable } from "./status.ts";

/**
 * Takes news of a call into its record: late and repeated news changes nothing, an end is never taken back. Its lease
 * is prolonged when it is answered and freed when it ends, also when the end is heard of twice.
 */
export async function takeCallEvent(env: Bindings, store: AccountStore, callId: string, event: CallEvent, now: number) {
  const at = new Date(now).toISOString();
  const over = isTerminal(event.status);
  const [changed] = await store.record(
    store.update(
      calls,
      {
        status: event.status,
        ...(event.provider_call_id !== null && { provider_call_id: event.provider_call_id }),
        ...(event.status === "in-progress" && { connected_at: at }),
        ...(over && { ended_at: at, end_reason: event.reason || event.status }),
        ...(event.answered_by !== null && {
          metadata: sql`json_set(${calls.metadata}, '$.answered_by', ${event.answered_by})`,
        }),
      },
      and(eq(calls.id, callId), inArray(calls.status, replaceable(event.status))) ?? sql`false`,
    ),
  );
  const gate = env.ACCOUNT_GATE.getByName(store.account);
  if (over) await gate.release([callId]);
  else if (changed.length > 0 && event.status === "in-progress") await gate.renew(callId, callLimits(env).duration);
}
