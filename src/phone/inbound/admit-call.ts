import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { type AccountStore, assertOpen, UniqueViolation } from "../../kernel/db/account-store.ts";
import { agents, callSettings, calls, phoneNumbers } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import type { EndReason } from "../../records/ledger/end-reason.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { CALLABLE_COLUMNS, callObstacle } from "../calls/call-obstacles.ts";
import { isRecorded, recordingOf } from "../calls/recording-choice.ts";
import { GREETER_COLUMNS, relaySettings } from "../calls/relay-settings.ts";
import type { InboundCall, Provider, RecordingOrder, RelaySettings } from "../carriers/carrier.ts";
import { callerOf } from "./caller.ts";
import { numberRefusal, obstacleRefusal, type TurnedAway } from "./decision.ts";

/** Whose word a call came by. */
export interface By {
  provider: Provider;
  credentials_id: string | null;
}

/** A call that is on record, how its carrier speaks for its agent, and how it is recorded. */
export interface Admitted {
  call_id: string;
  agent_id: string;
  relay: RelaySettings;
  recording: RecordingOrder | null;
}

/** Why a call ended whose caller had too many, or which a budget kept out. */
const CALLER_LIMIT: EndReason = "caller_limit";
const BUDGET: EndReason = "budget";

type AdmittedRow = Pick<typeof calls.$inferSelect, "id" | "agent_id" | "recorded">;
type KnownRow = AdmittedRow & Pick<typeof calls.$inferSelect, "status" | "end_reason">;

/** Puts the call on record and counts it, or says why it is turned away. */
export async function admitCall(
  { env, store, now }: { env: Bindings; store: AccountStore; now: number },
  by: By,
  { from_number, to_number, provider_call_id }: InboundCall,
): Promise<Admitted | TurnedAway> {
  const { provider } = by;
  const pinned = sql`(SELECT agent_id FROM phone_numbers WHERE account = ${store.account} AND e164 = ${to_number})`;
  const again = inboundIs(provider, provider_call_id);
  const [profile, number, agent, installs, known, settings = DEFAULT_CALL_SETTINGS] = await store.read(
    store.profile(),
    store.first(phoneNumbers, { where: eq(phoneNumbers.e164, to_number) }),
    store.first(agents, {
      where: inArray(agents.id, pinned),
      columns: ["id", "storage", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS],
    }),
    modelKeys(store),
    store.first(calls, { where: again }),
    store.first(callSettings),
  );
  const { standing } = profile;
  assertOpen(standing);
  const refused = numberRefusal(number, by);
  if (refused) return { refusal: refused };
  const obstacle = await callObstacle(env, { standing, direction: "inbound", agent, provider, installs }, now);
  if (obstacle || !agent) return { refusal: obstacle ? obstacleRefusal(obstacle) : "no_agent" };
  const agent_id = agent.id;
  const call = { direction: "inbound" as const, from_number, to_number };
  const relay = relaySettings({ agent, account_name: profile.display_name, call, variables: [] });
  const admitted = ({ id, agent_id, recorded }: AdmittedRow): Admitted => ({
    call_id: id,
    agent_id,
    relay,
    recording: recordingOf(recorded ?? true, settings),
  });
  const earlier = (row: KnownRow) => (isTerminal(row.status as CallStatus) ? refusedBefore(row) : admitted(row));
  if (known) return earlier(known);

  const at = new Date(now).toISOString();
  const row = {
    direction: "inbound" as const,
    agent_id,
    from_number,
    to_number,
    provider,
    credentials_id: number?.credentials_id ?? null,
    provider_call_id,
    created_at: at,
    started_at: at,
  };
  const meter = accountMeter(env, store.account);
  const lease = await meter.leaseInbound({
    callId: uuidv7({ msecs: now }),
    announcedAs: `${provider}/${provider_call_id}`,
    caller: callerOf(from_number),
    agent_id,
  });
  if (lease.outcome === "refused") {
    const end_reason = lease.refusal.cap === "budget_reached" ? BUDGET : CALLER_LIMIT;
    const busy = { status: "busy", ended_at: at, end_reason, recorded: false } as const;
    if (lease.toRecord) await putOnRecord(store, { ...row, ...busy, id: uuidv7({ msecs: now }), metadata: {} });
    return { refusal: "at_capacity", full: lease.refusal };
  }
  const { callId: id } = lease;
  const recorded = isRecorded("inbound", { call: null, campaign: null }, settings, agent);
  const connected = { status: "in-progress", connected_at: at } as const;
  // If this fails, nobody connects the call, and the meter finds that it is not on record; the carrier asks again first.
  const isNew = await putOnRecord(store, { ...row, ...connected, id, recorded, metadata: {} });
  if (isNew) return admitted({ id, agent_id, recorded });
  const [first] = await store.read(store.first(calls, { where: again }));
  // The meter has forgotten that it was announced before: no second call came of it, so none of the caps counts it.
  if (first?.id !== id) await meter.refund([id]);
  return first ? earlier(first) : { refusal: "no_agent" };
}

/** Puts a call on record; false where it is already. */
async function putOnRecord(store: AccountStore, row: Parameters<typeof insertOf>[1]): Promise<boolean> {
  try {
    await store.record(insertOf(store, row));
    return true;
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}

function insertOf(store: AccountStore, row: Omit<typeof calls.$inferInsert, "account">) {
  return store.insert(calls, row);
}

/** What a call that is over is answered when it is announced again. */
function refusedBefore({ end_reason }: KnownRow): TurnedAway {
  return { refusal: end_reason === CALLER_LIMIT || end_reason === BUDGET ? "at_capacity" : "no_agent" };
}

/** The call that came in under the carrier's id. The literal lets SQLite use the partial index. */
export function inboundIs(provider: Provider, providerCallId: string): SQL | undefined {
  return and(eq(calls.provider, provider), eq(calls.provider_call_id, providerCallId), sql`direction = 'inbound'`);
}
