/**
 * The script a customer pastes: `<script src="…/widget.js" data-client-key="pk_live_…" async></script>`. It shows the
 * launcher, holds the visitor's session and hands it to the page (window.Switchboard) and to the media runtime.
 */
import { Events, type WidgetEvents } from "./events.ts";
import { Panel } from "./panel.ts";
import { RuntimeLink } from "./runtime.ts";
import { Service, ServiceError } from "./service.ts";
import { SessionKeeper } from "./session.ts";

declare global {
  interface Window {
    Switchboard?: SwitchboardWidget;
  }
}

/** What a page has at `window.Switchboard`. */
export class SwitchboardWidget {
  readonly #events = new Events();
  readonly #service: Service;
  readonly #session: SessionKeeper;
  #panel: Panel | undefined;
  #link: RuntimeLink | undefined;
  #wantsOpen = false;

  constructor(base: string, clientKey: string, visitorToken: string | undefined) {
    this.#service = new Service(base, clientKey);
    this.#session = new SessionKeeper(this.#service, this.#events);
    this.#events.on("session", () => this.#link?.present());
    if (visitorToken) void this.identify(visitorToken);
    void this.#show();
  }

  /** Opens the panel, as soon as there is one. */
  open(): void {
    this.#wantsOpen = true;
    this.#panel?.open();
  }

  close(): void {
    this.#wantsOpen = false;
    this.#panel?.close();
  }

  /** Makes the visitor the user for whom the page's backend got this token; true when that worked. */
  async identify(visitorToken: string): Promise<boolean> {
    try {
      await this.#session.identify(visitorToken);
      if (this.#panel?.isOpen) this.#converse();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Calls the listener at each event; for `session` also at once when there is one already. */
  on<N extends keyof WidgetEvents>(name: N, listener: (detail: WidgetEvents[N]) => void): this {
    this.#events.on(name, listener);
    const { view } = this.#session;
    if (name === "session" && view) (listener as (detail: WidgetEvents["session"]) => void)(view);
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
      this.#session.takesGuests = config.guests;
      this.#link = config.runtime_url ? this.#linkTo(config.runtime_url, config.agent.name) : undefined;
      this.#panel = new Panel(config, {
        opened: () => void this.#opened(),
        closed: () => this.#events.emit("close", undefined),
        ...(this.#link && { said: (text) => this.#say(text) }),
      });
      if (this.#wantsOpen) this.#panel.open();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nothing is asked of the service about a visitor until they open the panel. */
  async #opened(): Promise<void> {
    this.#events.emit("open", undefined);
    try {
      await this.#session.ensure();
      this.#converse();
    } catch (error) {
      this.#panel?.takesWords(false);
      const signIn = error instanceof ServiceError && error.code === "sign_in_required";
      this.#panel?.status(signIn ? "Please sign in to chat." : "This chat is not available right now.");
      this.#fail(error);
    }
  }

  /** There is a session: what the visitor writes will be read. */
  #converse(): void {
    this.#panel?.status("");
    this.#panel?.takesWords(true);
    this.#link?.connect();
  }

  #say(text: string): void {
    this.#events.emit("message", { from: "visitor", text });
    this.#link?.say(text);
  }

  #linkTo(url: string, agentName: string): RuntimeLink {
    return new RuntimeLink(url, {
      token: () => this.#session.view?.access_token,
      state: (state) => this.#panel?.status({ connecting: "Connecting…", ready: "", lost: "Reconnecting…" }[state]),
      typing: () => this.#panel?.status(`${agentName} is typing…`),
      message: (text) => {
        this.#panel?.status("");
        this.#panel?.add("agent", text);
        this.#events.emit("message", { from: "agent", text });
      },
      error: (code, message) => {
        this.#panel?.status("Something went wrong. Please try again later.");
        this.#events.emit("error", { code, message });
      },
    });
  }

  #fail(error: unknown): void {
    if (!(error instanceof ServiceError)) throw error;
    console.warn(`Switchboard: ${error.message}`);
    this.#events.emit("error", { code: error.code, message: error.message });
  }
}

function bodyReady(): Promise<void> {
  if (document.body) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", () => resolve(), { once: true }));
}

function start(): void {
  const script = document.currentScript ?? document.querySelector("script[data-client-key]");
  if (!(script instanceof HTMLScriptElement) || window.Switchboard) return;
  const { clientKey, visitorToken } = script.dataset;
  if (!clientKey) {
    console.warn("Switchboard: the script needs data-client-key");
    return;
  }
  const widget = new SwitchboardWidget(new URL("api/v1/widget/", script.src).href, clientKey, visitorToken);
  window.Switchboard = widget;
  dispatchEvent(new CustomEvent("switchboard:ready"));
}

start();
