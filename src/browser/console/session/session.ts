import { createEffect, createRoot, createSignal, onCleanup } from "solid-js";
import { type Body, useSession } from "../api/client.ts";
import { queries } from "../api/queries.ts";

/** How somebody signed in: by a password kept here, or at an identity provider. */
export type Way = "password" | "identity_provider";

/** Who is signed in where; `expires_at` in ms. */
export interface Session {
  access_token: string;
  account: string;
  /** Every account that may be switched to, this one included. */
  accounts: Body<"Session">["accounts"];
  user: Body<"Session">["user"];
  way: Way;
  expires_at: number;
}

/** Messages between the tabs of this browser. */
type Message = { type: "ask" } | { type: "session"; session: Session } | { type: "signed-out" };

/**
 * Where the session is kept: of this tab alone and gone with it, yet there after a reload. Tabs opened later get it from
 * those that have it. Nothing but scripts of this service run on its pages, by its Content-Security-Policy.
 */
const STORED = "switchboard-session";
/** How long a tab waits for another's session before it asks for a password, ms. */
const ANSWER_MS = 120;

/** Who is signed in; undefined for nobody. */
const [session, setSession] = createSignal(stored());
/** Whether the session has ended, so that the user must sign in again to continue. */
const [isEnded, setEnded] = createSignal(false);
const tabs = new BroadcastChannel("switchboard-console");

export { isEnded, session };
/** Whether the account is the operators', who see accounts instead of agents. */
export const isOperator = (): boolean => session()?.account === "service-admin";

useSession({
  credentials: session,
  refused: ({ access_token }) => {
    // An answer to a request of before says nothing of the session of now.
    if (session()?.access_token === access_token) setEnded(true);
  },
});

// A user who is away when the session ends finds the sign-in dialog, not a failing screen.
createRoot(() => {
  createEffect(() => {
    const held = session();
    if (!held) return;
    const timer = setTimeout(() => setEnded(true), held.expires_at - Date.now());
    onCleanup(() => clearTimeout(timer));
  });
});

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.type === "ask") {
    const held = session();
    if (held && !isEnded()) tabs.postMessage({ type: "session", session: held } satisfies Message);
  } else if (data.type === "session") hear(data.session);
  else forget();
});

/** Begins a session in one of its accounts: this tab's, and a newer one for other tabs of the same user. */
export function beginSession(begun: Body<"Session">, way: Way, account = begun.account): void {
  const { expires_in, accounts, user, access_token } = begun;
  const held = { access_token, account, accounts, user, way, expires_at: Date.now() + expires_in * 1000 };
  keep(held);
  tabs.postMessage({ type: "session", session: held } satisfies Message);
}

/** Goes on in another account that the session opens; other tabs stay where they are. */
export function switchAccount(account: string): void {
  const held = session();
  if (held) keep(Object.assign({}, held, { account }));
}

/** Ends the session here and in all tabs; the caller tells the service. */
export function endSession(): void {
  forget();
  tabs.postMessage({ type: "signed-out" } satisfies Message);
}

/** Asks other tabs for their session where this one has none. */
export async function adoptSession(): Promise<void> {
  if (session()) return;
  tabs.postMessage({ type: "ask" } satisfies Message);
  await new Promise<void>((resolve) => {
    tabs.addEventListener("message", () => queueMicrotask(resolve), { once: true });
    setTimeout(resolve, ANSWER_MS);
  });
}

/** Takes another tab's session: where there is none here, or where it is a newer one of the same user. */
function hear(begun: Session): void {
  const held = session();
  if (!held) {
    keep(begun);
    return;
  }
  const isSameUser = held.user.id === begun.user.id && begun.accounts.some(({ name }) => name === held.account);
  const isNewer = isEnded() || begun.expires_at > held.expires_at;
  // A tab that is in another account stays there.
  if (isSameUser && isNewer) keep(Object.assign({}, begun, { account: held.account }));
}

function keep(begun: Session): void {
  const held = session();
  // What somebody else, or another account, was shown is nobody's business here.
  if (held?.user.id !== begun.user.id || held.account !== begun.account) queries.clear();
  sessionStorage.setItem(STORED, JSON.stringify(begun));
  setSession(begun);
  setEnded(false);
}

function forget(): void {
  queries.clear();
  sessionStorage.removeItem(STORED);
  setSession(undefined);
  setEnded(false);
}

function stored(): Session | undefined {
  const text = sessionStorage.getItem(STORED);
  if (text === null) return undefined;
  const held: Session = JSON.parse(text);
  return held.expires_at > Date.now() ? held : undefined;
}
