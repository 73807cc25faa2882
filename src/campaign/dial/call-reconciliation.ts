import pMap from "p-map";
import type { CallLine } from "../../phone/calls/call-line.ts";
import { CARRIER_CONCURRENCY, endAtCarrier, lookUpCalls } from "../../phone/calls/look-up-calls.ts";
import {
  type CarrierAnswer,
  HANG_UP_AGAIN_MS,
  hangUpAgainAt,
  judge,
  type OpenCall,
} from "../../phone/calls/reconciliation.ts";
import type { CallEvent, CallRef, Carrier } from "../../phone/carriers/carrier.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import { WAVE } from "../decide/next-step.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import { callHungUp, callSeen, endCall, takeCallEvent } from "../store/call-transitions.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { CarriersOfRound, lineKey } from "./carriers-of-round.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

/** Calls without recent events that are reconciled in one round: a carrier that lists calls answers for all at once. */
const SILENT_AT_ONCE = 200;

type ReconciliationDependencies = Pick<
  DispatchDependencies,
  "now" | "carrierOf" | "limits" | "recorded" | "machineAnswered"
>;

/** Reconciles the campaign's calls that sent no events with their carriers, and hangs up those that must not go on. */
export class CallReconciliation {
  readonly #store: CampaignStore;
  readonly #deps: ReconciliationDependencies;

  constructor(store: CampaignStore, deps: ReconciliationDependencies) {
    this.#store = store;
    this.#deps = deps;
  }

  /** Reconciles all calls that are due, except those being dialled right now (`dialing`); gives how many. */
  async round(dialing: ReadonlySet<string>, carriers = this.#carriers()): Promise<number> {
    const now = this.#deps.now();
    const silent = this.#store.attempts.silent(now, SILENT_AT_ONCE).filter(({ call_id }) => !dialing.has(call_id));
    await this.ask(silent, carriers);
    const hangups = this.#store.attempts.toHangUp(now, WAVE);
    await this.end(hangups, carriers);
    return silent.length + hangups.length;
  }

  /** Reconciles calls, those with the same credentials together. */
  async ask(attempts: AttemptRow[], carriers = this.#carriers()): Promise<void> {
    for (const together of Map.groupBy(attempts, lineKey).values()) {
      const [first] = together;
      const carrier = first && (await carriers.of(first).catch(() => null));
      const answers = carrier ? await lookUpCalls(carrier, together.map(this.ref)) : null;
      const follow = ({ call_id }: AttemptRow) => {
        const answer = answers?.get(call_id);
        return this.#follow(call_id, answer === undefined ? "unreachable" : answer, carrier);
      };
      await pMap(together, follow, { concurrency: CARRIER_CONCURRENCY });
    }
  }

  /**
   * Ends a call on request. If that fails it is retried until the call's limit.
   * @throws CarrierRefusal, CarrierUncertain if it may still be running
   */
  async hangUp(attempt: AttemptRow, carriers = this.#carriers()): Promise<void> {
    const { call_id } = attempt;
    let event: CallEvent;
    try {
      event = await endAtCarrier(await carriers.of(attempt), this.ref(attempt));
    } catch (error) {
      const now = this.#deps.now();
      const current = this.#store.attempts.get(call_id);
      const again = current && hangUpAgainAt(openCall(current), this.#deps.limits, now);
      if (again) this.#store.attempts.update(call_id, { hangup: 1, hangup_at: again });
      throw error;
    }
    const now = this.#deps.now();
    callHungUp(this.#store, call_id, now);
    callSeen(this.#store, call_id, event, this.#deps.limits, now);
    const current = this.#store.attempts.get(call_id);
    if (current && current.state !== "ended")
      this.#store.attempts.update(call_id, { deadline: now + HANG_UP_AGAIN_MS, looked_at: now });
  }

  /** Ends every call in progress; returns how many could not be ended. */
  async endAll(): Promise<number> {
    await this.end(this.#store.attempts.leased());
    return this.#store.attempts.leased().length;
  }

  /** Tries to end these calls. */
  async end(attempts: AttemptRow[], carriers = this.#carriers()): Promise<void> {
    await pMap(attempts, (attempt) => this.#hangUpAgain(attempt, carriers), { concurrency: CARRIER_CONCURRENCY });
  }

  #carriers(): CarriersOfRound {
    return new CarriersOfRound(this.#deps.carrierOf);
  }

  async #follow(callId: string, answer: CarrierAnswer, carrier: Carrier | null | undefined): Promise<void> {
    const now = this.#deps.now();
    const attempt = this.#store.attempts.get(callId);
    // Its final event may have arrived while the carrier was answering.
    if (!attempt || attempt.state === "ended") return;
    const verdict = judge(openCall(attempt), answer, this.#deps.limits, now);
    // The webhook that reports the recording may be lost too.
    if (verdict.event?.recording) await this.#deps.recorded(attempt, verdict.event.recording);
    switch (verdict.next) {
      case "running":
        if (verdict.event) callSeen(this.#store, callId, verdict.event, this.#deps.limits, now);
        // The event just applied may have ended it.
        if (this.#store.attempts.get(callId)?.state !== "ended")
          this.#store.attempts.update(callId, { deadline: verdict.lookAt, looked_at: now });
        return;
      case "ended":
        return this.#settle(callId, verdict.event, now);
      case "hang_up":
        return this.#end(attempt, verdict.event, carrier);
    }
  }

  /** Hangs up a call past its limit. Until that succeeds its contact is not called again. */
  async #end(attempt: AttemptRow, event: CallEvent, carrier: Carrier | null | undefined): Promise<void> {
    const { call_id } = attempt;
    const hungUp = await carrier?.hangup(this.ref(attempt)).then(
      () => true,
      () => false,
    );
    const now = this.#deps.now();
    const again = hungUp ? null : hangUpAgainAt(openCall(attempt), this.#deps.limits, now);
    if (again === null) return this.#settle(call_id, event, now);
    if (event.reason !== "unknown") return this.#store.attempts.update(call_id, { deadline: again, looked_at: now });
    this.#settle(call_id, event, now, again);
  }

  #settle(callId: string, event: CallEvent, now: number, hangUpAt: number | null = null): void {
    if (event.reason === "unknown") endCall(this.#store, callId, "unknown", event.status, "unknown", now, hangUpAt);
    else takeCallEvent(this.#store, callId, event, this.#deps.limits, now);
  }

  /** Retries hanging up a call until its carrier reports that it ended. */
  async #hangUpAgain(attempt: AttemptRow, carriers: CarriersOfRound): Promise<void> {
    if (attempt.state !== "ended") return this.hangUp(attempt, carriers).catch(() => undefined);
    // Afterwards would be too late: the conversation would have ended as if the caller had hung up.
    if (attempt.outcome === "machine") await this.#deps.machineAnswered(attempt);
    try {
      await (await carriers.of(attempt)).hangup(this.ref(attempt));
    } catch {
      const again = hangUpAgainAt(openCall(attempt), this.#deps.limits, this.#deps.now());
      if (again !== null) return this.#store.attempts.update(attempt.call_id, { hangup_at: again });
    }
    callHungUp(this.#store, attempt.call_id, this.#deps.now());
  }

  /** The line of a call at its carrier, even before it is listed; null if there is no such call. */
  lineOf(callId: string): CallLine | null {
    const attempt = this.#store.campaign.row && this.#store.attempts.get(callId);
    if (!attempt) return null;
    const { provider, credentials_id, state } = attempt;
    return { ref: this.ref(attempt), provider, credentials_id, over: state === "ended" };
  }

  /** The reference of an attempt at its carrier. */
  readonly ref = (attempt: AttemptRow): CallRef => ({
    account: this.#store.campaign.existing.account,
    call_id: attempt.call_id,
    provider_call_id: attempt.provider_call_id,
    from_number: attempt.from_number ?? "",
    to_number: `+${this.#store.contacts.get(attempt.contact)?.phone ?? ""}`,
    placed_at: attempt.dialled_at,
    connected: attempt.connected_at !== null,
  });
}

/** An attempt as the policy for silent calls sees it. */
function openCall({ dialled_at, connected_at, state, status }: AttemptRow): OpenCall {
  return { placedAt: dialled_at, connectedAt: connected_at, inDoubt: state === "dialing" && !isTerminal(status) };
}
