import { eq } from "drizzle-orm";
import { inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import { accountMeter } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { personZone } from "../../kernel/zones/person-zone.ts";
import { type CallStatus, isTerminal } from "../../records/ledger/call-status.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { MachineStep } from "../../records/ledger/machine-message.ts";
import type { CallRow } from "../../records/ledger/report.ts";
import { type Carrier, CarrierRefusal, type MachineMessage, type Provider } from "../carriers/carrier.ts";
import { takeCallEvents } from "./call-events.ts";
import { callRef } from "./call-ref.ts";
import { silenceForMachine } from "./end-conversations.ts";
import { endAtCarrier } from "./look-up-calls.ts";
import { MESSAGE_COLUMNS, machineMessage } from "./machine-message.ts";
import { messageUntil, voicemailTimeoutMs } from "./voicemail.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** Does what a single call is to do with the machine that answered it, once that is on record. */
export async function machineOnCall(context: Context, row: CallRow, carrier: Carrier, step: MachineStep | null) {
  if (step === "hang_up") return hangUpMachine(context, row, carrier);
  if (step === "due") await leaveMessage(context, row, carrier);
}

/** The pending work about a machine on a call that still runs at its carrier; null for none. */
export function machineWork(row: CallRow, now: number): "hang_up" | "leave_message" | null {
  if (row.voicemail === null || isTerminal(row.status as CallStatus) || row.metadata.answered_by !== "machine")
    return null;
  if (row.message === "failed") return "hang_up";
  // If the call was to leave a message and leaves none, no message is recorded.
  if (row.message === null) return row.voicemail === "hang_up" || row.voicemail === "leave_message" ? "hang_up" : null;
  if (row.message_until !== null && row.message_until <= now) return "hang_up";
  return row.message === "due" ? "leave_message" : null;
}

/** Hangs up a call that a machine answered; where its carrier does not, that is tried again until the call's limit. */
export async function hangUpMachine(context: Context, row: CallRow, carrier: Carrier): Promise<void> {
  const { env, store } = context;
  // Notified later, its conversation would have ended as if a person had hung up.
  await silenceForMachine({ env, account: store.account }, { call_id: row.id, provider: row.provider });
  const meter = accountMeter(env, store.account);
  try {
    const event = await endAtCarrier(carrier, Object.assign(callRef(store.account, row), { connected: true }));
    await takeCallEvents(context, { id: row.id, events: [Object.assign({}, event, MACHINE)] });
    if (!isTerminal(event.status)) await meter.lookUpSoon(row.id);
  } catch {
    await meter.hangUpAgain(row.id);
  }
}

const MACHINE = { answered_by: "machine" as const };

/** Has the carrier speak a message that is due, once: only the one that moves its state on sends the request. */
export async function leaveMessage(context: Context, row: CallRow, carrier: Carrier): Promise<void> {
  const { env, store, now } = context;
  const { id } = row;
  const ledger = new Ledger({ env, store });
  const message = await messageOf(context, row);
  const until = messageUntil(message.text, voicemailTimeoutMs(env), now);
  const moved = await ledger.changeCall(id, { to: "message_asked", until });
  if (!moved?.changed) return;
  // The agent must fall silent before the carrier speaks.
  await silenceForMachine({ env, account: store.account }, { call_id: id, provider: row.provider });
  try {
    if (!carrier.leaveMessage) throw new CarrierRefusal("rejected", "the carrier cannot leave messages");
    if (message.text === "") throw new CarrierRefusal("rejected", "the message is empty");
    await carrier.leaveMessage(callRef(store.account, row), message);
  } catch (error) {
    // A message that may be playing is not cut off: the call continues until it ends, or has taken too long.
    if (!(error instanceof CarrierRefusal)) return;
    await ledger.changeCall(id, { to: "message_failed" });
    return hangUpMachine(context, row, carrier);
  }
  await ledger.changeCall(id, { to: "message_left" });
}

/** What the carrier speaks to the machine on a call; null if nothing is to be spoken, or the call has ended. */
export async function messageOnCall(context: Context, callId: string): Promise<string | null> {
  const { env, store } = context;
  const row = await new Ledger({ env, store }).call(callId);
  if (!row || isTerminal(row.status as CallStatus) || !(row.message === "asked" || row.message === "left")) return null;
  const { text } = await messageOf(context, row);
  return text === "" ? null : text;
}

async function messageOf({ env, store, now }: Context, row: CallRow): Promise<MachineMessage> {
  const [agent, profile] = await store.read(
    inForce(store, eq(agents.id, row.agent_id), MESSAGE_COLUMNS),
    store.profile(),
  );
  const { id: call_id, campaign_id, credentials_id, disclosure, from_number, to_number } = row;
  const named = { account: store.account, call_id, campaign_id, credentials_id };
  const variables = Object.entries(row.variables);
  const timezone = personZone({ number: to_number, agent: agent?.timezone ?? null, account: profile.timezone });
  const spoken = { agent, voicemail_message: "", disclosure, account_name: profile.display_name, variables, timezone };
  const call = Object.assign(named, spoken, { provider: row.provider as Provider, from_number, to_number });
  return machineMessage(env, call, now);
}
