import { createEffect, createRoot } from "solid-js";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { ApiFailure, data, publicApi, useSession } from "../api/client.ts";
import { invalidate } from "../api/queries.ts";
import { now } from "../ui/now.ts";
import {
  adoptNewer,
  continueSession,
  endHere,
  isEnded,
  refuseSession,
  requireFactor,
  type Session,
  session,
} from "./session.ts";

/**
 * Time before the access token expires at which the session is renewed, ms; less if the token lasts less than twice as
 * long.
 */
const LEAD_MS = 10 * MINUTE_MS;
/** The lock with which this browser's tabs take turns. */
const LOCK = "switchboard-renewal";

let underWay: Promise<void> | undefined;

/**
 * Keeps the session alive while a tab is open, so that no live screen asks the user to sign in. It renews the session
 * some time before its access token expires, or, after sleep or without a network, before the next request.
 */
export function keepRenewing(): void {
  useSession({
    credentials: async () => {
      if (isDue(0)) await renew();
      if (isEnded()) await signedInAgain(session()?.account);
      return session();
    },
    refused: refuseSession,
    factorMissing: requireFactor,
    lacked: () => void invalidate("session"),
  });
  createRoot(() => {
    createEffect(() => {
      // A temporary failure is retried at the clock's next tick.
      if (isDue(leadMs(session()))) void renew().catch(() => undefined);
    });
  });
}

/**
 * Resolves once the user has signed in again. Until then no request of the screen behind the dialog would succeed.
 * @throws ApiFailure if they are no longer in the account that the request concerns
 */
function signedInAgain(account: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    createRoot((dispose) => {
      createEffect(() => {
        if (isEnded()) return;
        if (session()?.account === account) resolve();
        else reject(new ApiFailure(401, "token_invalid", "the session has ended", ""));
        queueMicrotask(dispose);
      });
    });
  });
}

/**
 * Checks whether the session can be renewed and its access token expires within this many ms. It depends on the clock
 * signal.
 */
function isDue(withinMs: number): boolean {
  const held = session();
  const at = Math.max(now(), Date.now());
  return held !== undefined && held.refresh_token !== null && !isEnded() && held.expires_at - withinMs <= at;
}

function leadMs(held: Session | undefined): number {
  return held ? Math.min(LEAD_MS, (held.expires_at - held.begun_at) / 2) : 0;
}

/** Renews the session, once for all callers in this tab. @throws ApiFailure if the failure is temporary */
function renew(): Promise<void> {
  const due = session()?.refresh_token ?? null;
  underWay ??= navigator.locks
    .request(LOCK, () => renewInTurn(due))
    .finally(() => {
      underWay = undefined;
    });
  return underWay;
}

/**
 * Renews in one tab at a time, because a refresh token used twice ends the session, and adopts what another tab
 * received. It does nothing if the token `due` was replaced while this tab waited: another tab renewed the session, or
 * the user signed out or in.
 */
async function renewInTurn(due: string | null): Promise<void> {
  const isHeld = () => session()?.refresh_token === due;
  if (due === null || !isHeld()) return;
  await adoptNewer();
  if (!isHeld() || isEnded()) return;
  try {
    const renewed = await data(publicApi.POST("/api/session/refresh", { body: { refresh_token: due } }));
    if (isHeld()) continueSession(renewed);
  } catch (error) {
    if (error instanceof ApiFailure && error.passing) throw error;
    if (isHeld()) endHere();
  }
}
