import type { Outbox } from "../../../kernel/durable/outbox.ts";
import { afterAttempt, type Outcome, whyNot } from "../decide/after-attempt.ts";
import { TEST_TYPE } from "../message.ts";
import { disabledEvent } from "../own-events.ts";
import type { Deliveries, Delivery } from "./deliveries.ts";
import type { Endpoint } from "./endpoint.ts";

export type Owes = "events" | "configuration";

interface Dependencies {
  storage: DurableObjectStorage;
  id: string;
  endpoint: Endpoint;
  deliveries: Deliveries;
  outbox: Pick<Outbox<Owes>, "add">;
  /** Returns a number that is at least 0 and less than 1. */
  random(): number;
}

/** The result of an attempt. Times are ms. */
interface Ended {
  startedAt: number;
  now: number;
  outcome: Outcome;
  response: string | null;
  reason: string | null;
}

/** Records the results of attempts, each in one transaction with its consequences. */
export class Results {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Records an attempt whose outcome is unknown because the object crashed meanwhile. */
  cutOff(delivery: Delivery, now: number): void {
    const startedAt = delivery.started_at ?? now;
    this.ended(delivery, { startedAt, now, outcome: "cut_off", response: null, reason: null });
  }

  ended({ n }: Pick<Delivery, "n">, { startedAt, now, outcome, response, reason }: Ended): void {
    const { storage, endpoint, deliveries, random } = this.#deps;
    storage.transactionSync(() => {
      const delivery = deliveries.find(n);
      const { state } = endpoint;
      if (delivery === null || state === null) return;
      const { failures, last_delivery_at, configuration } = state;
      const isTest = delivery.type === TEST_TYPE;
      const wellAt = Math.max(last_delivery_at ?? 0, Date.parse(configuration.begins_at));
      const { tries } = delivery;
      const verdict = afterAttempt({ now, outcome, tries, isTest, failures, wellAt, random: random() });
      const attempt = {
        at: startedAt,
        status_code: typeof outcome === "object" ? outcome.status : null,
        duration_ms: Math.max(0, now - startedAt),
        error: whyNot(outcome, reason),
        response,
      };
      // Pending deliveries were given up when the webhook was disabled or its address changed.
      const hasEnded = delivery.status !== "pending";
      const goesOn = verdict.status === "pending" && !hasEnded;
      const status = verdict.status === "delivered" ? "delivered" : goesOn ? "pending" : "failed";
      deliveries.end(n, attempt, status, goesOn ? verdict.nextAt : null);
      if (delivery.address_revision !== configuration.address_revision) return;
      endpoint.attempted({
        deliveredAt: verdict.status === "delivered" ? now : null,
        failures: verdict.failures,
        holdUntil: verdict.status === "delivered" ? 0 : Math.max(state.hold_until, verdict.holdUntil ?? 0),
      });
      if (verdict.disable !== null && state.isEnabled)
        this.#disable(verdict.disable, verdict.failures?.since ?? null, now);
    });
  }

  #disable(reason: "gone" | "failing", failingSince: number | null, now: number): void {
    const { id, endpoint, deliveries, outbox } = this.#deps;
    const configuration = endpoint.state?.configuration;
    if (!configuration) return;
    const { beginning, url } = configuration;
    endpoint.disable(reason, beginning);
    deliveries.endPending();
    const event = disabledEvent({ id, url, reason, failingSince, beginning }, now);
    outbox.add("events", event.id, event);
    outbox.add("configuration", String(beginning), { reason, beginning });
  }
}
