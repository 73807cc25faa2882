import { createSignal, onCleanup } from "solid-js";
import { createStore, produce } from "solid-js/store";
import { type Parting, RuntimeLink } from "../../../../widget/runtime.ts";
import { api, type Body, data } from "../../../api/client.ts";

export type Entry =
  | { kind: "words"; from: "agent" | "you"; text: string; isWhole: boolean }
  | { kind: "tool"; name: string; state: string };

/** The phase of the conversation: not begun, beginning, connected, reconnecting, or why it is over. */
export type Phase =
  | "idle"
  | "beginning"
  | "talking"
  | "lost"
  | "ended"
  | "refused"
  | "full"
  | "elsewhere"
  | "blocked"
  | "nowhere";

/** The voice, which receives the agent's words and the events of the conversation. */
interface Listener {
  ready(): void;
  delta(text: string, interruptible: boolean, speech?: string | null): void;
  message(text: string, interruptible: boolean, speech?: string | null): void;
  /** The conversation continues in another language, a BCP 47 tag. */
  language(lang: string): void;
  over(isAtItsEnd: boolean): void;
}

/** Creates a conversation with an agent over the widget's protocol, and the state that the screen shows. */
export function createConversation(agentId: string, listener: Listener) {
  const [entries, setEntries] = createStore<Entry[]>([]);
  const [phase, setPhase] = createSignal<Phase>("idle");
  const [isTyping, setTyping] = createSignal(false);
  const [endReason, setEndReason] = createSignal("");
  /** The runtime's error message. */
  const [trouble, setTrouble] = createSignal("");
  const [session, setSession] = createSignal<Body<"AgentSession">>();
  let link: RuntimeLink | undefined;

  const change = (how: (entries: Entry[]) => void) => setEntries(produce(how));
  /** Adds the agent's text: either an addition to the last line, or the complete line. */
  const addAgentText = (text: string, isWhole: boolean) => {
    setTyping(false);
    change((shown) => {
      const last = shown.at(-1);
      if (last?.kind === "words" && last.from === "agent" && !last.isWhole) {
        last.text = isWhole ? text : last.text + text;
        last.isWhole = isWhole;
      } else shown.push({ kind: "words", from: "agent", text, isWhole });
    });
  };
  /** Marks all lines as complete. Incomplete words stay as they arrived. */
  const settle = () => {
    setTyping(false);
    change((shown) => {
      for (const entry of shown) if (entry.kind === "words") entry.isWhole = true;
    });
  };
  const over = (why: Phase) => {
    settle();
    setPhase(why);
    listener.over(why === "ended");
  };
  const useTool = (name: string, state: string) => {
    settle();
    change((shown) => {
      const running = shown.findLast(
        (entry) => entry.kind === "tool" && entry.name === name && entry.state === "running",
      );
      if (running?.kind === "tool" && state !== "running") running.state = state;
      else shown.push({ kind: "tool", name, state });
    });
  };

  const left = new AbortController();
  const linkTo = (url: string) =>
    new RuntimeLink(
      url,
      {
        prepare: () => Promise.resolve(),
        token: () => session()?.access_token ?? undefined,
        state: (state) => {
          settle();
          setPhase(state === "ready" ? "talking" : state === "lost" ? "lost" : "beginning");
          if (state === "ready") listener.ready();
        },
        typing: () => setTyping(true),
        listening: () => setTyping(false),
        tool: useTool,
        delta: (text, interruptible, speech) => {
          addAgentText(text, false);
          listener.delta(text, interruptible, speech);
        },
        message: (text, interruptible, speech) => {
          addAgentText(text, true);
          listener.message(text, interruptible, speech);
        },
        language: (lang) => listener.language(lang),
        parted: (parting: Parting, reason = "") => {
          setEndReason(reason);
          over(parting);
        },
        error: (_, message) => {
          settle();
          setTrouble(message);
        },
      },
      left.signal,
    );

  const leave = () => {
    link?.leave();
    link = undefined;
  };
  // The page's policy may block a runtime on another host. The socket itself doesn't report that.
  const refusedByPolicy = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const url = session()?.runtime_url;
    if (effectiveDirective !== "connect-src" || !url || hostOf(blockedURI) !== hostOf(url)) return;
    leave();
    over("blocked");
  };
  /** Counts attempts to begin, so that a late response is ignored. */
  let latest = 0;
  document.addEventListener("securitypolicyviolation", refusedByPolicy);
  onCleanup(() => {
    left.abort();
    document.removeEventListener("securitypolicyviolation", refusedByPolicy);
    latest++;
    leave();
  });

  return {
    entries,
    phase,
    isTyping,
    endReason,
    trouble,
    session,
    /** Begins a new conversation. @throws ApiFailure */
    async begin(variables: Record<string, string>): Promise<void> {
      const turn = ++latest;
      leave();
      listener.over(false);
      setPhase("beginning");
      setEntries([]);
      setTrouble("");
      setEndReason("");
      try {
        const params = { path: { id: agentId } };
        const begun = await data(api.POST("/api/v1/agents/{id}/session", { params, body: { variables } }));
        // The conversation was left or begun again in the meantime.
        if (turn !== latest) return;
        setSession(begun);
        if (begun.runtime_url === null) return over("nowhere");
        link = linkTo(begun.runtime_url);
        link.connect();
      } catch (error) {
        setPhase("idle");
        throw error;
      }
    },
    say(text: string): void {
      settle();
      setTrouble("");
      change((shown) => shown.push({ kind: "words", from: "you", text, isWhole: true }));
      link?.say(text);
    },
    interrupt: (spokenText: string) => link?.interrupt(spokenText),
  };
}

/** Returns the host of a URL; empty if the URL is invalid. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
