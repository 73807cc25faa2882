import type { StartVoice, Voice, VoiceHost } from "./voice/contract.ts";

/** Checks whether the browser can listen and speak. */
export function canSpeak(): boolean {
  return ("SpeechRecognition" in window || "webkitSpeechRecognition" in window) && "speechSynthesis" in window;
}

/** The widget's voice. It loads its script on first use and then replays the calls that arrived before. */
export class Speech {
  readonly #url: string;
  #script: Promise<{ startVoice: StartVoice }> | undefined;
  #voice: Voice | undefined;
  /** Calls that arrived while the script was loading. */
  #pending: ((voice: Voice) => void)[] = [];
  #starting = false;
  /** The number of starts and stops. A script that loads late must not speak for a visitor who has left. */
  #turn = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Starts the voice for this host. Rejects if the script cannot be loaded. */
  async start(host: VoiceHost): Promise<void> {
    this.stop();
    const turn = this.#turn;
    this.#starting = true;
    this.#script ??= import(this.#url) as Promise<{ startVoice: StartVoice }>;
    // A failed load is not repeated, because browsers cache the failure of a module.
    const { startVoice } = await this.#script;
    if (turn !== this.#turn) return;
    const voice = startVoice(host);
    this.#voice = voice;
    for (const use of this.#pending.splice(0)) use(voice);
  }

  delta(text: string, interruptible: boolean, speech?: string | null): void {
    this.#withVoice((voice) => voice.delta(text, interruptible, speech));
  }

  message(text: string, interruptible: boolean, speech?: string | null): void {
    this.#withVoice((voice) => voice.message(text, interruptible, speech));
  }

  /** Continues in another language, a BCP 47 tag. */
  language(lang: string): void {
    this.#withVoice((voice) => voice.language?.(lang));
  }

  /** Reports that the visitor's next message is about to be sent. */
  onUserTurn(): void {
    this.#withVoice((voice) => voice.said());
  }

  /** Ends the voice once the agent's last words are spoken. */
  finish(): void {
    if (this.#voice) this.#voice.finish();
    else this.stop();
  }

  #withVoice(use: (voice: Voice) => void): void {
    if (this.#voice) use(this.#voice);
    else if (this.#starting) this.#pending.push(use);
  }

  stop(): void {
    this.#turn++;
    this.#starting = false;
    this.#pending = [];
    this.#voice?.stop();
    this.#voice = undefined;
  }
}
