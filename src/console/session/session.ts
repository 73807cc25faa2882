import { createSignal } from "solid-js";
import { type Body, useSession } from "../api/client.ts";

/** Who is signed in where; `expires_at` in ms. */
export interface Session {
  access_token: string;
  account: string;
  user: Body<"Session">["user"];
  expires_at: number;
}

/** What other tabs of this browser are told and asked. */
type Message = { type: "ask" } | { type: "session"; session: Session } | { type: "signed-out" };

/**
 * Where the session is kept: of this tab alone and gone with it, yet there after a reload. Tabs opened later get it from
 * those that have it. Nothing but scripts of this service run on its pages, by its Content-Security-Policy.
 */
const STORED = "switchboard-session";
/** How long a tab waits for another's session before it asks for a password, ms. */
const ANSWER_MS = 120;

const [session, setSession] = createSignal(stored());
const [isEnded, setEnded] = createSignal(false);
const tabs = new BroadcastChannel("switchboard-console");

/** Who is signed in; undefined for nobody. */
/** Whether the service has ended the session, so that whoever is here must sign in again to go on. */
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

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.type === "ask") {
    const held = session();
    if (held && !isEnded()) tabs.postMessage({ type: "session", session: held } satisfies Message);
  } else if (data.type === "session") {
    const held = session();
    // A tab that is signed in elsewhere stays there, unless its own session is over.
    if (!held || (isEnded() && held.account === data.session.account)) keep(data.session);
  } else forget();
});

/** Begins a session: this tab's, and that of other tabs whose own has ended. */
export function beginSession({ expires_in, account, user, access_token }: Body<"Session">): void {
  const begun = { access_token, account, user, expires_at: Date.now() + expires_in * 1000 };
  keep(begun);
  tabs.postMessage({ type: "session", session: begun } satisfies Message);
}

/** Ends the session here and in all tabs; the service is told by whoever calls this. */
export function endSession(): void {
  forget();
  tabs.postMessage({ type: "signed-out" } satisfies Message);
}

/** Takes over the session of another tab where this one has none. */
export async function adoptSession(): Promise<void> {
  if (session()) return;
  tabs.postMessage({ type: "ask" } satisfies Message);
  await new Promise<void>((resolve) => {
    tabs.addEventListener("message", () => queueMicrotask(resolve), { once: true });
    setTimeout(resolve, ANSWER_MS);
  });
}

function keep(begun: Session): void {
  sessionStorage.setItem(STORED, JSON.stringify(begun));
  setSession(begun);
  setEnded(false);
}

function forget(): void {
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
