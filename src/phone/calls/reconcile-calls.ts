import { inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callSettings, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { recordingInbox } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import type { Carrier, Provider } from "../carriers/carrier.ts";
import { connectCarrier } from "../telephony/line.ts";
import { heldCall } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import { endConversations, silenceForMachine } from "./end-conversations.ts";
import type { LineStore, LiveCall, Outcome } from "./live/line-store.ts";
import { reconcile } from "./live/reconcile.ts";
import { endAtCarrier, shortCircuited } from "./look-up-calls.ts";
import { leaveMessage, machineWork } from "./machine-on-call.ts";
import { callLimits } from "./place-call.ts";
import { voicemailTimeoutMs } from "./voicemail.ts";

/** What became of a call that fell silent. */
export interface Reconciled {
  callId: string;
  /** When (ms) to ask about it again; null if it is over. */
  lookAt: number | null;
  /** Whether the ledger has the call; one that it lacks was never placed. */
  onRecord: boolean;
  /** Whether a hang-up is owed from now on; undefined if that does not change. */
  hangUp?: boolean | undefined;
}

const OVER: Outcome = { event: null, lookAt: null, hangUp: null };

/**
 * Asks the carriers about calls that fell silent, records what they say in one go, and ends what is past its limits or
 * is to be hung up.
 */
export async function reconcileCalls(
  { env, store, clock }: { env: Bindings; store: AccountStore; clock: () => number },
  silent: { callId: string; hangUp: boolean }[],
): Promise<Reconciled[]> {
  const ledger = new Ledger({ env, store });
  const rows = await ledger.calls(silent.map(({ callId }) => callId));
  const going = JSON.stringify([...new Set(rows.map(({ credentials_id }) => credentials_id))]);
  const [sealed, settings = DEFAULT_CALL_SETTINGS] = await store.read(
    store.select(telephonyProviders, {
      where: inArray(telephonyProviders.id, sql`(SELECT value FROM json_each(${going}))`),
    }),
    store.first(callSettings),
  );
  const limits = callLimits(env, settings);
  const toHangUp = new Set(silent.filter(({ hangUp }) => hangUp).map(({ callId }) => callId));
  const findings = new Map<string, Outcome>();
  for (const together of Map.groupBy(rows, (row) => `${row.provider} ${row.credentials_id}`).values()) {
    const [first] = together;
    const credentials = sealed.find(({ id }) => id === first?.credentials_id);
    const carrier = first && (await connected(env, store.account, first.provider as Provider, credentials));
    const context = { env, store, now: clock() };
    const wanted = together.filter(({ id, status }) => toHangUp.has(id) || !isTerminal(status as CallStatus));
    const live = new Map(wanted.map((row) => [row.id, liveCall(store.account, row, toHangUp.has(row.id))]));
    const found = new Map<string, Outcome>();
    const lines: LineStore = {
      current: (callId) => live.get(callId) ?? null,
      write: (callId, outcome) => void found.set(callId, outcome),
      silence: (call_id) =>
        silenceForMachine({ env, account: store.account }, { call_id, provider: first?.provider ?? "" }),
    };
    await reconcile({ store: lines, carrier: carrier ?? null, limits, clock }, [...live.values()]);
    for (const [callId, outcome] of found)
      findings.set(callId, await seeToMachine(context, carrier ?? null, wanted, callId, outcome));
  }
  const now = clock();
  const reported = [...findings].flatMap(([id, { event }]) => (event ? [{ id, events: [event] }] : []));
  const taken =
    reported.length > 0 ? await ledger.takeEvents(reported, { now, message_ms: voicemailTimeoutMs(env) }) : [];
  const over = taken.flatMap((one) => (one.outcome === "taken" && one.ended ? [heldCall(one.row)] : []));
  await endConversations({ env, account: store.account }, over);
  for (const { id: call_id, agent_id, campaign_id, provider, credentials_id } of rows) {
    const recording = findings.get(call_id)?.event?.recording;
    const recorded = { provider: provider as Provider, credentials_id, call_id, agent_id, campaign_id };
    if (recording) await recordingInbox(env, store.account).take(recorded, [recording]);
  }
  const onRecord = new Set(rows.map(({ id }) => id));
  return silent.map(({ callId }) => {
    const { lookAt, hangUp } = findings.get(callId) ?? OVER;
    const again = typeof hangUp === "object" ? (hangUp?.again ?? null) : null;
    const owes = hangUp === null ? undefined : again !== null;
    return { callId, lookAt: lookAt ?? again, onRecord: onRecord.has(callId), hangUp: owes };
  });
}

/** Does the pending work about a machine on a running call, also work that a crash interrupted. */
async function seeToMachine(
  context: { env: Bindings; store: AccountStore; now: number },
  carrier: Carrier | null,
  rows: CallRow[],
  callId: string,
  finding: Outcome,
): Promise<Outcome> {
  const row = rows.find(({ id }) => id === callId);
  if (!carrier || !row || finding.lookAt === null) return finding;
  const metadata =
    finding.event?.answered_by === "machine" ? { ...row.metadata, answered_by: "machine" } : row.metadata;
  const work = machineWork({ ...row, metadata }, context.now);
  if (work === "leave_message") await leaveMessage(context, row, carrier);
  if (work !== "hang_up") {
    const until = row.message_until;
    return {
      ...finding,
      lookAt: until === null ? finding.lookAt : Math.min(finding.lookAt, Math.max(until, context.now + 1_000)),
    };
  }
  const event = await endAtCarrier(
    carrier,
    Object.assign(callRef(context.store.account, row), { connected: true }),
  ).catch(() => null);
  if (!event) return finding;
  const ended = { ...event, answered_by: "machine" as const };
  return { lookAt: isTerminal(event.status) ? null : finding.lookAt, event: ended, hangUp: null };
}

/** The carrier for this round; null if it cannot be reached with what is left of its credentials. */
function connected(...to: Parameters<typeof connectCarrier>): Promise<Carrier | null> {
  return connectCarrier(...to).then(shortCircuited, () => null);
}

/** A call on record as its executor sees it. */
export function liveCall(account: string, row: CallRow, owesHangUp = false): LiveCall {
  const { created_at, connected_at, status, provider_call_id } = row;
  return {
    ref: callRef(account, row),
    placedAt: Date.parse(created_at),
    connectedAt: connected_at === null ? null : Date.parse(connected_at),
    inDoubt: status === "queued" && provider_call_id === null,
    over: isTerminal(status as CallStatus),
    owesHangUp,
    silencesAgent: row.metadata.answered_by === "machine",
  };
}
