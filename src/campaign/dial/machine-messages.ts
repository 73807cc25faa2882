import pMap from "p-map";
import { CARRIER_CONCURRENCY } from "../../phone/calls/look-up-calls.ts";
import { CarrierRefusal } from "../../phone/carriers/carrier.ts";
import { WAVE } from "../decide/next-step.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { messageLeft, messageNotLeft, messageOverdue, messageRequested } from "../store/message-transitions.ts";
import type { CallReconciliation } from "./call-reconciliation.ts";
import { CarriersOfRound } from "./carriers-of-round.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

type MessageDependencies = Pick<DispatchDependencies, "now" | "carrierOf" | "machineMessage" | "machineAnswered">;

/** Lets carriers speak messages to the machines that answered calls, and limits how long that takes. */
export class MachineMessages {
  readonly #store: CampaignStore;
  readonly #deps: MessageDependencies;
  readonly #refOf: CallReconciliation["ref"];
  /** Calls whose message this instance of the object is leaving right now. */
  readonly #leaving = new Set<string>();

  constructor(store: CampaignStore, deps: MessageDependencies, refOf: CallReconciliation["ref"]) {
    this.#store = store;
    this.#deps = deps;
    this.#refOf = refOf;
  }

  /** Leaves due messages and hangs up calls that took too long; returns how many. */
  async round(carriers = new CarriersOfRound(this.#deps.carrierOf)): Promise<number> {
    const now = this.#deps.now();
    const machines = this.#store.attempts.machines(now, WAVE).filter(({ call_id }) => !this.#leaving.has(call_id));
    const handle = async (attempt: AttemptRow) => {
      if ((attempt.message_until ?? now) <= now) messageOverdue(this.#store, attempt.call_id, now);
      else await this.#leave(attempt, carriers);
    };
    await pMap(machines, handle, { concurrency: CARRIER_CONCURRENCY });
    return machines.length;
  }

  async #leave(attempt: AttemptRow, carriers: CarriersOfRound): Promise<void> {
    const { call_id } = attempt;
    // Another round may be handling it already.
    if (this.#leaving.has(call_id)) return;
    this.#leaving.add(call_id);
    try {
      await this.#speak(attempt, carriers);
      if (this.#isThere()) messageLeft(this.#store, call_id, this.#deps.now());
    } catch (error) {
      // Do not cut off a message that may be playing: the call continues until it ends or takes too long.
      if (!(error instanceof InDoubt) && this.#isThere()) messageNotLeft(this.#store, call_id, this.#deps.now());
    } finally {
      this.#leaving.delete(call_id);
    }
  }

  /** Whether the campaign still exists; it may be deleted while the carrier answers. */
  #isThere(): boolean {
    return this.#store.campaign.row !== null;
  }

  /** @throws InDoubt if the carrier may be speaking the message; any other error if it is not */
  async #speak(attempt: AttemptRow, carriers: CarriersOfRound): Promise<void> {
    const carrier = await carriers.of(attempt);
    if (!carrier.leaveMessage) throw new CarrierRefusal("rejected", "the carrier cannot leave messages");
    // Silence the agent before anything else is spoken on the line.
    const [message] = await Promise.all([this.#deps.machineMessage(attempt), this.#deps.machineAnswered(attempt)]);
    if (message.text === "") throw new CarrierRefusal("rejected", "the message is empty");
    // The call may have ended in the meantime.
    if (!this.#isThere()) throw new InDoubt();
    if (!messageRequested(this.#store, attempt.call_id, message.text, this.#deps.now())) throw new InDoubt();
    await confirmed(carrier.leaveMessage(this.#refOf(attempt), message));
  }
}

/** It is unknown whether the carrier speaks the message. */
class InDoubt extends Error {}

/** @throws CarrierRefusal, InDoubt */
async function confirmed(request: Promise<void>): Promise<void> {
  try {
    await request;
  } catch (cause) {
    throw cause instanceof CarrierRefusal ? cause : new InDoubt("the carrier did not confirm the message", { cause });
  }
}
