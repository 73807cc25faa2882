import { inArray, sql } from "drizzle-orm";
import type { CallEvent, Carrier, Provider } from "../carriers/carrier.ts";
import type { AccountStore } from "../db/account-store.ts";
import { calls, telephonyProviders } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { connectCarrier } from "../telephony/line.ts";
import { recordCallEvent } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import { type CallStatus, isTerminal } from "./status.ts";

/** How long a carrier that gives no answer is asked again, ms; after that the call is taken to be over. */
const PATIENCE = 600_000;

/** What became of a silent call: it is over, it runs for good reason, or the carrier is to be asked again. */
export type Verdict = "over" | "running" | "unclear";

/**
 * Looks after calls that should have ended by now and of which no final event came: asks the carrier, takes its word
 * into the record, and ends what is past its limits. `since` is when (ms) the time of a call was up.
 */
export async function lookAfterSilent(
  env: Bindings,
  store: AccountStore,
  silent: { callId: string; since: number }[],
  now: number,
): Promise<{ callId: string; verdict: Verdict }[]> {
  const ids = JSON.stringify(silent.map(({ callId }) => callId));
  const theirs = sql`(SELECT value FROM json_each(${ids}))`;
  const credentialsOf = sql`(SELECT credentials_id FROM calls WHERE account = ${store.account} AND id IN ${theirs})`;
  const [rows, credentials] = await store.read(
    store.select(calls, { where: inArray(calls.id, theirs) }),
    store.select(telephonyProviders, { where: inArray(telephonyProviders.id, credentialsOf) }),
  );
  return Promise.all(
    silent.map(async ({ callId, since }) => {
      const row = rows.find(({ id }) => id === callId);
      // A lease without a record: the request that took it never came to place the call.
      if (!row || isTerminal(row.status as CallStatus)) return { callId, verdict: "over" as const };
      const sealed = credentials.find(({ id }) => id === row.credentials_id);
      const connect = () => connectCarrier(env, store.account, row.provider as Provider, sealed);
      return { callId, verdict: await settleSilent(connect, store, row, since, now) };
    }),
  );
}

/** Settles one silent call with its carrier. */
export async function settleSilent(
  connect: () => Promise<Carrier>,
  store: AccountStore,
  row: typeof calls.$inferSelect,
  since: number,
  now: number,
): Promise<Verdict> {
  let found: CallEvent | null;
  try {
    const carrier = await connect();
    found = await carrier.lookup(callRef(row));
    const answered = row.connected_at !== null;
    if (found?.status === "in-progress" && !answered) {
      await recordCallEvent(store, row.id, found, now);
      return "running";
    }
    // Past all limits at the carrier too: we end it.
    if (found && !isTerminal(found.status)) await carrier.hangup(callRef(row));
  } catch {
    if (now < since + PATIENCE) return "unclear";
    found = null;
  }
  await recordCallEvent(store, row.id, found && isTerminal(found.status) ? found : unheard(row), now);
  return "over";
}

/** The end of a call of which nobody said that it ended. */
function unheard({ connected_at }: typeof calls.$inferSelect): CallEvent {
  const status = connected_at === null ? "no-answer" : "completed";
  return { provider_call_id: null, status, answered_by: null, reason: "no_final_event", recording: null };
}
