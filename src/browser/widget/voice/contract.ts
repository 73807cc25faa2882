/** The functions that the widget provides to its voice. */
export interface VoiceHost {
  agentName: string;
  /** The language to listen and speak in, as a BCP 47 tag. */
  lang: string;
  /** The container for the voice's controls, in the panel's shadow tree. */
  place: HTMLElement;
  /** Sends what the visitor said, as if they had written it; the panel shows it as a line of the conversation. */
  say(text: string): void;
  /** Reports to the runtime that the visitor interrupted, with the part of the agent's turn that was spoken. */
  interrupt(spokenText: string): void;
  /** Sets the status line under the conversation; "" clears it. */
  status(text: string): void;
}

/**
 * The calls that the widget makes to its voice. A page that loaded the widget before a release may load the voice's
 * script after it, so the names in this file must not change.
 */
export interface Voice {
  /**
   * A piece of what the agent is saying. The visitor cannot interrupt it unless it is `interruptible`. `speech` is the
   * address of the audio, in the agent's own voice, of the part that ends with this piece: null if no part ends,
   * undefined if the browser's voice speaks.
   */
  delta(text: string, interruptible: boolean, speech?: string | null): void;
  /** The agent's complete turn, even if no part of it arrived before. */
  message(text: string, interruptible: boolean, speech?: string | null): void;
  /** The conversation continues in another language, a BCP 47 tag. */
  language?(lang: string): void;
  /** Called before a message of the visitor is sent, whether they wrote it or `say` was called. */
  said(): void;
  /** The conversation is over: stops listening, and speaks the agent's last words to their end. */
  finish(): void;
  /** Stops everything at once, because the session is gone or the panel was closed. */
  stop(): void;
}

/** The export of the voice's script, which is loaded only if a page asks for it. */
export type StartVoice = (host: VoiceHost) => Voice;
