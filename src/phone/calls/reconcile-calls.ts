import { inArray, sql } from "drizzle-orm";
import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callSettings, telephonyProviders } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import type { Carrier, Provider } from "../carriers/carrier.ts";
import { connectCarrier } from "../telephony/line.ts";
import { LedgerLines, type Settled } from "./live/ledger-lines.ts";
import { doMachineWork, machineWork } from "./live/machine-work.ts";
import { reconcile } from "./live/reconcile.ts";
import { CARRIER_CONCURRENCY, shortCircuited } from "./look-up-calls.ts";
import { callLimits } from "./place-call.ts";

export interface Reconciled extends Settled {
  /** Whether the ledger has the call. A call that is missing there was never placed. */
  onRecord: boolean;
  /** Whether the call doesn't count towards the caps. */
  uncounted: boolean;
}

/** Minimum delay before the end of a message is checked, ms. */
const MESSAGE_AGAIN_MS = 1_000;

interface Context {
  env: Bindings;
  store: AccountStore;
  clock: () => number;
}

/**
 * Asks the carriers about calls without recent reports, records their answers at once, and ends calls that are past
 * their limits or must be hung up. That includes calls whose pending hang-up is recorded but not known to the meter
 * (`hangUp` is false): the process died in between, or the carrier accepted the hang-up without ending the call.
 */
export async function reconcileCalls(
  context: Context,
  silent: { callId: string; hangUp: boolean }[],
): Promise<Reconciled[]> {
  const { env, store, clock } = context;
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
  const byId = new Map(rows.map((row) => [row.id, row]));
  const owesHangUp = ({ callId, hangUp }: (typeof silent)[number]) => hangUp || isHangUpOpen(byId.get(callId));
  const toHangUp = new Set(silent.filter(owesHangUp).map(({ callId }) => callId));
  const lines = new LedgerLines(context, rows, toHangUp);
  const wanted = rows.filter(({ id, status }) => toHangUp.has(id) || !isTerminal(status as CallStatus));
  const carriers = new Map<string, Carrier>();
  for (const together of Map.groupBy(wanted, (row) => `${row.provider} ${row.credentials_id}`).values()) {
    const [first] = together;
    const credentials = sealed.find(({ id }) => id === first?.credentials_id);
    const carrier = first ? await connected(env, store.account, first.provider as Provider, credentials) : null;
    for (const { id } of together) if (carrier) carriers.set(id, carrier);
    const calls = together.map(({ id }) => lines.live(id));
    await reconcile({ store: lines, carrier, limits, clock }, calls);
  }
  await lines.flush();
  await pMap(carriers, ([id, carrier]) => seeToMachine(context, lines, id, carrier), {
    concurrency: CARRIER_CONCURRENCY,
  });
  await lines.flush();
  const settled = new Map(lines.settled().map((one) => [one.callId, one]));
  return silent.map(({ callId }) => {
    const row = byId.get(callId);
    const recorded = { onRecord: row !== undefined, uncounted: row?.uncounted ?? false };
    return Object.assign({ callId, lookAt: null }, settled.get(callId), recorded);
  });
}

/** Carries out the pending action for a machine on a running call, including one that a crash interrupted. */
async function seeToMachine(context: Context, lines: LedgerLines, callId: string, carrier: Carrier): Promise<void> {
  const outcome = lines.outcome(callId);
  if (outcome === null || outcome.lookAt === null) return;
  const now = context.clock();
  const work = machineWork(lines.row(callId), now);
  if (work !== null) await doMachineWork(context, lines, callId, work, carrier);
  if (work === "hang_up") return;
  const until = lines.row(callId).message_until;
  const { lookAt, hangUp } = lines.outcome(callId) ?? outcome;
  if (until === null || lookAt === null) return;
  lines.write(callId, { event: null, lookAt: Math.min(lookAt, Math.max(until, now + MESSAGE_AGAIN_MS)), hangUp });
}

const isHangUpOpen = (row: CallRow | undefined) =>
  row?.hangup_requested === true && !isTerminal(row.status as CallStatus);

/** Connects the carrier for this round; null if it can't be reached with the remaining credentials. */
function connected(...to: Parameters<typeof connectCarrier>): Promise<Carrier | null> {
  return connectCarrier(...to).then(shortCircuited, () => null);
}
