import { createSignal } from "solid-js";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { now } from "../ui/now.ts";
import { isEnded, session } from "./session.ts";

/** A session is said to end soon this long before its end, ms. */
const SOON_MS = 5 * MINUTE_MS;

/** The session being renewed, by its end, ms. */
const [renewed, setRenewed] = createSignal(0);
/** The session whose coming end was dismissed, by its end, ms. */
const [dismissed, setDismissed] = createSignal(0);

/** Whether the session of now is being renewed before its end. */
export const isRenewing = (): boolean => renewed() !== 0 && renewed() === session()?.expires_at;

/** Whole minutes until the session ends; undefined while it is renewed, or that is far away, or said and put off. */
export const endsInMinutes = (): number | undefined => {
  const held = session();
  if (!held || held.refresh_token !== null || isEnded() || isRenewing() || dismissed() === held.expires_at)
    return undefined;
  const left = held.expires_at - now();
  return left <= SOON_MS ? Math.max(0, Math.floor(left / MINUTE_MS)) : undefined;
};

/** Asks to sign in again before the session ends. */
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
