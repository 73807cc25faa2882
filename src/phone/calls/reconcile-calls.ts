import { inArray, sql } from "drizzle-orm";
import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callSettings, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { recordingInbox } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import type { CallEvent, Carrier, Provider } from "../carriers/carrier.ts";
import { connectCarrier } from "../telephony/line.ts";
import { heldCall } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import { endConversations } from "./end-conversations.ts";
import { CARRIER_CONCURRENCY, endAtCarrier, lookUpCalls, shortCircuited } from "./look-up-calls.ts";
import { leaveMessage, machineWork } from "./machine-on-call.ts";
import { callLimits } from "./place-call.ts";
import { type CallLimits, type CarrierAnswer, hangUpAgainAt, judge, type OpenCall } from "./reconciliation.ts";

/** When (ms) to ask about the call again, null if it is over; and what to record of it. */
interface Finding {
  lookAt: number | null;
  event: CallEvent | null;
}
const OVER: Finding = { lookAt: null, event: null };

/**
 * Asks the carriers about calls that fell silent, records what they say in one go, and ends what is past its limits or
 * is to be hung up. Gives when (ms) to ask about each again, null for those that are over, and whether it is
 * on record at all: of one that is not, nobody came to place the call.
 */
export async function reconcileCalls(
  { env, store, clock }: { env: Bindings; store: AccountStore; clock: () => number },
  silent: { callId: string; hangUp: boolean }[],
): Promise<{ callId: string; lookAt: number | null; onRecord: boolean }[]> {
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
  const findings = new Map<string, Finding>();
  for (const together of Map.groupBy(rows, (row) => `${row.provider} ${row.credentials_id}`).values()) {
    const [first] = together;
    const credentials = sealed.find(({ id }) => id === first?.credentials_id);
    const carrier = first && (await connected(env, store.account, first.provider as Provider, credentials));
    const context = { env, store, now: clock() };
    const at = { account: store.account, carrier: carrier ?? null, limits, clock };
    const wanted = together.filter(({ id, status }) => toHangUp.has(id) || !isTerminal(status as CallStatus));
    for (const [callId, finding] of await findingsOf(at, wanted, toHangUp))
      findings.set(callId, await seeToMachine(context, carrier ?? null, wanted, callId, finding));
  }
  const now = clock();
  const reported = [...findings].flatMap(([id, { event }]) => (event ? [{ id, events: [event] }] : []));
  const taken = reported.length > 0 ? await ledger.takeEvents(reported, { now, message_ms: null }) : [];
  const over = taken.flatMap((one) => (one.outcome === "taken" && one.ended ? [heldCall(one.row)] : []));
  await endConversations({ env, account: store.account }, over);
  for (const { id: call_id, agent_id, campaign_id, provider, credentials_id } of rows) {
    const recording = findings.get(call_id)?.event?.recording;
    const recorded = { provider: provider as Provider, credentials_id, call_id, agent_id, campaign_id };
    if (recording) await recordingInbox(env, store.account).take(recorded, [recording]);
  }
  const onRecord = new Set(rows.map(({ id }) => id));
  return silent.map(({ callId }) => ({
    callId,
    lookAt: (findings.get(callId) ?? OVER).lookAt,
    onRecord: onRecord.has(callId),
  }));
}

/** Does the pending work about a machine on a running call, also work that a crash interrupted. */
async function seeToMachine(
  context: { env: Bindings; store: AccountStore; now: number },
  carrier: Carrier | null,
  rows: CallRow[],
  callId: string,
  finding: Finding,
): Promise<Finding> {
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
  return { lookAt: isTerminal(event.status) ? null : finding.lookAt, event: ended };
}

/** The carrier for this round; null if it cannot be reached with what is left of its credentials. */
function connected(...to: Parameters<typeof connectCarrier>): Promise<Carrier | null> {
  return connectCarrier(...to).then(shortCircuited, () => null);
}

/** The carrier to look calls up at, and the limits that apply. */
interface Desk {
  account: string;
  /** Null if it cannot be reached. */
  carrier: Carrier | null;
  limits: CallLimits;
  clock: () => number;
}

async function findingsOf(at: Desk, rows: CallRow[], toHangUp: ReadonlySet<string>): Promise<Map<string, Finding>> {
  const { account, carrier } = at;
  const silent = rows.filter(({ id }) => !toHangUp.has(id)).map((row) => callRef(account, row));
  const answers = carrier ? await lookUpCalls(carrier, silent) : new Map<string, CarrierAnswer>();
  const findings = new Map<string, Finding>();
  const settle = async (row: CallRow) => {
    const answer = answers.has(row.id) ? (answers.get(row.id) ?? null) : "unreachable";
    findings.set(row.id, toHangUp.has(row.id) ? await hangUp(at, row) : await follow(at, row, answer));
  };
  await pMap(rows, settle, { concurrency: CARRIER_CONCURRENCY });
  return findings;
}

/** Applies the policy for silent calls to one. */
async function follow(at: Desk, row: CallRow, answer: CarrierAnswer): Promise<Finding> {
  const { account, carrier, limits, clock } = at;
  const verdict = judge(openCall(row), answer, limits, clock());
  if (verdict.next === "running") return { lookAt: verdict.lookAt, event: verdict.event };
  if (verdict.next === "ended") return { lookAt: null, event: verdict.event };
  const hungUp = await carrier?.hangup(callRef(account, row)).then(
    () => true,
    () => false,
  );
  const again = hungUp ? null : hangUpAgainAt(openCall(row), limits, clock());
  return again === null ? { lookAt: null, event: verdict.event } : { lookAt: again, event: null };
}

/** Retries a requested hang-up. */
async function hangUp(at: Desk, row: CallRow): Promise<Finding> {
  const { account, carrier, limits, clock } = at;
  try {
    if (!carrier) throw new TypeError("the carrier cannot be reached");
    const event = await endAtCarrier(carrier, callRef(account, row));
    return { lookAt: isTerminal(event.status) ? null : hangUpAgainAt(openCall(row), limits, clock()), event };
  } catch {
    const call = openCall(row);
    const again = call.inDoubt ? null : hangUpAgainAt(call, limits, clock());
    return again === null ? follow(at, row, "unreachable") : { lookAt: again, event: null };
  }
}

/** A call on record as the policy for silent calls sees it. */
export function openCall({ created_at, connected_at, status, provider_call_id }: CallRow): OpenCall {
  return {
    placedAt: Date.parse(created_at),
    connectedAt: connected_at === null ? null : Date.parse(connected_at),
    inDoubt: status === "queued" && provider_call_id === null,
  };
}
