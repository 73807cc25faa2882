import pMap from "p-map";
import { CARRIER_CONCURRENCY } from "../../phone/calls/ask-carrier.ts";
import { CarrierRefusal } from "../../phone/carriers/carrier.ts";
import { WAVE } from "../decide/next-step.ts";
import type { AttemptRow } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { messageAsked, messageLeft, messageNotLeft, messageOverdue } from "../store/message-transitions.ts";
import type { CallReconciliation } from "./call-reconciliation.ts";
import type { DispatchDependencies } from "./dispatch-dependencies.ts";

type MessageDependencies = Pick<DispatchDependencies, "now" | "carrierOf" | "machineMessage" | "machineAnswered">;

/** Has carriers speak messages to the machines that answered the campaign's calls, and bounds how long that takes. */
export class MachineMessages {
  readonly #store: CampaignStore;
  readonly #deps: MessageDependencies;
  readonly #refOf: CallReconciliation["ref"];
  /** Calls whose message is being left right now, by this life of the object. */
  readonly #leaving = new Set<string>();

  constructor(store: CampaignStore, deps: MessageDependencies, refOf: CallReconciliation["ref"]) {
    this.#store = store;
    this.#deps = deps;
    this.#refOf = refOf;
  }

  /** Leaves the messages that are due, and has calls hung up that took too long; gives how many. */
  async round(): Promise<number> {
    const now = this.#deps.now();
    const machines = this.#store.attempts.machines(now, WAVE).filter(({ call_id }) => !this.#leaving.has(call_id));
    const see = async (attempt: AttemptRow) => {
      if ((attempt.message_until ?? now) <= now) messageOverdue(this.#store, attempt.call_id, now);
      else await this.#leave(attempt);
    };
    await pMap(machines, see, { concurrency: CARRIER_CONCURRENCY });
    return machines.length;
  }

  async #leave(attempt: AttemptRow): Promise<void> {
    const { call_id } = attempt;
    // Two rounds may have found it.
    if (this.#leaving.has(call_id)) return;
    this.#leaving.add(call_id);
    try {
      await this.#speak(attempt);
      if (this.#isThere()) messageLeft(this.#store, call_id, this.#deps.now());
    } catch (error) {
      // One that may be on its way is not cut off: the call goes on until it ends, or has taken too long.
      if (!(error instanceof InDoubt) && this.#isThere()) messageNotLeft(this.#store, call_id, this.#deps.now());
    } finally {
      this.#leaving.delete(call_id);
    }
  }

  /** Whether the campaign has not been deleted while the carrier was waited for. */
  #isThere(): boolean {
    return this.#store.campaign.row !== null;
  }

  /** @throws InDoubt where the carrier may speak it; else where it does not */
  async #speak(attempt: AttemptRow): Promise<void> {
    const carrier = await this.#deps.carrierOf(attempt);
    if (!carrier.leaveMessage) throw new CarrierRefusal("rejected", "the carrier cannot leave messages");
    // The agent falls silent before anything else is said on the line.
    const [message] = await Promise.all([this.#deps.machineMessage(attempt), this.#deps.machineAnswered(attempt)]);
    if (message.text === "") throw new CarrierRefusal("rejected", "the message is empty");
    // Its call may have ended meanwhile.
    if (!this.#isThere()) throw new InDoubt();
    if (!messageAsked(this.#store, attempt.call_id, message.text, this.#deps.now())) throw new InDoubt();
    await certainly(carrier.leaveMessage(this.#refOf(attempt), message));
  }
}

/** Nobody knows whether the carrier speaks the message. */
class InDoubt extends Error {}

/** @throws CarrierRefusal, InDoubt */
async function certainly(asked: Promise<void>): Promise<void> {
  try {
    await asked;
  } catch (cause) {
    throw cause instanceof CarrierRefusal ? cause : new InDoubt("the carrier did not confirm the message", { cause });
  }
}
