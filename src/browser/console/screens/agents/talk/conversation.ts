import { createSignal, onCleanup } from "solid-js";
import { createStore, produce } from "solid-js/store";
import { type Parting, RuntimeLink } from "../../../../widget/runtime.ts";
import { api, type Body, data } from "../../../api/client.ts";

/** Something in a conversation: words of one side, or a tool that is used. */
export type Entry =
  | { kind: "words"; from: "agent" | "you"; text: string; isWhole: boolean }
  | { kind: "tool"; name: string; state: string };

/**
 * The state of the conversation: not begun, beginning, connected, reconnecting after the connection was lost; or why it
 * is over.
 */
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

/** Who hears along: the voice. */
interface Listener {
  ready(): void;
  delta(text: string, interruptible: boolean, speech?: string | null): void;
  message(text: string, interruptible: boolean, speech?: string | null): void;
  /** It goes on in another language, a BCP 47 tag. */
  language(lang: string): void;
  over(isAtItsEnd: boolean): void;
}

/** A conversation with an agent over the widget's protocol, and what the screen shows of it. */
export function createConversation(agentId: string, listener: Listener) {
  const [entries, setEntries] = createStore<Entry[]>([]);
  const [phase, setPhase] = createSignal<Phase>("idle");
  const [isTyping, setTyping] = createSignal(false);
  const [endReason, setEndReason] = createSignal("");
  /** The runtime's error, in its words. */
  const [trouble, setTrouble] = createSignal("");
  const [session, setSession] = createSignal<Body<"AgentSession">>();
  let link: RuntimeLink | undefined;

  const change = (how: (entries: Entry[]) => void) => setEntries(produce(how));
  /** The agent's words: an addition to the last line, or the whole line. */
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
  /** Words that were cut off stay as they came. */
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
  // A runtime elsewhere may be one that the page's policy keeps it from; the socket itself does not say so.
  const refusedByPolicy = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const url = session()?.runtime_url;
    if (effectiveDirective !== "connect-src" || !url || hostOf(blockedURI) !== hostOf(url)) return;
    leave();
    over("blocked");
  };
  /** Counts what is begun, so that an answer that comes too late comes to nothing. */
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
    /** The session of the conversation, once there is one. */
    session,
    /** Begins another conversation. @throws ApiFailure */
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
        // Left meanwhile, or begun once more.
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

/** The host of an address; empty if invalid. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
