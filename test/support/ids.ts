import { v7 as uuidv7 } from "uuid";

/**
 * Creates an id for an instant (ms). Called without a time, `uuid` continues from its last id: after one file moved the
 * clock forward, the ids of all later files would lie in that future.
 */
export function newId(at: number = Date.now()): string {
  return uuidv7({ msecs: at });
}
