import { isRevocation } from "../../../account/meter/live-access.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { clientErrorOf } from "../../../kernel/http/errors.ts";
import { hangUpCall } from "../../../phone/calls/hang-up.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { MACHINE } from "../turns/quiet-watch.ts";

/** After the end was sent, a carrier has this long to speak the last words and hang up, ms. */
const LINGER_MS = 25_000;
/** End reasons for which the service must not hang up: the call itself ended, or another party controls it. */
const NOT_OURS = ["caller_hung_up", "call_ended", "transferred", "hangup", MACHINE];

/** The status of an error after which a request may succeed if it is repeated. */
const UNAVAILABLE = 503;

/** Returns when (ms) to check whether a call ended after its conversation; null if no check is needed. */
export function lingersUntil({ row, session }: ConversationStore): number | null {
  if (row === null || row.ended_at === null || row.hung_up === 1) return null;
  if (session.snapshot.kind === "call" && isRevocation(row.end_reason)) return row.ended_at;
  if (row.held_by !== "edge") return null;
  if (session.snapshot.kind !== "call" || NOT_OURS.includes(row.end_reason ?? "")) return null;
  return row.ended_at + LINGER_MS;
}

/**
 * Hangs up a call that its carrier kept open after its conversation ended, because the report with which the carrier
 * asks what to do next may be lost. If the carrier fails, the owner of the call retries the hang-up. After any other
 * error, the next upkeep hangs up.
 */
export async function hangUpLingering(
  env: Bindings,
  store: ConversationStore,
  accountStore: AccountStore,
  now: number,
): Promise<void> {
  const due = lingersUntil(store);
  if (due === null || now < due) return;
  const { identity } = store;
  try {
    if (identity.kind === "call") {
      const call = { id: identity.call_id, campaignId: identity.campaign_id, skipRepeated: true };
      await hangUpCall({ env, store: accountStore, now }, call);
    }
  } catch (error) {
    // Any error except "the carrier failed" and "no such call" may have occurred before the request was recorded.
    if ((clientErrorOf(error)?.status ?? UNAVAILABLE) === UNAVAILABLE) throw error;
    store.update({ hung_up: 1 });
    throw error;
  }
  store.update({ hung_up: 1 });
}
