import { eq, inArray, sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { inForce } from "../../agent/versions/in-force.ts";
import { type AccountStore, assertOpen } from "../../kernel/db/account-store.ts";
import { agents, callSettings, phoneNumbers } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import type { EndReason } from "../../records/ledger/end-reason.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallLine, CallRow } from "../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { callDisclosure } from "../calls/call-disclosure.ts";
import { CALLABLE_COLUMNS, callObstacle } from "../calls/call-obstacles.ts";
import { isRecorded, recordingOf } from "../calls/recording-choice.ts";
import { GREETER_COLUMNS, relaySettings } from "../calls/relay-settings.ts";
import type { InboundCall, Provider, RecordingOrder, RelaySettings } from "../carriers/carrier.ts";
import { callerOf } from "./caller.ts";
import { numberRefusal, obstacleRefusal, type TurnedAway } from "./decision.ts";

/** The origin of an inbound call: the carrier that announced it, and its credentials. */
export interface By {
  provider: Provider;
  credentials_id: string | null;
}

/** A recorded call, with the settings for its carrier's speech and its recording. */
export interface Admitted {
  row: CallRow;
  relay: RelaySettings;
  recording: RecordingOrder | null;
}

/** The end reasons of a call whose caller had too many calls, and of one that a budget refused. */
const CALLER_LIMIT: EndReason = "caller_limit";
const BUDGET: EndReason = "budget";

/** Records and counts the call, or returns why it is refused. */
export async function admitCall(
  { env, store, now }: { env: Bindings; store: AccountStore; now: number },
  by: By,
  { from_number, to_number, provider_call_id }: InboundCall,
): Promise<Admitted | TurnedAway> {
  const { provider } = by;
  const pinned = sql`(SELECT agent_id FROM phone_numbers WHERE account = ${store.account} AND e164 = ${to_number})`;
  const ledger = new Ledger({ env, store });
  const [profile, number, agent, installs, settings = DEFAULT_CALL_SETTINGS] = await ledger.read(
    store.profile(),
    store.first(phoneNumbers, { where: eq(phoneNumbers.e164, to_number) }),
    inForce(store, inArray(agents.id, pinned), ["storage", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS]),
    modelKeys(store),
    store.first(callSettings),
  );
  const { accountStatus } = profile;
  assertOpen(accountStatus);
  const refused = numberRefusal(number, by);
  if (refused) return { refusal: refused };
  const obstacle = await callObstacle(env, { accountStatus, direction: "inbound", agent, provider, installs }, now);
  if (obstacle || !agent)
    return { refusal: obstacle ? obstacleRefusal(obstacle) : "no_agent", language: agent?.language };
  const { language } = agent;
  const call = { direction: "inbound" as const, from_number, to_number };
  const relay = relaySettings({ agent, account_name: profile.display_name, call, variables: [] });
  const meter = accountMeter(env, store.account);
  // A call announced twice keeps its first id and has one record under that id.
  const lease = await meter.leaseInbound({
    callId: uuidv7({ msecs: now }),
    announcedAs: `${provider}/${provider_call_id}`,
    caller: callerOf(from_number),
    agent_id: agent.id,
  });
  const at = new Date(now).toISOString();
  const line = {
    ...UNCONNECTED,
    agent_id: agent.id,
    from_number,
    to_number,
    provider,
    credentials_id: number?.credentials_id ?? null,
    provider_call_id,
    disclosure: null,
    started_at: at,
  };
  if (lease.outcome === "refused") {
    const end_reason = lease.refusal.cap === "budget_reached" ? BUDGET : CALLER_LIMIT;
    const busy = { status: "busy", ended_at: at, end_reason, recorded: false };
    if (lease.callId !== null) await ledger.openCall(lease.callId, Object.assign(line, busy));
    return lease.again
      ? { refusal: "at_capacity", language }
      : { refusal: "at_capacity", language, full: lease.refusal };
  }
  const recorded = isRecorded("inbound", { call: null, campaign: null }, settings, agent);
  const disclosure = callDisclosure(settings, { agent, account_name: profile.display_name });
  const connected = { status: "in-progress", connected_at: at, disclosure, recorded };
  // If this fails, the call is not connected. The carrier retries; otherwise the meter finds that the call is not
  // recorded.
  const { row } = await ledger.openCall(lease.callId, Object.assign(line, connected));
  if (isTerminal(row.status as CallStatus)) return { refusal: "no_agent", language };
  return { row, relay, recording: recordingOf(row.recorded, settings) };
}

/** The state of a line before its caller is connected or rejected. */
const UNCONNECTED = {
  direction: "inbound",
  agent_version: null,
  campaign_id: null,
  contact_id: null,
  api_key_id: null,
  end_reason: null,
  connected_at: null,
  ended_at: null,
  voicemail: null,
  message: null,
  message_until: null,
  metadata: {},
  variables: {},
  own_metadata: {},
} satisfies Partial<CallLine>;
