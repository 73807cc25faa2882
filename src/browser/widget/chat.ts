import type { Events } from "./events.ts";
import type { Remains } from "./memory.ts";
import { Panel, SIGN_IN_FIRST } from "./panel.ts";
import { refusalWords, UNAVAILABLE } from "./parting-words.ts";
import { type Parting, RuntimeLink } from "./runtime.ts";
import { type Config, ServiceError } from "./service.ts";
import type { WidgetSession } from "./session.ts";
import { canSpeak, Speech } from "./speech.ts";

export interface ChatContext {
  config: Config;
  session: WidgetSession;
  events: Events;
  /** The address of the voice script; undefined if the page has no voice. */
  voiceUrl: string | undefined;
  /** Aborted when the widget is removed from the page. */
  signal: AbortSignal;
  /** Reports a failure to the page. */
  fail(error: unknown): void;
}

const OFFLINE = "You are offline. Your message is sent when you are back online.";
const TRY_AGAIN = "Try again";
/** Tools that are not shown to the visitor, because they only steer the conversation. */
const HIDDEN_TOOLS = ["end_call", "set_disposition", "set_language", "transfer_call", "opt_out"];
/**
 * How long after the end of a conversation another can begin, ms. Its token must be issued in a later second than the
 * end, because tokens store their time in whole seconds.
 */
const BEFORE_ANOTHER_MS = 1100;

/** The conversation in the panel: decides when the visitor can write, shows the runtime's events, and handles the end. */
export class Chat {
  readonly panel: Panel;
  readonly #context: ChatContext;
  readonly #link: RuntimeLink | undefined;
  readonly #speech: Speech | undefined;
  /** The language that the conversation changed to; undefined while it is the agent's own. */
  #language: string | undefined;
  /** The visitor can talk only between the beginning of the session and its end. */
  #phase: "waiting" | "talking" | "ended" | "away" = "waiting";
  /** Whether the lines on show belong to a session. */
  #belongs = false;
  #endedAt = 0;
  /** Whether the conversation can continue as soon as the network is back. */
  #waitsForNetwork = false;
  #announcesVoice: boolean;
  /** The number of sign-outs. Work that waited for a session during a sign-out compares it and stops. */
  #signOuts = 0;

  constructor(context: ChatContext) {
    const { config, voiceUrl, events, signal } = context;
    this.#context = context;
    if (config.runtime_url) this.#link = this.#linkTo(config.runtime_url, config.agent?.name ?? "");
    if (voiceUrl && canSpeak()) this.#speech = new Speech(voiceUrl);
    this.#announcesVoice = voiceUrl !== undefined && !this.#speech;
    this.panel = new Panel(config, {
      opened: () => this.#opened(),
      closed: () => {
        this.#speech?.stop();
        events.emit("close", undefined);
      },
      submitted: (text) => this.#say(text),
    });
    addEventListener("online", () => this.#waitsForNetwork && this.#begin(), { signal });
    signal.addEventListener("abort", () => {
      this.#leave();
      this.panel.remove();
    });
  }

  /** The state from which the next page in this tab continues. */
  get remains(): Omit<Remains, "held"> {
    const { log, composer, isOpen } = this.panel;
    const ended = this.#phase === "ended";
    return { lines: log.lines, unsent: this.#link?.unsent ?? [], draft: composer.draft, open: isOpen, ended };
  }

  /** Continues from the state that an earlier page left. */
  restore({ held, lines, unsent, draft, open, ended }: Remains): void {
    const { panel } = this;
    this.#leave();
    this.#belongs = held !== undefined;
    // Lines without a session belong to no visitor.
    panel.log.begin(held ? lines : []);
    if (this.#link && held) this.#link.unsent = unsent;
    panel.composer.draft = draft;
    panel.status("");
    panel.listen();
    if (ended && held) this.#parted("ended");
    else if (panel.isOpen || (held && lines.some(({ from }) => from === "visitor"))) void this.#begin();
    if (open) panel.open(false);
  }

  /** Disconnects, stops the voice and drops unsent messages. */
  #leave(): void {
    this.#link?.leave();
    if (this.#link) this.#link.unsent = [];
    this.#speech?.stop();
    this.#phase = "waiting";
  }

  /** Clears the conversation, as on the first visit. */
  reset(): void {
    this.#leave();
    this.#belongs = false;
    this.#language = undefined;
    this.panel.log.begin([]);
    this.panel.status("");
    this.panel.listen();
  }

  /** Clears everything about a visitor who was signed out; the next opening begins a new session. */
  signedOut(): void {
    this.#signOuts++;
    this.reset();
    this.panel.composer.draft = "";
    this.panel.close();
  }

  /** Handles a new session. Clears the conversation on show if it belonged to an earlier session. */
  begun(): void {
    if (this.#belongs) this.reset();
    this.#belongs = true;
    if (this.panel.isOpen) this.#talk();
  }

  renewed(): void {
    this.#belongs = true;
    this.#link?.present();
  }

  /** Handles the end of the session. */
  over(reason: ServiceError): void {
    this.#link?.leave();
    this.#shut(reason);
  }

  /** Handles the opening of the panel. No request about a visitor is sent before it. */
  #opened(): void {
    this.#context.events.emit("open", undefined);
    if (this.#announcesVoice) this.panel.log.note("Voice is not supported by this browser.");
    this.#announcesVoice = false;
    if (this.#phase === "talking") this.#speak();
    if (this.#phase === "waiting" || this.#phase === "away") void this.#begin();
  }

  async #begin(): Promise<void> {
    this.#waitsForNetwork = false;
    const signOuts = this.#signOuts;
    try {
      await this.#context.session.ensure();
      if (signOuts === this.#signOuts) this.#talk();
    } catch (error) {
      if (signOuts !== this.#signOuts) return;
      this.#shut(error);
      this.#context.fail(error);
    }
  }

  /** Lets the visitor write, now that there is a session. */
  #talk(): void {
    if (this.#phase === "talking") return;
    this.#phase = "talking";
    this.panel.status("");
    if (this.#link) {
      this.panel.listen();
      this.#link.connect();
      if (this.panel.isOpen) this.#speak();
    } else this.panel.rest(UNAVAILABLE);
  }

  /** Shows that no session is available, for now or for this visitor. */
  #shut(error: unknown): void {
    this.#phase = "away";
    this.#speech?.stop();
    const { code, passing } = error instanceof ServiceError ? error : { code: "", passing: false };
    this.#waitsForNetwork = passing;
    const why = passing && !navigator.onLine ? "You are offline." : UNAVAILABLE;
    if (code === "sign_in_required") this.panel.rest(SIGN_IN_FIRST);
    else this.panel.rest(why, { label: TRY_AGAIN, go: () => void this.#begin() });
  }

  #parted(parting: Parting, reason = ""): void {
    const { panel } = this;
    const again = () => void this.#again();
    if (parting === "ended") this.#speech?.finish();
    else this.#speech?.stop();
    this.#phase = parting === "ended" ? "ended" : "away";
    if (parting === "ended") {
      this.#endedAt = Date.now();
      panel.rest("This conversation has ended.", { label: "Start again", go: again });
    } else if (parting === "elsewhere") {
      panel.rest("This conversation was opened elsewhere.", { label: "Continue here", go: () => void this.#begin() });
    } else {
      panel.rest(refusalWords(reason), { label: TRY_AGAIN, go: again });
      const message = `the runtime refuses: ${reason}`;
      this.#context.events.emit("error", { code: "session_refused", message });
    }
  }

  /** Connects with a current token, which begins another conversation after the end of the last. */
  async #again(): Promise<void> {
    const { session, fail } = this.#context;
    const isOver = this.#phase === "ended";
    const signOuts = this.#signOuts;
    this.panel.rest("One moment…");
    if (isOver) await pause(this.#endedAt + BEFORE_ANOTHER_MS - Date.now());
    try {
      await session.renew();
      if (signOuts !== this.#signOuts) return;
      if (isOver && this.#phase === "ended") this.reset();
      this.#belongs = true;
      this.#talk();
    } catch (error) {
      this.#shut(error);
      fail(error);
    }
  }

  #say(text: string): void {
    this.panel.log.say(text);
    this.#context.events.emit("message", { from: "visitor", text });
    this.#speech?.onUserTurn();
    this.#link?.say(text);
  }

  #speak(): void {
    const { panel } = this;
    const link = this.#link;
    if (!link || !this.#speech) return;
    const host = {
      agentName: this.#context.config.agent?.name ?? "",
      lang: this.#language ?? this.#context.config.agent?.language ?? navigator.language,
      place: panel.composer.voiceSlot,
      say: (text: string) => this.#say(text),
      interrupt: (spokenText: string) => link.interrupt(spokenText),
      status: (text: string) => panel.status(text),
    };
    this.#speech.start(host).catch(() => panel.log.note("Voice is not available right now."));
  }

  #linkTo(url: string, agentName: string): RuntimeLink {
    const { session, events, signal } = this.#context;
    return new RuntimeLink(
      url,
      {
        prepare: () => session.ensure(),
        token: () => session.current?.access_token,
        state: (state) => {
          this.panel.log.sign();
          this.panel.log.settle();
          const lost = navigator.onLine ? "Reconnecting…" : OFFLINE;
          this.panel.status({ connecting: "Connecting…", ready: "", lost }[state]);
        },
        typing: () => this.#sign(`${agentName} is typing…`, ""),
        listening: () => {
          this.panel.log.sign();
          this.panel.status("");
        },
        tool: (name, state) => {
          if (!HIDDEN_TOOLS.includes(name) && state === "running") this.#sign("Looking that up…", "Looking that up…");
        },
        delta: (text, interruptible, speech) => {
          this.panel.status("");
          this.panel.log.grow(text);
          this.#speech?.delta(text, interruptible, speech);
        },
        message: (text, interruptible, speech) => {
          this.panel.status("");
          this.panel.log.complete(text);
          this.#speech?.message(text, interruptible, speech);
          events.emit("message", { from: "agent", text });
        },
        language: (lang) => {
          this.#language = lang;
          this.#speech?.language(lang);
        },
        parted: (parting, reason) => this.#parted(parting, reason),
        error: (code, message) => {
          this.panel.log.sign();
          this.panel.status("Something went wrong. Please try again later.");
          events.emit("error", { code, message });
        },
      },
      signal,
    );
  }

  #sign(spoken: string, shown: string): void {
    this.panel.log.sign(shown);
    this.panel.status(spoken, true);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
