import { createEffect, createRoot, createSignal, onCleanup } from "solid-js";
import { MINUTE_MS } from "../../../kernel/time.ts";
import type { Body, Credentials } from "../api/client.ts";
import { queries } from "../api/queries.ts";

/** How the user signed in: with a password of this service, or at an identity provider. */
export type Way = "password" | "identity_provider";

/** The signed-in user and account. `begun_at` and `expires_at` are those of the access token, in ms. */
export interface Session {
  access_token: string;
  /** Null if the session ends with its access token. */
  refresh_token: string | null;
  account: string;
  /** All accounts that the session can switch to, including this one. */
  accounts: Body<"Session">["accounts"];
  user: Body<"Session">["user"];
  way: Way;
  begun_at: number;
  expires_at: number;
}

type Message =
  | { type: "ask"; question: string }
  | { type: "answer"; question: string; session: Session | undefined }
  | { type: "session"; session: Session }
  | { type: "factor-shown"; user: string }
  | { type: "signed-out" };

/**
 * The key in the session storage of this tab. The storage survives a reload and is deleted when the tab closes. Tabs
 * opened later get the session from those that have it. Because of the Content-Security-Policy, only scripts of this
 * service run on its pages.
 */
const STORED = "switchboard-session";
/** How long a tab waits for the responses of all others, ms: enough for a busy one. */
const ANSWER_MS = 2_000;
/** The lock that every open tab shares. The number of its holders is the number of tabs. */
const OPEN_TABS = "switchboard-tabs";
/** A renewal that gains less time than this was the last one, because the session itself ends then, ms. */
const LEAST_GAIN_MS = MINUTE_MS;

/** The current session; undefined if no user is signed in. */
const [session, setSession] = createSignal(stored());
/** Whether the session has ended, so that the user must sign in again to continue. */
const [isEnded, setEnded] = createSignal(false);
/** Whether the account requires a second factor that this session lacks. Then only setting one up works. */
const [isFactorMissing, setFactorMissing] = createSignal(false);
const tabs = new BroadcastChannel("switchboard-console");
/**
 * Undefined if the page isn't served over a secure connection. Then tabs can't take turns, and the session isn't
 * renewed.
 */
const locks: LockManager | undefined = navigator.locks;
void locks?.request(OPEN_TABS, { mode: "shared" }, () => new Promise(() => undefined));

export { isEnded, isFactorMissing, session };
/** Checks whether the account is the operators', who see accounts instead of agents. */
export const isOperator = (): boolean => session()?.account === "service-admin";

/** Ends the session because the service no longer accepts these credentials. */
export function refuseSession({ access_token }: Credentials): void {
  // A response to a request with an earlier token says nothing about the current session.
  if (session()?.access_token === access_token) setEnded(true);
}

/** Marks the session as ended. The user is asked to sign in again on top of the current screen. */
export function endHere(): void {
  setEnded(true);
}

/** Records that the service accepts these credentials only for setting up a second factor. */
export function requireFactor({ access_token }: Credentials): void {
  if (session()?.access_token === access_token) setFactorMissing(true);
}

/** Records that the session has a second factor. Everything works again, here and in other tabs. */
export function factorShown(): void {
  setFactorMissing(false);
  void queries.invalidateQueries();
  const user = session()?.user.id ?? "";
  tabs.postMessage({ type: "factor-shown", user } satisfies Message);
}

// A user who returns after the session ended finds the sign-in dialog, not a failing screen.
createRoot(() => {
  createEffect(() => {
    const held = session();
    if (!held || held.refresh_token !== null) return;
    const timer = setTimeout(() => setEnded(true), held.expires_at - Date.now());
    onCleanup(() => clearTimeout(timer));
  });
});

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.type === "ask") {
    const answer = { type: "answer", question: data.question, session: isEnded() ? undefined : session() } as const;
    tabs.postMessage(answer satisfies Message);
  } else if (data.type === "session" || data.type === "answer") {
    if (data.session) adopt(data.session);
  } else if (data.type === "signed-out") clearSession();
  else if (data.user === session()?.user.id && isFactorMissing()) {
    setFactorMissing(false);
    void queries.invalidateQueries();
  }
});

/** Begins a session in one of its user's accounts. Other tabs of the same user continue with it too. */
export function beginSession(begun: Body<"Session">, way: Way, account = begun.account): void {
  setFactorMissing(false);
  share(sessionOf(begun, way, account));
}

/** Continues the session with new tokens, here and in other tabs. */
export function continueSession(renewed: Body<"Session">): void {
  const held = session();
  if (!held) return;
  const next = sessionOf(renewed, held.way, openAccount(renewed, held.account));
  if (next.expires_at - held.expires_at < LEAST_GAIN_MS) next.refresh_token = null;
  share(next);
}

/** Continues the session with a token for more accounts, here and in other tabs. */
export function widenSession({
  access_token,
  expires_in,
  accounts,
}: Pick<Body<"Session">, "access_token" | "expires_in" | "accounts">): void {
  const held = session();
  if (!held) return;
  const begun_at = Date.now();
  share(Object.assign({}, held, { access_token, accounts, begun_at, expires_at: begun_at + expires_in * 1000 }));
}

/** Returns the wanted account if the session includes it, otherwise the one that was signed in to. */
export const openAccount = ({ accounts, account }: Body<"Session">, wanted = account): string =>
  accounts.some(({ name }) => name === wanted) ? wanted : account;

function sessionOf(begun: Body<"Session">, way: Way, account: string): Session {
  const { expires_in, accounts, user, access_token, refresh_token } = begun;
  const begun_at = Date.now();
  const expires_at = begun_at + expires_in * 1000;
  const renewal = locks ? refresh_token : null;
  return { access_token, refresh_token: renewal, account, accounts, user, way, begun_at, expires_at };
}

function share(held: Session): void {
  keep(held);
  tabs.postMessage({ type: "session", session: held } satisfies Message);
}

/** Switches this tab to another account of the session. Other tabs don't change. */
export function switchAccount(account: string): void {
  const held = session();
  if (held) keep(Object.assign({}, held, { account }));
}

/** Ends the session here and in all tabs. The caller must end it at the service. */
export function endSession(): void {
  clearSession();
  tabs.postMessage({ type: "signed-out" } satisfies Message);
}

/** Asks other tabs for their session if this one has none. */
export async function adoptSession(): Promise<void> {
  if (!session()) await askTabs(() => session() !== undefined);
}

/** Asks other tabs for their session. A newer one replaces this tab's. */
export const adoptNewer = (): Promise<void> => askTabs(() => false);

/** Asks other tabs for their session, and waits until enough is known or all of them have responded. */
async function askTabs(isEnough: () => boolean): Promise<void> {
  const { held = [] } = (await locks?.query()) ?? {};
  let unanswered = held.filter(({ name }) => name === OPEN_TABS).length - 1;
  if (unanswered <= 0) return;
  const question = crypto.randomUUID();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => done(), ANSWER_MS);
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.type !== "answer" || data.question !== question) return;
      unanswered -= 1;
      if (unanswered === 0 || isEnough()) done();
    };
    const done = () => {
      clearTimeout(timer);
      tabs.removeEventListener("message", listen);
      resolve();
    };
    tabs.addEventListener("message", listen);
    tabs.postMessage({ type: "ask", question } satisfies Message);
  });
}

/** Adopts another tab's session if there is none here, or if it is a newer one of the same user. */
function adopt(begun: Session): void {
  const held = session();
  if (!held) {
    keep(begun);
    return;
  }
  const isSameUser = held.user.id === begun.user.id && begun.accounts.some(({ name }) => name === held.account);
  const isNewer = isEnded() || begun.begun_at > held.begun_at;
  // A tab that is in another account stays there.
  if (isSameUser && isNewer) keep(Object.assign({}, begun, { account: held.account }));
}

function keep(begun: Session): void {
  const held = session();
  // Discards the data of another user or account.
  if (held?.user.id !== begun.user.id || held.account !== begun.account) queries.clear();
  sessionStorage.setItem(STORED, JSON.stringify(begun));
  if (held?.user.id !== begun.user.id || held.account !== begun.account) setFactorMissing(false);
  setSession(begun);
  setEnded(false);
}

function clearSession(): void {
  queries.clear();
  sessionStorage.removeItem(STORED);
  setSession(undefined);
  setEnded(false);
  setFactorMissing(false);
}

function stored(): Session | undefined {
  const text = sessionStorage.getItem(STORED);
  if (text === null) return undefined;
  const held: Session = JSON.parse(text);
  return held.expires_at > Date.now() || held.refresh_token !== null ? held : undefined;
}
