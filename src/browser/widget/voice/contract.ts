/** What voice needs of the widget it speaks for. */
export interface VoiceHost {
  agentName: string;
  /** The language to listen and speak in, as a BCP 47 tag. */
  lang: string;
  /** Where its controls belong, in the panel's shadow tree. */
  place: HTMLElement;
  /** Sends what the visitor said, as if they had written it; the panel shows it as a line of the conversation. */
  say(text: string): void;
  /** The visitor interrupted: reports to the runtime how much of the agent's turn was spoken. */
  interrupt(spokenText: string): void;
  /** Shows what is going on in the line under the conversation, "" for nothing. */
  status(text: string): void;
}

/**
 * What the widget reports to its voice. A page that loaded the widget before a release loads the voice's script after it,
 * so no name in this file changes.
 */
export interface Voice {
  /**
   * A piece of what the agent is saying; where it is not `interruptible`, nobody cuts in. `speech` is the address at which
   * the agent's own voice says the part that ends with it: null if none ends, undefined if the browser's voice speaks.
   */
  delta(text: string, interruptible: boolean, speech?: string | null): void;
  /** The agent's complete turn, even if no part of it arrived before. */
  message(text: string, interruptible: boolean, speech?: string | null): void;
  /** The conversation goes on in another language, a BCP 47 tag. */
  language?(lang: string): void;
  /** The visitor is about to be answered: they wrote something, or `say` was called. Comes before it is sent. */
  said(): void;
  /** The conversation is over: nobody listens any more, but the agent's last words are spoken to their end. */
  finish(): void;
  /** There is nobody to talk to any more, or nobody who would hear it: the panel was closed. Everything stops. */
  stop(): void;
}

/** What the voice script exports; it is loaded only if a page asks for it. */
export type StartVoice = (host: VoiceHost) => Voice;
