import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { type AccountStore, assertOpen, UniqueViolation } from "../../kernel/db/account-store.ts";
import { agents, callSettings, calls, phoneNumbers } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { CALLABLE_COLUMNS, callObstacle } from "../calls/call-obstacles.ts";
import { isRecorded, recordingOf } from "../calls/recording-choice.ts";
import { GREETER_COLUMNS, relaySettings } from "../calls/relay-settings.ts";
import { type CallStatus, isTerminal } from "../carriers/call-status.ts";
import type { InboundCall, Provider, RecordingOrder, RelaySettings } from "../carriers/carrier.ts";
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

type AdmittedRow = Pick<typeof calls.$inferSelect, "id" | "agent_id" | "recorded">;

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
      columns: ["id", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS],
    }),
    modelKeys(store),
    store.first(calls, { where: again }),
    store.first(callSettings),
  );
  assertOpen(profile.standing);
  const refused = numberRefusal(number, by);
  if (refused) return { refusal: refused };
  const obstacle = await callObstacle(env, { direction: "inbound", agent, provider, installs }, now);
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
  if (known) return isTerminal(known.status as CallStatus) ? { refusal: "no_agent" } : admitted(known);

  const call_id = uuidv7({ msecs: now });
  const meter = accountMeter(env, store.account);
  // The carrier picks up as soon as it has the document, so the lease lasts as long as a call may.
  const { refusal } = await meter.lease(call_id, null);
  // The carrier may ask twice at once: the other request may have taken the last lease for the same call.
  const already = async () => (await store.read(store.first(calls, { where: again })))[0];
  if (refusal) {
    const first = await already();
    return first ? admitted(first) : { refusal: "at_capacity", full: refusal };
  }
  const at = new Date(now).toISOString();
  const recorded = isRecorded("inbound", { call: null, campaign: null }, settings);
  try {
    await store.record(
      store.insert(calls, {
        id: call_id,
        direction: "inbound",
        status: "in-progress",
        agent_id,
        from_number,
        to_number,
        provider,
        credentials_id: number?.credentials_id ?? null,
        provider_call_id,
        recorded,
        metadata: {},
        created_at: at,
        started_at: at,
        connected_at: at,
      }),
    );
  } catch (error) {
    // No call came of it, so none of the caps counts it.
    await meter.refund([call_id]);
    if (!(error instanceof UniqueViolation)) throw error;
    const first = await already();
    return first ? admitted(first) : { refusal: "no_agent" };
  }
  return admitted({ id: call_id, agent_id, recorded });
}

/** The call that came in under the carrier's id. The literal lets SQLite use the partial index. */
export function inboundIs(provider: Provider, providerCallId: string): SQL | undefined {
  return and(eq(calls.provider, provider), eq(calls.provider_call_id, providerCallId), sql`direction = 'inbound'`);
}
