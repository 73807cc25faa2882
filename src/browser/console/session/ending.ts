import { createSignal } from "solid-js";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { now } from "../ui/now.ts";
import { isEnded, session } from "./session.ts";

/** Time before a session ends at which the user is warned, ms. */
const SOON_MS = 5 * MINUTE_MS;

/** End of the session that is being renewed, ms. */
const [renewed, setRenewed] = createSignal(0);
/** End of the session whose warning was dismissed, ms. */
const [dismissed, setDismissed] = createSignal(0);

/** Checks whether the current session is being renewed before its end. */
export const isRenewing = (): boolean => renewed() !== 0 && renewed() === session()?.expires_at;

/**
 * Returns the full minutes until the session ends; undefined while no warning is due, because the end is far away, the
 * session is being renewed or the warning was dismissed.
 */
export const endsInMinutes = (): number | undefined => {
  const held = session();
  if (!held || held.refresh_token !== null || isEnded() || isRenewing() || dismissed() === held.expires_at)
    return undefined;
  const left = held.expires_at - now();
  return left <= SOON_MS ? Math.max(0, Math.floor(left / MINUTE_MS)) : undefined;
};

/** Asks the user to sign in again before the session ends. */
export const renew = (): void => {
  setRenewed(session()?.expires_at ?? 0);
};

export const stopRenewing = (): void => {
  setRenewed(0);
};

/** Hides the warning until this session ends. */
export const putOff = (): void => {
  setDismissed(session()?.expires_at ?? 0);
};
