import pMap from "p-map";
import { hangUp } from "../../phone/calls/live/hang-up.ts";
import type { Desk, LiveCall } from "../../phone/calls/live/line-store.ts";
import { reconcile } from "../../phone/calls/live/reconcile.ts";
import { leaveMessage } from "../../phone/calls/live/voicemail.ts";
import { CARRIER_CONCURRENCY, shortCircuited } from "../../phone/calls/look-up-calls.ts";
import type { CallRef, Carrier } from "../../phone/carriers/carrier.ts";
import { isTerminal } from "../../records/ledger/call-status.ts";
import { WAVE } from "../decide/next-step.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { messageOverdue } from "../store/message-transitions.ts";
import { attemptLines } from "./attempt-lines.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

/**
 * The number of calls without recent events that are reconciled per round. A carrier that lists calls answers for all
 * of them at once.
 */
const SILENT_AT_ONCE = 200;

type ReconciliationDependencies = Pick<
  DispatchDependencies,
  "now" | "carrierOf" | "limits" | "recorded" | "machineAnswered" | "machineMessage"
>;

/** Returns the key that calls with the same carrier and credentials share. */
export function lineKey({ provider, credentials_id }: Pick<AttemptRow, "provider" | "credentials_id">): string {
  return `${provider} ${credentials_id}`;
}

/**
 * The carriers of one round of work. Each is connected once and short-circuited, so that the cost of a carrier that
 * doesn't respond doesn't grow with the number of calls.
 */
class CarriersOfRound {
  readonly #connect: (attempt: AttemptRow) => Promise<Carrier>;
  readonly #byLine = new Map<string, Promise<Carrier>>();

  constructor(connect: (attempt: AttemptRow) => Promise<Carrier>) {
    this.#connect = connect;
  }

  /** Returns the carrier of the attempt's call. @throws any error of connecting it */
  of(attempt: AttemptRow): Promise<Carrier> {
    const line = lineKey(attempt);
    const known = this.#byLine.get(line);
    if (known) return known;
    const carrier = this.#connect(attempt).then(shortCircuited);
    this.#byLine.set(line, carrier);
    return carrier;
  }
}

/**
 * Reconciles the campaign's calls without recent events, hangs up those that must end, and leaves messages for
 * machines.
 */
export class CallReconciliation {
  readonly #store: CampaignStore;
  readonly #deps: ReconciliationDependencies;
  /** Calls whose message is being left by this instance of the object. */
  readonly #leaving = new Set<string>();

  constructor(store: CampaignStore, deps: ReconciliationDependencies) {
    this.#store = store;
    this.#deps = deps;
  }

  /**
   * Leaves due messages, reconciles all due calls except those being dialed (`dialing`), and hangs up those that must
   * end. Returns how many calls it worked on.
   */
  async round(dialing: ReadonlySet<string>): Promise<number> {
    const carriers = this.#carriers();
    const messages = await this.messages(carriers);
    const now = this.#deps.now();
    const silent = this.#store.attempts.silent(now, SILENT_AT_ONCE).filter(({ call_id }) => !dialing.has(call_id));
    if (silent.length > 0) await this.ask(silent, carriers);
    const hangups = this.#store.attempts.toHangUp(now, WAVE);
    if (hangups.length > 0) await this.end(hangups, carriers);
    return messages + silent.length + hangups.length;
  }

  /** Leaves due messages and hangs up calls whose message or greeting took too long. Returns the number of calls. */
  async messages(carriers = this.#carriers()): Promise<number> {
    const now = this.#deps.now();
    const machines = this.#store.attempts.machines(now, WAVE).filter(({ call_id }) => !this.#leaving.has(call_id));
    const handle = async (attempt: AttemptRow) => {
      const { call_id, message_until } = attempt;
      if ((message_until ?? now) <= now) return messageOverdue(this.#store, call_id, now);
      // Another round may be handling it already.
      if (this.#leaving.has(call_id)) return;
      this.#leaving.add(call_id);
      const left = leaveMessage(this.#desk(null).store, () => carriers.of(attempt), this.#live(attempt, false));
      await left.finally(() => this.#leaving.delete(call_id));
    };
    await pMap(machines, handle, { concurrency: CARRIER_CONCURRENCY });
    return machines.length;
  }

  async ask(attempts: AttemptRow[], carriers = this.#carriers()): Promise<void> {
    await this.#reconcile(attempts, false, carriers);
  }

  /** Ends a call on request. A failure is retried until the call's time limit. @throws ApiError */
  async hangUp(attempt: AttemptRow, carriers = this.#carriers()): Promise<void> {
    await hangUp(this.#desk(null), () => carriers.of(attempt), this.#live(attempt, true));
  }

  async endAll(): Promise<number> {
    await this.end(this.#store.attempts.leased());
    return this.#store.attempts.leased().length;
  }

  async end(attempts: AttemptRow[], carriers = this.#carriers()): Promise<void> {
    await this.#reconcile(attempts, true, carriers);
  }

  #carriers(): CarriersOfRound {
    return new CarriersOfRound(this.#deps.carrierOf);
  }

  async #reconcile(attempts: AttemptRow[], owesHangUp: boolean, carriers: CarriersOfRound): Promise<void> {
    for (const together of Map.groupBy(attempts, lineKey).values()) {
      const [first] = together;
      const carrier = first ? await carriers.of(first).catch(() => null) : null;
      const calls = together.map((attempt) => this.#live(attempt, owesHangUp));
      await reconcile(this.#desk(carrier, owesHangUp), calls);
    }
  }

  #desk(carrier: Carrier | null, owesHangUp = false): Desk {
    const store = attemptLines(this.#store, this.#deps, (attempt) => this.#live(attempt, owesHangUp));
    return { store, carrier, limits: this.#deps.limits, clock: this.#deps.now };
  }

  #live(attempt: AttemptRow, owesHangUp: boolean): LiveCall {
    const { dialled_at, connected_at, state, status, outcome } = attempt;
    return {
      ref: this.#ref(attempt),
      placedAt: dialled_at,
      connectedAt: connected_at,
      inDoubt: state === "dialing" && !isTerminal(status),
      over: state === "ended",
      owesHangUp,
      silencesAgent: state === "ended" && outcome === "machine",
    };
  }

  readonly #ref = (attempt: AttemptRow): CallRef => ({
    account: this.#store.campaign.existing.account,
    call_id: attempt.call_id,
    provider_call_id: attempt.provider_call_id,
    from_number: attempt.from_number,
    to_number: `+${this.#store.contacts.get(attempt.contact)?.phone ?? ""}`,
    placed_at: attempt.dialled_at,
    connected: attempt.connected_at !== null,
  });
}
