import type { EventSource } from "../../kernel/streams/event-hub.ts";
import type { NewEvent } from "./event.ts";
import type { EventLog, StoredEvent } from "./event-log.ts";
import { isEventType } from "./types.ts";

/** An event as clients receive it. */
export type EventRecord = NewEvent & { sequence: number };

export function eventRecord({ data, ...head }: StoredEvent): EventRecord {
  return Object.assign(head, { data: JSON.parse(data) });
}

/** Adapts an account's events for streams: each event has its own id, and the stream begins without a snapshot. */
export function eventSource(log: EventLog, storage: DurableObjectStorage): EventSource {
  return {
    after: (sequence, limit, only) =>
      log.after(sequence, limit, only?.filter(isEventType) ?? null).map((event) => {
        return { seq: event.sequence, id: event.id, event: event.type, data: eventRecord(event) };
      }),
    snapshot: () => ({ seq: log.last, data: null }),
    storage,
  };
}
