import { HOUR_MS, MINUTE_MS } from "../../kernel/time.ts";

/** The account's rules for console sessions. */
export interface SignInPolicy {
  require_second_factor: boolean;
  session_hours: number;
  idle_minutes: number;
}

/** The maximum duration of a session after its sign-in, and without renewal. An account may shorten both. */
export const MOST_SESSION_HOURS = 12;
export const MOST_IDLE_MINUTES = 120;

export const DEFAULT_SIGN_IN_POLICY: SignInPolicy = {
  require_second_factor: false,
  session_hours: MOST_SESSION_HOURS,
  idle_minutes: MOST_IDLE_MINUTES,
};

/** The maximum lifetime of an access token, ms. */
const MOST_TOKEN_MS = HOUR_MS;

/** When a session began and was last used, ms. */
export interface SessionTimes {
  begunAt: number;
  usedAt: number;
}

/** Returns when a session ends at the latest, ms. */
export function endOf({ begunAt }: Pick<SessionTimes, "begunAt">, { session_hours }: SignInPolicy): number {
  return begunAt + session_hours * HOUR_MS;
}

/** Checks whether the policy permits a session to continue at `now` (ms). */
export function mayGoOn(times: SessionTimes, policy: SignInPolicy, now: number): boolean {
  return now < endOf(times, policy) && now - times.usedAt < policy.idle_minutes * MINUTE_MS;
}

/**
 * Returns how long an access token that is issued at `now` (ms) is valid, in whole seconds. It is at most half of the
 * idle time, so that a session that renews when its token expires is never too late.
 */
export function tokenLifetimeS(times: Pick<SessionTimes, "begunAt">, policy: SignInPolicy, now: number): number {
  const mostMs = Math.min(MOST_TOKEN_MS, (policy.idle_minutes * MINUTE_MS) / 2, endOf(times, policy) - now);
  return Math.max(0, Math.floor(mostMs / 1000));
}
