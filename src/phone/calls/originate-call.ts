import { eq } from "drizzle-orm";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { type AccountStore, UniqueViolation } from "../../kernel/db/account-store.ts";
import { agents, calls } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import type { CallStatus } from "../../records/ledger/call-status.ts";
import { capReached } from "../call-limits/cap-reached.ts";
import { type CallSettings, type CallVoicemail, DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import type { CallEvent } from "../carriers/carrier.ts";
import { type Line, lineFrom, lineReads } from "../telephony/line.ts";
import { takeCallEvent } from "./call-events.ts";
import { CALLABLE_COLUMNS, callObstacle } from "./call-obstacles.ts";
import { type DialRefusal, dialReads, dialRefusal, dialRefused } from "./dial-refusal.ts";
import { placeOnRecord } from "./originate.ts";
import { callLimits } from "./place-call.ts";
import { isRecorded, recordingOf } from "./recording-choice.ts";
import { GREETER_COLUMNS, type Greeter } from "./relay-settings.ts";
import { detectionFor } from "./voicemail.ts";

type CallRow = typeof calls.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
  /** What the call is to be known by: the same for each attempt under an idempotency key. */
  newId: () => string;
  /** The API key that originates it, null for a person. */
  apiKeyId: string | null;
}

/** Who calls whom, and from which of the account's numbers; what the agent is told, and what is given back. */
interface Order {
  agent_id: string;
  from_number: string;
  to_number: string;
  variables?: Record<string, string> | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Whether it is recorded, whatever the account has set. */
  record?: boolean | undefined;
  /** What is done where a machine answers, whatever the account has set. */
  voicemail?: CallVoicemail | undefined;
}

/** How a call ends whose number was refused after it was put on record. */
const refusedEvent = (refusal: DialRefusal): CallEvent => ({
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: refusal === "do_not_call" ? refusal : "rejected",
  recording: null,
});
/** Callers of this endpoint have always got 400 for a number on the do-not-call list. */
const notDialled = (refusal: DialRefusal) =>
  refusal === "do_not_call" ? invalidField("to_number", refusal, "is on the do-not-call list") : dialRefused(refusal);

/**
 * Has the number's carrier place a single call: checked, counted against the caps, and on record before the carrier is
 * asked. Gives the call once the carrier has taken it. @throws ApiError with the reason
 */
export async function originateCall(context: Context, order: Order) {
  const { env, store, now } = context;
  const { variables = {}, metadata: own_metadata = {}, record = null, voicemail: chosen, ...parties } = order;
  const { line, agent, account_name, settings } = await openLine(context, order);
  const voicemail = chosen ?? settings.voicemail;
  const recorded = isRecorded("outbound", { call: record, campaign: null }, settings, agent);
  const { ring } = callLimits(env, settings);
  const call_id = context.newId();
  const meter = accountMeter(env, store.account);
  const { refusal } = await meter.lease(call_id, ring, {
    agent_id: order.agent_id,
    campaign_id: null,
    api_key_id: context.apiKeyId,
  });
  if (refusal) throw capReached(refusal);
  const { credentials_id } = line.number;
  const at = new Date(now).toISOString();
  const row = {
    ...parties,
    id: call_id,
    direction: "outbound" as const,
    status: "queued" as CallStatus,
    campaign_id: null,
    provider: line.provider,
    credentials_id,
    created_at: at,
    started_at: at,
    recorded,
    voicemail,
    metadata: {},
    variables,
    own_metadata,
  };
  const written = store.write(
    { action: "originate", resource: "call", resource_id: call_id },
    store.insert(calls, row),
    // The last look before the carrier is asked: the number may have been listed meanwhile.
    ...dialReads(store, [parties.to_number]),
  );
  const [, ...found] = await written.catch(async (error: unknown) => {
    // An attempt under the same idempotency key has it on record: the lease is that one's.
    if (!(error instanceof UniqueViolation)) await meter.refund([call_id]);
    throw error;
  });
  const refused = dialRefusal(parties.to_number, found);
  if (refused) {
    await meter.refund([call_id]);
    await takeCallEvent(env, store, call_id, refusedEvent(refused), now);
    throw notDialled(refused);
  }
  const call = {
    ...parties,
    account: store.account,
    call_id,
    campaign_id: null,
    credentials_id,
    recording: recordingOf(recorded, settings),
    ring_timeout_s: ring / 1000,
    ...detectionFor(voicemail),
  };
  const caller = { agent, account_name, variables: Object.entries(variables) };
  const { status, provider_call_id } = await placeOnRecord({ env, store, now }, { line, call, caller });
  return { ...row, call_id, status, provider_call_id, metadata: shownMetadata(row) };
}

/** A call that an earlier attempt has put on record, as it stands; null where there is none. */
export async function callOnRecord(store: AccountStore, id: string) {
  const [row] = await store.read(store.first(calls, { where: eq(calls.id, id) }));
  if (!row) return null;
  const status = row.status as CallStatus;
  return { ...row, call_id: row.id, status, recorded: wasRecorded(row), metadata: shownMetadata(row) };
}

/** Whether the call was set to be recorded; one from before that could be chosen tells by what came of it. */
export function wasRecorded({ recorded, recording_id }: Pick<CallRow, "recorded" | "recording_id">): boolean {
  return recorded ?? recording_id !== null;
}

/** A call's metadata as clients see it: their own, behind what is noted here by the same name. */
export function shownMetadata({ own_metadata, metadata }: Pick<CallRow, "own_metadata" | "metadata">) {
  return { ...own_metadata, ...metadata };
}

/** The line the call goes by and who talks on it, once nothing is in its way. @throws ApiError with what is */
async function openLine(
  { env, store, now }: Omit<Context, "newId" | "apiKeyId">,
  { agent_id, from_number, to_number }: Order,
): Promise<{
  line: Line;
  agent: Greeter & Pick<typeof agents.$inferSelect, "storage">;
  account_name: string;
  settings: CallSettings;
}> {
  const [number, credentials, agent, profile, installs, blocked, settings = DEFAULT_CALL_SETTINGS] = await store.read(
    ...lineReads(store, from_number),
    store.first(agents, {
      where: eq(agents.id, agent_id),
      columns: ["id", "storage", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS],
    }),
    store.profile(),
    modelKeys(store),
    ...dialReads(store, [to_number]),
  );
  const line = await lineFrom(env, [number, credentials]);
  if (!line) throw notFound("phone number", "from_number");
  if (!agent) throw notFound("agent", "agent_id");
  const { standing } = profile;
  const planned = { standing, direction: "outbound" as const, agent, provider: line.provider, installs };
  const obstacle = await callObstacle(env, planned, now);
  if (obstacle) throw conflict(obstacle.code, obstacle.message);
  if (!line.number.outbound_enabled)
    throw invalidField("from_number", "outbound_disabled", "is not enabled for outbound calls");
  const refused = dialRefusal(to_number, [blocked, settings]);
  if (refused) throw notDialled(refused);
  return { line, agent, account_name: profile.display_name, settings };
}
