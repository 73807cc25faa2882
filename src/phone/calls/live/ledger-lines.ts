import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { accountMeter, recordingInbox } from "../../../kernel/durable/objects.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { type CallStatus, isTerminal } from "../../../records/ledger/call-status.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import type { CallRow } from "../../../records/ledger/report.ts";
import type { MachineMessage, Provider } from "../../carriers/carrier.ts";
import { heldCall } from "../call-events.ts";
import { callRef } from "../call-ref.ts";
import { endConversations, silenceForMachine } from "../end-conversations.ts";
import { machineMessage } from "../machine-message.ts";
import { messageUntil, voicemailTimeoutMs } from "../voicemail.ts";
import type { LineStore, LiveCall, MessageMove, Outcome } from "./line-store.ts";

/** The outcome of a call, for the meter that holds its lease. */
export interface Settled {
  callId: string;
  /** When (ms) to ask about the call again; null if it is over. */
  lookAt: number | null;
  /** Whether a hang-up is pending from now on; undefined if that doesn't change. */
  hangUp?: boolean | undefined;
}

interface Context {
  env: Bindings;
  store: AccountStore;
  clock: () => number;
}

/** The ledger's rows of single and inbound calls as a store of live calls. `flush` records what was written. */
export class LedgerLines implements LineStore {
  readonly #context: Context;
  readonly #ledger: Ledger;
  readonly #rows: Map<string, CallRow>;
  readonly #owing: ReadonlySet<string>;
  /** Outcomes that aren't recorded yet, and the latest one of each call. */
  readonly #written = new Map<string, Outcome>();
  readonly #latest = new Map<string, Outcome>();

  /** @param owing calls whose hang-up was requested and not confirmed */
  constructor(context: Context, rows: CallRow[], owing: ReadonlySet<string> = new Set()) {
    this.#context = context;
    this.#ledger = new Ledger({ env: context.env, store: context.store });
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#owing = owing;
  }

  /** Returns the call's row. @throws if it isn't among the rows */
  row(callId: string): CallRow {
    const row = this.#rows.get(callId);
    if (row === undefined) throw new RangeError("another call");
    return row;
  }

  live(callId: string): LiveCall {
    return liveCall(this.#context.store.account, this.row(callId), this.#owing.has(callId));
  }

  current(callId: string): LiveCall | null {
    const call = this.live(callId);
    return call.over && !call.owesHangUp ? null : call;
  }

  /** Returns the last outcome written for the call; null if there is none. */
  outcome(callId: string): Outcome | null {
    return this.#latest.get(callId) ?? null;
  }

  oweHangUp(callId: string, at: number): Promise<void> {
    const { env, store } = this.#context;
    return accountMeter(env, store.account).settled([{ callId, lookAt: at, hangUp: true }]);
  }

  write(callId: string, outcome: Outcome): void {
    this.#written.set(callId, outcome);
    this.#latest.set(callId, outcome);
  }

  silence(callId: string): Promise<void> {
    const { env, store } = this.#context;
    const { provider } = this.row(callId);
    return silenceForMachine({ env, account: store.account }, { call_id: callId, provider });
  }

  message(callId: string): Promise<MachineMessage> {
    return messageOf(this.#context, this.row(callId));
  }

  async move(callId: string, move: MessageMove): Promise<boolean> {
    const changed = await this.#ledger.changeCall(callId, this.#change(move));
    if (changed) this.#rows.set(callId, changed.row);
    return changed?.changed ?? false;
  }

  #change(move: MessageMove) {
    const { env, clock } = this.#context;
    if (move.to === "failed") return { to: "message_failed" as const, from: move.from };
    if (move.to === "left") return { to: "message_left" as const };
    return { to: "message_asked" as const, until: messageUntil(move.text, voicemailTimeoutMs(env), clock()) };
  }

  /**
   * Records all written outcomes at once, and notifies the conversations of ended calls. Recordings are taken first,
   * because a call that is recorded as ended is not looked up again.
   */
  async flush(): Promise<void> {
    const { env, store, clock } = this.#context;
    const { account } = store;
    const written = [...this.#written];
    this.#written.clear();
    const reported = written.flatMap(([id, { event }]) => (event ? [{ id, events: [event] }] : []));
    if (reported.length === 0) return;
    for (const [callId, { event }] of written) {
      if (!event?.recording) continue;
      const { agent_id, campaign_id, provider, credentials_id } = this.row(callId);
      const call = { provider: provider as Provider, credentials_id, call_id: callId, agent_id, campaign_id };
      await recordingInbox(env, account).take(call, [event.recording]);
    }
    const taken = await this.#ledger.takeEvents(reported, { now: clock(), message_ms: voicemailTimeoutMs(env) });
    const ended = taken.flatMap((one) => {
      if (one.outcome !== "taken") return [];
      this.#rows.set(one.row.id, one.row);
      return one.ended ? [heldCall(one.row)] : [];
    });
    await endConversations({ env, account }, ended);
  }

  /** Returns the outcome of each call that was written. */
  settled(): Settled[] {
    return [...this.#latest].map(([callId, { lookAt, hangUp }]) => {
      const again = typeof hangUp === "object" ? (hangUp?.again ?? null) : null;
      return { callId, lookAt: lookAt ?? again, hangUp: hangUp === null ? undefined : again !== null };
    });
  }

  /** Records the written outcomes and updates the meter. */
  async settle(): Promise<void> {
    const { env, store } = this.#context;
    await this.flush();
    const settled = this.settled();
    if (settled.length > 0) await accountMeter(env, store.account).settled(settled);
  }
}

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

export function messageOf({ env, store, clock }: Context, row: CallRow): Promise<MachineMessage> {
  const { id: call_id, agent_id, campaign_id, credentials_id, from_number, to_number, disclosure } = row;
  const call = {
    account: store.account,
    call_id,
    campaign_id,
    credentials_id,
    provider: row.provider as Provider,
    from_number,
    to_number,
    agent_id,
    pinned_version: null,
    voicemail_message: "",
    disclosure,
    variables: Object.entries(row.variables),
    zones: {},
  };
  return machineMessage({ env, store, now: clock() }, call);
}
