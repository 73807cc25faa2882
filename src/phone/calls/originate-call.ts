import { eq } from "drizzle-orm";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { inForce } from "../../agent/versions/in-force.ts";
import { type AccountStore, UniqueViolation } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import type { LineEvent } from "../../records/ledger/call-state.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallLine } from "../../records/ledger/report.ts";
import { capReached } from "../call-limits/cap-reached.ts";
import { type CallSettings, type CallVoicemail, DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { type Line, lineFrom, lineReads } from "../telephony/line.ts";
import { callDisclosure } from "./call-disclosure.ts";
import { takeCallEvents } from "./call-events.ts";
import { CALLABLE_COLUMNS, callObstacle } from "./call-obstacles.ts";
import { projectCall } from "./call-projection.ts";
import { type DialRefusal, dialReads, dialRefusal, dialRefused } from "./dial-refusal.ts";
import { placeOnRecord } from "./originate.ts";
import { callLimits } from "./place-call.ts";
import { isRecorded, recordingOf } from "./recording-choice.ts";
import { GREETER_COLUMNS, type Greeter } from "./relay-settings.ts";
import { detectionFor } from "./voicemail.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
  /** The call's ID, the same for each attempt with an idempotency key. */
  newId: () => string;
  /** The API key that originates it; null for a user. */
  apiKeyId: string | null;
}

/** A call to originate: its agent, numbers and variables, and metadata to return with it. */
interface Order {
  agent_id: string;
  from_number: string;
  to_number: string;
  variables?: Record<string, string> | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Whether it is recorded. Overrides the account's setting. */
  record?: boolean | undefined;
  /** What happens when a machine answers. Overrides the account's setting. */
  voicemail?: CallVoicemail | undefined;
}

/** Returns the final event of a call whose number was refused after it was recorded. */
const refusedEvent = (refusal: DialRefusal): LineEvent => ({
  provider_call_id: null,
  status: "failed",
  answered_by: null,
  reason: refusal === "do_not_call" ? refusal : "rejected",
});
/**
 * Creates the error for a refused number. For a number on the do-not-call list, this endpoint has always answered 400.
 */
const notDialled = (refusal: DialRefusal) =>
  refusal === "do_not_call" ? invalidField("to_number", refusal, "is on the do-not-call list") : dialRefused(refusal);

/**
 * Places a single call: it is checked, counted against the caps, and recorded before the carrier is asked. Returns the
 * call once the carrier has accepted it. @throws ApiError with the reason
 */
export async function originateCall(context: Context, order: Order) {
  const { env, store, now } = context;
  const { variables = {}, metadata: own_metadata = {}, record = null, voicemail: chosen, ...parties } = order;
  const { line, agent, account_name, settings } = await openLine(context, order);
  const voicemail = chosen ?? settings.voicemail;
  const recorded = isRecorded("outbound", { call: record, campaign: null }, settings, agent);
  const disclosure = callDisclosure(settings, { agent, account_name });
  const limits = callLimits(env, settings);
  const { ring } = limits;
  const call_id = context.newId();
  const meter = accountMeter(env, store.account);
  const { refusal } = await meter.lease(call_id, ring, {
    agent_id: order.agent_id,
    campaign_id: null,
    api_key_id: context.apiKeyId,
  });
  if (refusal) throw capReached(refusal);
  const { credentials_id } = line.number;
  // Checked last, directly before the request to the carrier, because the number may have been listed in the meantime.
  const found = await store.read(...dialReads(store, [parties.to_number])).catch(async (error: unknown) => {
    await meter.refund([call_id]);
    throw error;
  });
  const ledger = new Ledger({ env, store });
  // If this fails, the call isn't placed, although it may be recorded. The meter detects that and frees the lease.
  const opened: CallLine = {
    ...parties,
    ...UNPLACED,
    api_key_id: context.apiKeyId,
    provider: line.provider,
    credentials_id,
    started_at: new Date(now).toISOString(),
    disclosure,
    recorded,
    voicemail,
    variables,
    own_metadata,
  };
  const act = store.act({ action: "originate", resource: "call", resource_id: call_id });
  const { row, isNew } = await ledger.openCall(call_id, opened, act);
  // An earlier attempt with the same idempotency key has recorded the call, and the lease belongs to that attempt.
  if (!isNew) throw new UniqueViolation("the same call already exists");
  const refused = await dialRefusal(context, parties.to_number, found);
  if (refused) {
    await takeCallEvents(context, { id: call_id, events: [refusedEvent(refused)], uncounted: true });
    throw notDialled(refused);
  }
  const call = {
    ...parties,
    account: store.account,
    call_id,
    campaign_id: null,
    credentials_id,
    disclosure,
    recording: recordingOf(recorded, settings),
    ring_timeout_s: ring / 1000,
    ...detectionFor(voicemail),
  };
  const caller = { agent, account_name, variables: Object.entries(variables) };
  const placed = await placeOnRecord({ env, store, now }, row, { line, call, caller }, limits);
  return Object.assign(projectCall(row), placed);
}

/** The state of a call before its order is sent to the carrier. */
const UNPLACED = {
  direction: "outbound",
  status: "queued",
  agent_version: null,
  campaign_id: null,
  contact_id: null,
  provider_call_id: null,
  end_reason: null,
  connected_at: null,
  ended_at: null,
  message: null,
  message_until: null,
  metadata: {},
} satisfies Partial<CallLine>;

/** Returns the current state of a call that an earlier attempt has recorded; null if there is none. */
export async function callOnRecord({ env, store }: Pick<Context, "env" | "store">, id: string) {
  const row = await new Ledger({ env, store }).call(id);
  return row && projectCall(row);
}

/** Returns the line and the agent of the call if nothing prevents it. @throws ApiError with the reason otherwise */
async function openLine(
  { env, store, now }: Omit<Context, "newId" | "apiKeyId">,
  { agent_id, from_number, to_number }: Order,
): Promise<{
  line: Line;
  agent: Greeter & Pick<typeof agents.$inferSelect, "storage">;
  account_name: string;
  settings: CallSettings;
}> {
  const [number, credentials, agent, profile, installs, blocked, settings = DEFAULT_CALL_SETTINGS] = await new Ledger({
    env,
    store,
  }).read(
    ...lineReads(store, from_number),
    inForce(store, eq(agents.id, agent_id), ["storage", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS]),
    store.profile(),
    modelKeys(store),
    ...dialReads(store, [to_number]),
  );
  const line = await lineFrom(env, [number, credentials]);
  if (!line) throw notFound("phone number", "from_number");
  if (!agent) throw notFound("agent", "agent_id");
  const { accountStatus } = profile;
  const planned = { accountStatus, direction: "outbound" as const, agent, provider: line.provider, installs };
  const obstacle = await callObstacle(env, planned, now);
  if (obstacle) throw conflict(obstacle.code, obstacle.message);
  if (!line.number.outbound_enabled)
    throw invalidField("from_number", "outbound_disabled", "is not enabled for outbound calls");
  const refused = await dialRefusal({ env, store }, to_number, [blocked, settings]);
  if (refused) throw notDialled(refused);
  return { line, agent, account_name: profile.display_name, settings };
}
