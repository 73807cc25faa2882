import { eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { modelKeys } from "../../agent/models/model-keys.ts";
import { versionRead } from "../../agent/versions/find-version.ts";
import { inForce } from "../../agent/versions/in-force.ts";
import { AccountClosedError, type AccountStore } from "../../kernel/db/account-store.ts";
import { agents, callSettings, phoneNumbers } from "../../kernel/db/schema/index.ts";
import { accountMeter, recordingInbox } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { VaultUnavailable } from "../../kernel/secrets/vault.ts";
import { DEFAULT_CALL_SETTINGS } from "../../phone/call-settings/settings.ts";
import { callDisclosure } from "../../phone/calls/call-disclosure.ts";
import { agentObstacle, CALLABLE_COLUMNS, callObstacle } from "../../phone/calls/call-obstacles.ts";
import { dialReads, dialRefusal, dialRefusals } from "../../phone/calls/dial-refusal.ts";
import { endConversations, silenceForMachine } from "../../phone/calls/end-conversations.ts";
import { callLimits, longestCall, placeCall } from "../../phone/calls/place-call.ts";
import { type CallLimits, SETTLED_WITHIN_MS } from "../../phone/calls/reconciliation.ts";
import { isRecorded, recordingOf } from "../../phone/calls/recording-choice.ts";
import { GREETER_COLUMNS } from "../../phone/calls/relay-settings.ts";
import { detectionFor } from "../../phone/calls/voicemail.ts";
import type { Carrier, Provider } from "../../phone/carriers/carrier.ts";
import { carrierBy, type Line, lineFrom, lineReads } from "../../phone/telephony/line.ts";
import { contactVariables } from "../projection.ts";
import { pinOf } from "../settings.ts";
import { disclosureIn, heldDisclosure } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { lineKey } from "./call-reconciliation.ts";
import { type CallLine, type DispatchDependencies, LineUnavailable } from "./dispatch-dependencies.ts";
import { contactMessage } from "./machine-message.ts";

/** How long the campaign's number and credentials are reused, ms. */
const LINE_REUSE_MS = 10_000;
/** Status reasons of a campaign that is paused because its number can't place calls. */
const NUMBER_MISSING = "from_number_missing";
const OUTBOUND_DISABLED = "from_number_outbound_disabled";
/** Status reason if its agent no longer has the version. */
const VERSION_MISSING = "agent_version_missing";

/**
 * Returns the dispatcher's dependencies in production: the account's meter, its numbers in D1, the carriers and the
 * clock.
 */
export function dialDependencies(
  env: Env,
  store: CampaignStore,
  accountStore: AccountStore,
  changed: () => void,
): DispatchDependencies {
  // The account's limits are unknown until the first line is read. Until then, calls get the longest limits.
  let limits = longestCall(env);
  let current: { line: CallLine; at: number } | null = null;
  const carriers = new Map<string, Carrier>();

  return {
    get limits() {
      return limits;
    },
    changed,
    now: Date.now,
    newCallId: (now) => uuidv7({ msecs: now }),
    exchange: ({ free, refund, renew, held, take }) => {
      const { account, id } = store.campaign.existing;
      const { agent_id } = store.campaign.settings;
      // Runs in parallel to the meter, because a slot must not wait for a conversation to end.
      if (free.length > 0) void endConversations({ env, account }, store.attempts.answered(free));
      return accountMeter(env, account).exchange({
        campaign: id,
        agent_id,
        free,
        took_ms: store.attempts.tookMs(free),
        refund,
        leased: held,
        take,
        // The lease outlasts the campaign's own limit for a call, so that the campaign settles the call first.
        ttl: limits.ring + SETTLED_WITHIN_MS,
        renew: { calls: renew, ttl: limits.duration + SETTLED_WITHIN_MS },
      });
    },
    async line() {
      const { agent_id, from_number, record } = store.campaign.settings;
      const pinned_version = pinOf(store.campaign.settings);
      const fresh = current !== null && Date.now() - current.at < LINE_REUSE_MS;
      const same =
        current?.line.from_number === from_number &&
        current?.line.agent_id === agent_id &&
        current?.line.pinned_version === pinned_version &&
        current?.line.record === record;
      if (fresh && same && current) return current.line;
      const wanted = { from_number: from_number ?? "", agent_id: agent_id ?? "", pinned_version, record };
      const opened = await openCallLine(env, accountStore, wanted);
      limits = opened.limits;
      current = { line: opened.line, at: Date.now() };
      return opened.line;
    },
    async carrierOf(attempt) {
      const key = lineKey(attempt);
      const cached = carriers.get(key);
      if (cached) return cached;
      const carrier = await carrierBy(env, accountStore, attempt.provider as Provider, attempt.credentials_id);
      if (!carrier) throw new LineUnavailable("credentials_gone");
      carriers.set(key, carrier);
      return carrier;
    },
    async recorded({ call_id, agent_id, provider, credentials_id }, recording) {
      const { account, id } = store.campaign.existing;
      const call = {
        provider: provider as Provider,
        credentials_id,
        call_id,
        agent_id,
        campaign_id: id,
      };
      await recordingInbox(env, account).take(call, [recording]);
    },
    async place(line, callId, contact) {
      const { account, id, columns } = store.campaign.existing;
      const to_number = `+${contact.phone}`;
      const call = {
        account,
        call_id: callId,
        agent_id: line.agent_id,
        campaign_id: id,
        from_number: line.from_number,
        to_number,
        credentials_id: line.credentials_id,
        disclosure: disclosureIn(line.disclosure),
        recording: line.recording,
        ring_timeout_s: limits.ring / 1000,
        ...detectionFor(store.campaign.settings.voicemail),
      };
      const by = { provider: line.provider as Provider, carrier: line.carrier };
      const caller = { ...line.speaker, variables: contactVariables(columns, contact) };
      return placeCall({ env, now: Date.now() }, { line: by, call, caller });
    },
    machineMessage: (attempt) => contactMessage(env, store, accountStore, attempt, Date.now()),
    machineAnswered: (attempt) => silenceForMachine({ env, account: store.campaign.existing.account }, attempt),
    async lastLook(line, number) {
      const [accountStatus, blocked, settings = DEFAULT_CALL_SETTINGS, agent, from] = await accountStore.read(
        accountStore.accountStatus(),
        ...dialReads(accountStore, [number]),
        inForce(accountStore, eq(agents.id, line.agent_id), ["status", "disclosure"]),
        accountStore.first(phoneNumbers, {
          where: eq(phoneNumbers.e164, line.from_number),
          columns: ["outbound_enabled"],
        }),
      );
      const obstacle = orUnavailable(() => agentObstacle({ accountStatus, direction: "outbound", agent }));
      if (obstacle || !agent) throw new LineUnavailable(obstacle?.code ?? "agent_missing");
      // The line is reused for a while, but its calls must use the current disclosure.
      const speaks = Object.assign({}, line.speaker.agent, { disclosure: agent.disclosure });
      line.disclosure = heldDisclosure(callDisclosure(settings, Object.assign({}, line.speaker, { agent: speaks })));
      if (!from?.outbound_enabled) throw new LineUnavailable(from ? OUTBOUND_DISABLED : NUMBER_MISSING);
      return dialRefusal({ env, store: accountStore }, number, [blocked, settings]);
    },
    async refused(numbers) {
      if (numbers.length === 0) return new Map();
      const found = await accountStore.read(...dialReads(accountStore, numbers));
      return dialRefusals({ env, store: accountStore }, numbers, found);
    },
  };
}

interface WantedLine {
  from_number: string;
  agent_id: string;
  pinned_version: number | null;
  record: boolean | null;
}

/** Opens the line of the next calls and reads their time limits, in one round trip. @throws LineUnavailable */
async function openCallLine(
  env: Env,
  accountStore: AccountStore,
  { from_number, agent_id, pinned_version, record }: WantedLine,
): Promise<{ line: CallLine; limits: CallLimits }> {
  try {
    const [number, credentials, agent, version, profile, installs, settings = DEFAULT_CALL_SETTINGS] =
      await accountStore.read(
        ...lineReads(accountStore, from_number),
        inForce(
          accountStore,
          eq(agents.id, agent_id),
          ["storage", ...CALLABLE_COLUMNS, ...GREETER_COLUMNS],
          pinned_version,
        ),
        versionRead(accountStore, agent_id, pinned_version ?? 0),
        accountStore.profile(),
        modelKeys(accountStore),
        accountStore.first(callSettings),
      );
    const { accountStatus } = profile;
    const { provider, carrier } = await usable(env, [number, credentials]);
    const planned = { accountStatus, direction: "outbound" as const, agent, provider, installs };
    const obstacle = await callObstacle(env, planned, Date.now());
    if (obstacle || !agent) throw new LineUnavailable(obstacle?.code ?? "agent_missing");
    if (pinned_version !== null && !version) throw new LineUnavailable(VERSION_MISSING);
    const speaker = { agent, account_name: profile.display_name };
    const recorded = isRecorded("outbound", { call: null, campaign: record }, settings, agent);
    const line: CallLine = {
      provider,
      carrier,
      agent_id,
      pinned_version,
      from_number,
      credentials_id: number?.credentials_id ?? null,
      speaker,
      disclosure: heldDisclosure(callDisclosure(settings, speaker)),
      record,
      recorded: Number(recorded),
      recording: recordingOf(recorded, settings),
    };
    return { line, limits: callLimits(env, settings) };
  } catch (error) {
    return unavailable(error);
  }
}

async function usable(env: Env, found: Parameters<typeof lineFrom>[1]): Promise<Line> {
  baseOf(env);
  const line = await lineFrom(env, found);
  if (!line) throw new LineUnavailable(NUMBER_MISSING);
  if (!line.number.outbound_enabled) throw new LineUnavailable(OUTBOUND_DISABLED);
  return line;
}

function orUnavailable<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    return unavailable(error);
  }
}

function unavailable(error: unknown): never {
  if (error instanceof VaultUnavailable) throw new LineUnavailable("credentials_unavailable");
  if (error instanceof AccountClosedError) throw new LineUnavailable("account_closed");
  if (error instanceof ApiError) throw new LineUnavailable(error.code);
  throw error;
}
