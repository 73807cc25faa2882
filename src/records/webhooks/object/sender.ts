import { earliest } from "../../../kernel/durable/alarm.ts";
import { giveWay } from "../../../kernel/durable/give-way.ts";
import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import type { Outcome } from "../decide/after-attempt.ts";
import type { Deliveries, Delivery } from "./deliveries.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Reader } from "./reader.ts";
import type { Results } from "./results.ts";

/** The number of concurrent requests to one webhook, and of tests besides them. An object has six connections. */
const AT_ONCE = 4;
const TESTS_AT_ONCE = 2;
/** A round ends after this many turns, or this long (ms); the next alarm continues. */
const MOST_TURNS = 400;
const LONGEST_MS = MINUTE_MS;

/** The retry delay after a failure to read the account's events, ms. */
const READ_AGAIN_MS = 2 * SECOND_MS;

/** The result of sending: the beginning of the response, or why there was none. */
export interface Sent {
  outcome: Exclude<Outcome, "cut_off">;
  response: string | null;
  reason: string | null;
}

interface Dependencies {
  endpoint: Endpoint;
  deliveries: Deliveries;
  reader: Reader;
  results: Results;
  /** Sends a delivery to the webhook's current address. */
  send(delivery: Pick<Delivery, "event_id" | "body">): Promise<Sent>;
  /** Returns the time in milliseconds. */
  clock(): number;
  report(error: unknown): void;
}

/** Sends the deliveries that are due, four at a time, and reads new events from the account's sequence. */
export class Sender implements ObjectPart {
  readonly #deps: Dependencies;
  readonly #running = new Map<number, Promise<void>>();
  #testsRunning = 0;
  /** When (ms) to read again after a failure. */
  #readAt = 0;
  #wakeUp = Promise.withResolvers<void>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Wakes a running round, so that it notices new work. */
  wake(): void {
    this.#wakeUp.resolve();
  }

  dueAt(): number | null {
    const { deliveries, reader, clock } = this.#deps;
    return earliest([
      reader.isBehind ? this.#readAt : null,
      this.#dueAt(),
      this.#running.size > 0 ? clock() : null,
      deliveries.pruneAt,
    ]);
  }

  /** Counts each attempt that a crash cut off. */
  resume(now: number): void {
    const { deliveries, results } = this.#deps;
    for (const delivery of deliveries.underWay()) if (!this.#running.has(delivery.n)) results.cutOff(delivery, now);
  }

  async run(): Promise<void> {
    const { deliveries, clock } = this.#deps;
    const until = clock() + LONGEST_MS;
    for (let turn = 0; turn < MOST_TURNS && clock() < until; turn++) {
      this.#wakeUp = Promise.withResolvers();
      const hasRead = await this.#readOn();
      const hasBegun = this.#begin();
      if (this.#running.size === 0 && !hasRead && !hasBegun) break;
      if (this.#running.size === 0 || (hasRead && this.#eventsRunning < AT_ONCE)) await giveWay();
      else await this.#somethingHappens();
    }
    deliveries.prune(clock());
  }

  /** Whether the maximum number of tests is in progress. */
  get isTesting(): boolean {
    return this.#testsRunning >= TESTS_AT_ONCE;
  }

  /** Sends a test immediately, besides other deliveries, and waits for its result. */
  async sendTest(delivery: Delivery): Promise<void> {
    this.#testsRunning += 1;
    const work = this.#attempt(delivery).finally(() => {
      this.#testsRunning -= 1;
    });
    this.#running.set(delivery.n, work);
    await work;
  }

  get #eventsRunning(): number {
    return this.#running.size - this.#testsRunning;
  }

  /** Reads new events. If that fails, stored deliveries are sent anyway. */
  async #readOn(): Promise<boolean> {
    const { reader, clock, report } = this.#deps;
    if (clock() < this.#readAt) return false;
    try {
      return await reader.readOn(clock());
    } catch (error) {
      this.#readAt = clock() + READ_AGAIN_MS;
      report(error);
      return false;
    }
  }

  /** Returns when (ms) the next delivery may be sent; null for none. */
  #dueAt(): number | null {
    const { state } = this.#deps.endpoint;
    const at = this.#deps.deliveries.nextAt;
    return at === null || state === null || !state.isEnabled ? null : Math.max(at, state.hold_until);
  }

  /** Starts as many due deliveries as there are free slots. Returns whether there were any. */
  #begin(): boolean {
    const { endpoint, deliveries, clock } = this.#deps;
    const now = clock();
    const { state } = endpoint;
    const free = AT_ONCE - this.#eventsRunning;
    if (state === null || !state.isEnabled || state.hold_until > now || free <= 0) return false;
    const due = deliveries.due(now, free);
    for (const delivery of due) {
      // Stored before the request is sent, so that an attempt cut off by a crash is recognized.
      deliveries.begin(delivery.n, now);
      this.#running.set(delivery.n, this.#attempt(Object.assign({}, delivery, { started_at: now })));
    }
    return due.length > 0;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { results, clock, report } = this.#deps;
    const startedAt = delivery.started_at ?? clock();
    try {
      const { outcome, response, reason } = await this.#send(delivery);
      results.ended(delivery, { startedAt, now: clock(), outcome, response, reason });
    } catch (error) {
      // A deleted webhook cannot store the result. After any other failure, the object counts the attempt when it
      // restarts.
      report(error);
    } finally {
      this.#running.delete(delivery.n);
      this.wake();
    }
  }

  async #send(delivery: Delivery): Promise<Sent> {
    try {
      return await this.#deps.send(delivery);
    } catch (error) {
      this.#deps.report(error);
      return { outcome: "unanswered", response: null, reason: "it could not be sent" };
    }
  }

  /** Waits until an attempt ends, another one is due and has a slot, or new work arrives. */
  async #somethingHappens(): Promise<void> {
    const dueAt = this.#eventsRunning < AT_ONCE ? this.#dueAt() : null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = Math.min(LONGEST_MS, dueAt === null ? LONGEST_MS : Math.max(1, dueAt - this.#deps.clock()));
    const timer = setTimeout(resolve, wait);
    await Promise.race([...this.#running.values(), this.#wakeUp.promise, promise]);
    clearTimeout(timer);
  }
}
