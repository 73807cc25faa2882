import { derivedId } from "../../kernel/instant-ids.ts";
import type { EventData, EventType } from "./types.ts";

/** An event of this type before it is stored in the account's sequence, where each id is stored once. */
export interface EventOf<T extends EventType> {
  /** A UUIDv7 with the time `at`. It is derived from the resource and type, so a repeated report gets the same id. */
  id: string;
  type: T;
  /** ISO 8601, UTC. */
  at: string;
  /** Ids, status and small fields of the resource; never a transcript, audio or a secret. */
  data: EventData<T>;
}

export type NewEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Creates the n-th event of this type for a resource. `url` in its data may be a path of this service. */
export function newEvent<T extends EventType>(
  type: T,
  at: string,
  resource: string,
  data: EventData<T>,
  n = 1,
): EventOf<T> {
  return { id: derivedId(Date.parse(at), resource, type, n), type, at, data };
}
