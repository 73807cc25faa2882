import { v7 as uuidv7 } from "uuid";
import type { Outbox } from "../../../kernel/durable/outbox.ts";
import type { Followed, Following } from "../../events/followers.ts";
import { messageOf } from "../message.ts";
import { missedEvent } from "../own-events.ts";
import { typesOf } from "../patterns.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Endpoint } from "./endpoint.ts";

/** The number of events read at a time. */
const AT_ONCE = 100;
/** The number of pending deliveries at which reading stops. Events then wait in the account's sequence. */
const MOST_PENDING = 20_000;

interface Dependencies {
  storage: DurableObjectStorage;
  account: string;
  id: string;
  endpoint: Endpoint;
  deliveries: Deliveries;
  outbox: Pick<Outbox<"events">, "add">;
  follow(following: Following): Promise<Followed>;
  mostPending?: number;
}

/** Reads the account's sequence and creates a delivery for each event that the webhook wants. */
export class Reader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether there are events to read, and room for them. */
  get isBehind(): boolean {
    const { endpoint, deliveries, mostPending = MOST_PENDING } = this.#deps;
    const { state } = endpoint;
    if (state === null || !state.isEnabled) return false;
    return (state.cursor === null || state.cursor < state.known) && !deliveries.hasPending(mostPending);
  }

  /** Reads more events at `now` (ms). Returns whether there were any. */
  async readOn(now: number): Promise<boolean> {
    const { storage, account, id, endpoint, deliveries, outbox, follow } = this.#deps;
    const { state } = endpoint;
    if (state === null || !this.isBehind) return false;
    const { types, agent_ids: agentIds, begins_at, shows, address_revision, revision, url } = state.configuration;
    const stretch = await follow({ after: state.cursor, begins_at, types: typesOf(types), agentIds, limit: AT_ONCE });
    storage.transactionSync(() => {
      const present = endpoint.state;
      // If the webhook was reconfigured or disabled in the meantime, the events are read again under the new
      // configuration.
      if (present?.configuration.revision !== revision || !present.isEnabled || present.cursor !== state.cursor) return;
      for (const event of stretch.events) {
        const body = messageOf(event, account, shows);
        const delivery = {
          id: uuidv7({ msecs: now }),
          event_id: event.id,
          type: event.type,
          body,
          address_revision,
          created_at: now,
        };
        deliveries.add(delivery, now, null);
      }
      endpoint.lookedAt(stretch.cursor, stretch.last, stretch.missed);
      if (stretch.missed === 0) return;
      const event = missedEvent({ id, url, missed: stretch.missed, after: state.cursor ?? 0 }, now);
      outbox.add("events", event.id, event);
    });
    return true;
  }
}
