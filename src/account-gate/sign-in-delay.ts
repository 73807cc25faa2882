/** What is remembered of failed sign-ins when somebody tries again; times are ms. */
export interface SignInHistory {
  /** Failures of this user from this address since the last success of the two, null for none. */
  own: { failures: number; lastAt: number } | null;
  /** Failures of this user from other addresses. */
  elsewhere: number;
  /** How many users failed from this address, and when the last did. */
  address: { users: number; lastAt: number };
  /** The user has signed in from this address before. */
  atHome: boolean;
}

/** Mistakes of a person: as many failures cost no time. */
export const FREE_FAILURES = 3;
/** From as many failures of a user at other addresses on, a failure costs time at once. */
export const UNDER_ATTACK = 20;
/** An address from which as many users failed is somebody trying names. */
export const TRYING_NAMES = 10;
const FIRST_STEP_MS = 1_000;
export const LONGEST_MS = 15 * 60_000;

/**
 * How long, ms, until a sign-in is judged again; 0 for at once. Who failed waits in doubling steps, and longer where the
 * user is attacked from many addresses. But an address that has not failed is judged at once, whatever others do, and
 * one where the user has signed in before answers for the user's own failures there alone: so nobody can lock another
 * out.
 */
export function signInDelay({ own, elsewhere, address, atHome }: SignInHistory, now: number): number {
  const ofUser = own ? own.lastAt + step(own.failures + (atHome ? 0 : pressure(elsewhere))) - now : 0;
  const names = address.users - TRYING_NAMES;
  const ofAddress = atHome || names < 0 ? 0 : address.lastAt + step(FREE_FAILURES + 1 + names) - now;
  return Math.max(0, ofUser, ofAddress);
}

function step(failures: number): number {
  if (failures <= FREE_FAILURES) return 0;
  return Math.min(LONGEST_MS, FIRST_STEP_MS * 2 ** (failures - FREE_FAILURES - 1));
}

/** As how many more failures those at other addresses count. */
function pressure(elsewhere: number): number {
  return elsewhere < UNDER_ATTACK ? 0 : FREE_FAILURES + Math.floor(Math.log2(elsewhere / UNDER_ATTACK));
}
