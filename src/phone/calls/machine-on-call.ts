import { eq, inArray, sql } from "drizzle-orm";
import type { AccountStore, Write } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, calls } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { CALL_STATUSES, type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import {
  type CallEvent,
  type Carrier,
  CarrierRefusal,
  type MachineMessage,
  type Provider,
} from "../carriers/carrier.ts";
import { endAtCarrier } from "./ask-carrier.ts";
import { takeCallEvent } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import { silenceForMachine } from "./end-conversations.ts";
import { machineMessage } from "./machine-message.ts";
import { GREETER_COLUMNS } from "./relay-settings.ts";
import { machineStep, messageUntil, voicemailTimeoutMs } from "./voicemail.ts";

type CallRow = typeof calls.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

const RUNNING = CALL_STATUSES.filter((status) => !isTerminal(status));
const isRunning = (id: string) => all(eq(calls.id, id), inArray(calls.status, RUNNING));

/** What follows from the machine that these events tell of, `row` being the call as it was before; null for nothing. */
function stepOf(row: CallRow, events: CallEvent[]) {
  const over = isTerminal(row.status as CallStatus) || events.some(({ status }) => isTerminal(status));
  const machine = events.findLast(({ answered_by }) => answered_by === "machine");
  return over || !machine || row.voicemail === null ? null : machineStep(row.voicemail, machine.machine, row.message);
}

/**
 * Notes how far the message to a machine is by these events, in the batch that records them: a process that dies
 * afterwards leaves a message that is due, and one that dies before leaves no machine.
 */
export function machineNotes({ env, store, now }: Context, row: CallRow, events: CallEvent[]): Write<CallRow[]>[] {
  const step = stepOf(row, events);
  if (step === null || step === "hang_up") return [];
  const before = sql`(${calls.message} IS NULL OR ${calls.message} = 'greeting')`;
  const noted = { message: step, message_until: now + voicemailTimeoutMs(env) };
  return [store.update(calls, noted, all(isRunning(row.id), before))];
}

/** Does what a single call is to do with the machine that answered it, once that is on record; a message is asked for once. */
export async function machineOnCall(context: Context, row: CallRow, carrier: Carrier, events: CallEvent[]) {
  const step = stepOf(row, events);
  if (step === "hang_up") return hangUpMachine(context, row, carrier);
  if (step === "due") await leaveMessage(context, row, carrier);
}

/** What is still to be done about the machine on a call that its carrier says is running; null for nothing. */
export function machineWork(row: CallRow, now: number): "hang_up" | "leave_message" | null {
  if (row.voicemail === null || isTerminal(row.status as CallStatus) || row.metadata.answered_by !== "machine")
    return null;
  if (row.message === "failed") return "hang_up";
  // Of one that was to take a message and takes none, no message is noted.
  if (row.message === null) return row.voicemail === "hang_up" || row.voicemail === "leave_message" ? "hang_up" : null;
  if (row.message_until !== null && row.message_until <= now) return "hang_up";
  return row.message === "due" ? "leave_message" : null;
}

/** Hangs up a call that a machine answered; where its carrier does not, that is tried again until the call's limit. */
export async function hangUpMachine({ env, store, now }: Context, row: CallRow, carrier: Carrier): Promise<void> {
  // Told afterwards, its conversation would have ended as that of somebody who hung up.
  await silenceForMachine({ env, account: store.account }, { call_id: row.id, provider: row.provider });
  const meter = accountMeter(env, store.account);
  try {
    const event = await endAtCarrier(carrier, { ...callRef(row), connected: true });
    await takeCallEvent(env, store, row.id, { ...event, answered_by: "machine" }, now);
    if (!isTerminal(event.status)) await meter.askSoon(row.id);
  } catch {
    await meter.hangUpAgain(row.id);
  }
}

/** Has the carrier speak a message that is due, once: only who moves it on from there asks. */
export async function leaveMessage(context: Context, row: CallRow, carrier: Carrier): Promise<void> {
  const { env, store, now } = context;
  const message = await messageOf(context, row);
  const asked = { message: "asked" as const, message_until: messageUntil(message.text, voicemailTimeoutMs(env), now) };
  const [moved] = await store.record(store.update(calls, asked, all(isRunning(row.id), eq(calls.message, "due"))));
  if (moved.length === 0) return;
  // The agent falls silent before anything else is said on the line.
  await silenceForMachine({ env, account: store.account }, { call_id: row.id, provider: row.provider });
  try {
    if (!carrier.leaveMessage) throw new CarrierRefusal("rejected", "the carrier cannot leave messages");
    if (message.text === "") throw new CarrierRefusal("rejected", "the message is empty");
    await carrier.leaveMessage(callRef(row), message);
  } catch (error) {
    // One that may be on its way is not cut off: the call goes on until it ends, or has taken too long.
    if (!(error instanceof CarrierRefusal)) return;
    await store.record(store.update(calls, { message: "failed" }, whereAsked(row.id)));
    return hangUpMachine(context, row, carrier);
  }
  const left = sql`json_patch(${calls.metadata}, ${JSON.stringify({ message_left: true })})`;
  await store.record(store.update(calls, { message: "left", metadata: left }, whereAsked(row.id)));
}

const whereAsked = (id: string) => all(eq(calls.id, id), eq(calls.message, "asked"));

/** What the carrier is to say to the machine on a call; null where it was not asked to, or the call is over. */
export async function messageOnCall(context: Context, callId: string): Promise<string | null> {
  const { store } = context;
  const [row] = await store.read(store.first(calls, { where: eq(calls.id, callId) }));
  if (!row || isTerminal(row.status as CallStatus) || !(row.message === "asked" || row.message === "left")) return null;
  const { text } = await messageOf(context, row);
  return text === "" ? null : text;
}

async function messageOf({ env, store, now }: Context, row: CallRow): Promise<MachineMessage> {
  const [agent, profile] = await store.read(
    store.first(agents, { where: eq(agents.id, row.agent_id), columns: [...GREETER_COLUMNS] }),
    store.profile(),
  );
  const { id: call_id, campaign_id, credentials_id, from_number, to_number } = row;
  const named = { account: store.account, call_id, campaign_id, credentials_id };
  const variables = Object.entries(row.variables);
  const spoken = { agent, account_name: profile.display_name, variables, timezone: "UTC" };
  const call = { ...named, ...spoken, provider: row.provider as Provider, from_number, to_number };
  return machineMessage(env, call, now);
}
