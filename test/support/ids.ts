import { v7 as uuidv7 } from "uuid";

/**
 * A new id of an instant, ms. Called without one, `uuid` goes on from its last id: once a file of tests has put the clock
 * forward, the ids of all later files would be of that future.
 */
export function newId(at: number = Date.now()): string {
  return uuidv7({ msecs: at });
}
