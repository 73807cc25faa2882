import type { Outbox } from "../../kernel/durable/outbox.ts";
import type { NewEvent } from "../events/event.ts";
import { CounterChanges } from "./counters.ts";

/**
 * The most events in one outbox row. A row with its index entries for each event would cost more than the call itself.
 */
const EVENTS_A_ROW = 100;

/** The consequences of changed rows. They are collected during a transaction and written at its end. */
export class Consequences {
  readonly counters = new CounterChanges();
  readonly #events: NewEvent[] = [];

  emit(events: NewEvent[]): void {
    this.#events.push(...events);
  }

  /** Writes the consequences in the caller's transaction and returns the days (UTC) whose counters changed. */
  write(sql: SqlStorage, outbox: Pick<Outbox<"events">, "add">): Set<string> {
    for (let at = 0; at < this.#events.length; at += EVENTS_A_ROW) {
      const events = this.#events.slice(at, at + EVENTS_A_ROW);
      // No event is emitted twice, so the first event's id identifies the whole row.
      outbox.add("events", events[0]?.id ?? "", events);
    }
    return this.counters.write(sql);
  }
}
