import type { AccountStore, Act } from "../../../kernel/db/account-store.ts";
import { callSettings } from "../../../kernel/db/schema/index.ts";
import type { Bindings } from "../../../kernel/http/context.ts";
import { conflict } from "../../../kernel/http/errors.ts";
import { Ledger } from "../../../records/ledger/ledger.ts";
import { stateOf } from "../../../records/ledger/line.ts";
import type { MachineStep } from "../../../records/ledger/machine-message.ts";
import { type CallRow, hangUpReports } from "../../../records/ledger/report.ts";
import { DEFAULT_CALL_SETTINGS } from "../../call-settings/settings.ts";
import type { Carrier, Provider, SpokenMessage } from "../../carriers/carrier.ts";
import { carrierBy } from "../../telephony/line.ts";
import { takeCallEvents } from "../call-events.ts";
import type { CallReport, TakenReport } from "../call-report.ts";
import type { CallSession } from "../call-session.ts";
import { callLimits } from "../place-call.ts";
import { judge } from "../reconciliation.ts";
import { hangUp } from "./hang-up.ts";
import { LedgerLines, liveCall, messageOf } from "./ledger-lines.ts";
import { doMachineWork } from "./machine-work.ts";
import { requestedMessage } from "./voicemail.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  now: number;
}

/** The operations on calls that the ledger stores: single and inbound calls, and those of deleted campaigns. */
export class LedgerOwner {
  readonly #context: Context & { clock: () => number };

  constructor(context: Context) {
    const { env, store, now } = context;
    this.#context = { env, store, now, clock: () => now };
  }

  async find(_callId: string, onRecord: CallRow | null): Promise<CallRow | null> {
    return onRecord;
  }

  async session(callId: string): Promise<CallSession | null> {
    const row = await new Ledger(this.#context).call(callId);
    if (row === null) return null;
    const { direction, campaign_id, contact_id, api_key_id, from_number, to_number, provider, disclosure } = row;
    return {
      direction,
      pinned_version: null,
      campaign_id,
      contact_id,
      api_key_id,
      from_number,
      to_number,
      provider,
      variables: Object.entries(row.variables),
      contact_timezone: null,
      campaign_timezone: null,
      disclosure,
      ended_at: row.ended_at === null ? null : Date.parse(row.ended_at),
    };
  }

  async take({ callId, credentialsId, events }: CallReport, carrier: Carrier): Promise<TakenReport> {
    const proof = { credentials_id: credentialsId };
    const taken = await takeCallEvents(this.#context, { id: callId, events, proof });
    if (taken.outcome === "unknown") return null;
    if (taken.outcome !== "taken") return taken.outcome;
    const { row, step } = taken;
    if (step !== null) await this.#follow(row, step, carrier);
    const leaving_message = row.message !== null && !stateOf(row).over;
    const { agent_id, disclosure, recorded } = row;
    return { agent_id, pinned_version: null, disclosure, recorded, leaving_message };
  }

  /** Carries out the step for a machine after it is recorded. */
  async #follow(row: CallRow, step: MachineStep, carrier: Carrier): Promise<void> {
    if (step === "greeting") return;
    const lines = new LedgerLines(this.#context, [row]);
    await doMachineWork(this.#context, lines, row.id, step === "due" ? "leave_message" : step, carrier);
    await lines.settle();
  }

  async hangUp(call: CallRow, act: Act | null): Promise<CallRow> {
    const { env, store } = this.#context;
    const { id, provider, credentials_id } = call;
    if (act !== null) await new Ledger({ env, store }).report(hangUpReports(id, act));
    const lines = new LedgerLines(this.#context, [call]);
    const carrierOf = async () => {
      const carrier = await carrierBy(env, store, provider as Provider, credentials_id);
      if (!carrier) throw conflict("credentials_gone", "the carrier credentials for this call were deleted");
      return carrier;
    };
    try {
      await hangUp({ store: lines, clock: this.#context.clock }, carrierOf, lines.live(id));
    } finally {
      await lines.settle();
    }
    return lines.row(id);
  }

  async endUnsettled(call: CallRow): Promise<boolean> {
    const { env, store, now } = this.#context;
    const { id } = call;
    const [settings = DEFAULT_CALL_SETTINGS] = await store.read(store.first(callSettings));
    const verdict = judge(liveCall(store.account, call), "unreachable", callLimits(env, settings), now);
    if (verdict.next === "running") return false;
    await new Ledger({ env, store }).note(store.act({ action: "end", resource: "call", resource_id: id }), id);
    await takeCallEvents(this.#context, { id, events: [verdict.event] });
    return true;
  }

  async message(callId: string): Promise<SpokenMessage | null> {
    const row = await new Ledger(this.#context).call(callId);
    return row && requestedMessage(stateOf(row), () => messageOf(this.#context, row));
  }
}
