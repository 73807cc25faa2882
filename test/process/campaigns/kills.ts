import { MOMENTS, type Moment } from "./stand-in-carrier.ts";

/**
 * When to kill the service: at the first such moment after this many more requests for a call. "stop" is the moment
 * directly after a stop was answered.
 */
export interface PlannedKill {
  after: number;
  moment: Moment | "stop";
}

/** The most requests between two kills. There are enough contacts for them, because each kill loses some. */
const SPACING = 18;
export const CONTACTS_PER_KILL = 30;

/**
 * Returns kills in order: one at a stop, the others at each kind of moment in turn. The same seed always gives the same
 * kills.
 */
export function planKills(count: number, seed: number): PlannedKill[] {
  const random = randomFrom(seed);
  const moments: PlannedKill["moment"][] = [];
  while (moments.length < count - 1) moments.push(...shuffled(MOMENTS, random));
  moments.length = count - 1;
  moments.splice(Math.floor(random() * count), 0, "stop");
  return moments.map((moment) => {
    const after = 1 + Math.floor(random() * SPACING);
    // Most lookups happen directly after a start, for calls that the last kill left open.
    return { moment, after: moment === "looked up" ? 0 : after };
  });
}

/** Returns the items in an order that the random numbers determine. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Returns random numbers in [0, 1) from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
