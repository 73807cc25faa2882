import { Chat } from "./chat.ts";
import { Events, type WidgetEvents } from "./events.ts";
import { Memory, type Remains } from "./memory.ts";
import { Service, ServiceError } from "./service.ts";
import { type SessionHandlers, WidgetSession } from "./session.ts";

/** The settings of the page's script element. */
export interface WidgetOptions {
  base: string;
  clientKey: string;
  visitorToken: string | undefined;
  voiceUrl: string | undefined;
  /** Whether the next page in this tab continues the conversation. */
  remembers: boolean;
}

const NOTHING: Remains = { lines: [], unsent: [], draft: "", open: false, ended: false };

/** The widget, which pages use as `window.Switchboard`. */
export class SwitchboardWidget {
  readonly #options: WidgetOptions;
  readonly #events = new Events();
  readonly #service: Service;
  readonly #session: WidgetSession;
  readonly #memory: Memory | undefined;
  readonly #removal = new AbortController();
  /** The state of an earlier page, until it is resumed. A user's state is resumed for the same user only. */
  #left: Remains | undefined;
  #chat: Chat | undefined;
  #wantsOpen = false;
  /** The result of the last token that the page gave for a user. */
  #identified: Promise<boolean> | undefined;

  constructor(options: WidgetOptions) {
    const { base, clientKey, visitorToken, remembers } = options;
    this.#options = options;
    this.#service = new Service(base, clientKey);
    const handlers: SessionHandlers = {
      begun: (session) => {
        this.#events.emit("session", session);
        this.#chat?.begun();
      },
      renewed: (session) => {
        this.#events.emit("session", session);
        this.#chat?.renewed();
      },
      over: (reason) => {
        this.#events.emit("error", { code: "session_ended", message: reason.message });
        this.#chat?.over(reason);
      },
    };
    this.#session = new WidgetSession(this.#service, handlers, this.#removal.signal);
    this.#memory = remembers ? new Memory(clientKey) : undefined;
    if (this.#memory) this.#remember(this.#memory);
    if (visitorToken) void this.identify(visitorToken);
    void this.#show();
  }

  /** Opens the panel as soon as it exists. */
  open(): void {
    this.#wantsOpen = true;
    this.#chat?.panel.open();
  }

  close(): void {
    this.#wantsOpen = false;
    this.#chat?.panel.close();
  }

  /** Identifies the visitor as the user for whom this token was issued. Returns true on success. */
  identify(visitorToken: string): Promise<boolean> {
    const identified = this.#identify(visitorToken);
    this.#identified = identified;
    return identified;
  }

  /** Signs the visitor out, and deletes their session, the conversation on show and its copy in the tab's storage. */
  reset(): void {
    this.#left = undefined;
    this.#identified = undefined;
    this.#memory?.clear();
    this.#session.drop();
    this.#wantsOpen = false;
    this.#chat?.signedOut();
  }

  /** Removes the widget from the page. A script inserted later in this tab continues the conversation. */
  destroy(): void {
    if (this.#removal.signal.aborted) return;
    if (this.#memory) this.#putDown(this.#memory);
    this.#session.drop();
    this.#removal.abort();
    this.#chat = undefined;
    if (window.Switchboard === this) delete window.Switchboard;
  }

  async #identify(visitorToken: string): Promise<boolean> {
    if (this.#removal.signal.aborted) return false;
    // The page's first `identify` may name the same user as the page before.
    const left = this.#left;
    const visitor = left?.held?.session.visitor;
    if (left?.held && visitor?.type === "user" && visitor.id === subjectOf(visitorToken)) {
      if (left.held.expiresAt > Date.now()) {
        this.#takeUp(left);
        return true;
      }
    }
    try {
      await this.#session.identify(visitorToken);
      this.#left = undefined;
      // The page may have signed the visitor out meanwhile.
      return this.#session.current !== undefined;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Calls the listener for each event. A `session` listener is also called at once if there is a session. */
  on<N extends keyof WidgetEvents>(name: N, listener: (detail: WidgetEvents[N]) => void): this {
    this.#events.on(name, listener);
    const { current } = this.#session;
    if (name === "session" && current) (listener as (detail: WidgetEvents["session"]) => void)(current);
    return this;
  }

  off<N extends keyof WidgetEvents>(name: N, listener: (detail: WidgetEvents[N]) => void): this {
    this.#events.off(name, listener);
    return this;
  }

  async #show(): Promise<void> {
    try {
      const config = await this.#service.config();
      if (!config.enabled) throw new ServiceError(403, "widget_disabled", "the widget of this agent is switched off");
      if (!config.agent) throw new ServiceError(400, "no_agent", "the widget key has no agent");
      await bodyReady();
      const { signal } = this.#removal;
      if (signal.aborted) return;
      this.#session.takesGuests = config.guests;
      const { voiceUrl } = this.#options;
      const context = { config, session: this.#session, events: this.#events, voiceUrl, signal };
      this.#chat = new Chat({ ...context, fail: (error) => this.#fail(error) });
      if (this.#session.current) this.#chat.begun();
      await this.#identified;
      if (signal.aborted) return;
      const left = this.#left;
      if (left && (this.#session.current || left.held?.session.visitor.type !== "user")) this.#takeUp(left);
      if (this.#wantsOpen) this.#chat?.panel.open();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Leaves this page's state to the next page, and takes it back if this page is shown again. */
  #remember(memory: Memory): void {
    this.#left = memory.take();
    const { signal } = this.#removal;
    addEventListener("pagehide", () => this.#putDown(memory), { signal });
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      this.#left = memory.take();
      this.#takeUp(this.#left ?? NOTHING);
    };
    addEventListener("pageshow", shown, { signal });
  }

  /** Stores this page's state for the next page. */
  #putDown(memory: Memory): void {
    const held = this.#session.release();
    const remains = this.#chat?.remains;
    // A conversation that was not resumed here stays available to the next page.
    if (this.#left && !held) memory.leave(this.#left);
    else if (remains && (held || remains.open || remains.draft !== "")) memory.leave({ ...remains, held });
  }

  /** Continues from the state that an earlier page left. */
  #takeUp(left: Remains): void {
    if (left.held && !this.#session.current) this.#session.resume(left.held);
    if (!this.#chat) return;
    this.#left = undefined;
    this.#chat.restore(left);
  }

  #fail(error: unknown): void {
    if (!(error instanceof ServiceError)) throw error;
    console.warn(`Switchboard: ${error.message}`);
    this.#events.emit("error", { code: error.code, message: error.message });
  }
}

/** Returns the user for whom a visitor token was issued, without verifying the token. */
function subjectOf(token: string): string | undefined {
  try {
    const payload = atob((token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(payload, (character) => character.charCodeAt(0));
    return String(JSON.parse(new TextDecoder().decode(bytes)).sub);
  } catch {
    return undefined;
  }
}

function bodyReady(): Promise<void> {
  if (document.body) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", () => resolve(), { once: true }));
}
