import { MINUTE_MS } from "../../kernel/time.ts";

/** The failed sign-ins that determine the delay; times are in ms. */
export interface SignInHistory {
  /**
   * Failures of this user from this address; for unfamiliar addresses, from the network around it. Null if there are
   * none.
   */
  own: { failures: number; lastAt: number } | null;
  /** Failures of this user from unfamiliar addresses, within STRANGERS_WINDOW_MS. */
  strangers: { failures: number; lastAt: number };
  /** The number of users with failures from the network around this address, and when the last failure was. */
  address: { users: number; lastAt: number };
  /** Whether the user has signed in from this address before. */
  atHome: boolean;
}

/** The number of failures that cause no delay, because people make them by mistake. */
export const FREE_FAILURES = 3;
/**
 * The number of a user's failures from unfamiliar addresses within the window that cause no delay. Beyond that, one
 * attempt a minute is allowed.
 */
export const STRANGERS_BUDGET = 20;
export const STRANGERS_WINDOW_MS = 15 * MINUTE_MS;
export const STRANGERS_TRY_MS = MINUTE_MS;
/** If this many users failed from one address, it is considered to be guessing names. */
export const TRYING_NAMES = 10;
const FIRST_STEP_MS = 1_000;
export const LONGEST_MS = 15 * MINUTE_MS;

/**
 * Returns how long (ms) until a sign-in is accepted again; 0 means at once. The delay doubles with repeated failures,
 * and for a network that tried many names. All unfamiliar addresses share one budget per user, however many there are.
 * From a familiar address only the user's own failures from there count, so nobody can lock another user out.
 */
export function signInDelay({ own, strangers, address, atHome }: SignInHistory, now: number): number {
  const ofUser = own ? own.lastAt + step(own.failures) - now : 0;
  if (atHome) return Math.max(0, ofUser);
  const names = address.users - TRYING_NAMES;
  const ofNetwork = names < 0 ? 0 : address.lastAt + step(FREE_FAILURES + 1 + names) - now;
  const ofStrangers = strangers.failures < STRANGERS_BUDGET ? 0 : strangers.lastAt + STRANGERS_TRY_MS - now;
  return Math.max(0, ofUser, ofNetwork, ofStrangers);
}

function step(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(LONGEST_MS, FIRST_STEP_MS * 2 ** (failures - FREE_FAILURES - 1));
}
