import { v7 as uuidv7 } from "uuid";

/**
 * Creates an id for a time (ms). Called without a time, `uuid` would continue from its last id. After one file had
 * moved the clock forward, the ids of all later files would be in that future.
 */
export function newId(at: number = Date.now()): string {
  return uuidv7({ msecs: at });
}
