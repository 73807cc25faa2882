import type { Outbox } from "../../kernel/durable/outbox.ts";
import type { NewEvent } from "../events/event.ts";
import { CounterChanges } from "./counters.ts";

/** Most events in one row of the outbox: a row and its index entries for each would be most of what a call writes. */
const EVENTS_A_ROW = 100;

/** What changes of rows lead to, gathered over a transaction and written at its end. */
export class Consequences {
  readonly counters = new CounterChanges();
  readonly #events: NewEvent[] = [];

  emit(events: NewEvent[]): void {
    this.#events.push(...events);
  }

  /** Writes them in the caller's transaction; gives the days (UTC) whose counters changed. */
  write(sql: SqlStorage, outbox: Pick<Outbox<"events">, "add">): Set<string> {
    for (let at = 0; at < this.#events.length; at += EVENTS_A_ROW) {
      const events = this.#events.slice(at, at + EVENTS_A_ROW);
      // No event is emitted twice: the first names them all.
      outbox.add("events", events[0]?.id ?? "", events);
    }
    return this.counters.write(sql);
  }
}
