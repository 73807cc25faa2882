import { paint } from "./colors.ts";
import { Composer } from "./composer.ts";
import { icon, logo, make } from "./dom.ts";
import { Log } from "./log.ts";
import type { Config } from "./service.ts";
import STYLE from "./style.css";

export type PanelConfig = Pick<Config, "agent" | "settings">;

export interface PanelHandlers {
  opened(): void;
  closed(): void;
  submitted(text: string): void;
}

/** The button shown to a visitor who cannot write. */
interface Way {
  label: string;
  go(): void;
}

/** Shown to anonymous visitors if only identified users may chat. */
export const SIGN_IN_FIRST = "Please sign in to chat.";

/** The launcher and the panel in a shadow tree of their own. No markup is parsed and no style attribute is set. */
export class Panel {
  readonly log: Log;
  readonly composer: Composer;
  readonly #handlers: PanelHandlers;
  readonly #root: ShadowRoot;
  readonly #frame: HTMLElement;
  readonly #launcher: HTMLButtonElement;
  readonly #dialog: HTMLElement;
  readonly #status = make("p", { class: "status", role: "status" });
  readonly #way = make("button", { class: "way", type: "button", hidden: "" });
  readonly #container: () => Element | null;
  readonly #away = new AbortController();
  #go: (() => void) | undefined;

  /** Shows the launcher in `container`, by default the page's current body: a page may replace its body. */
  constructor(
    { agent, settings }: PanelConfig,
    handlers: PanelHandlers,
    container: () => Element | null = () => document.body,
  ) {
    this.#handlers = handlers;
    this.#container = container;
    const name = agent?.name ?? "";
    const host = document.createElement("switchboard-widget");
    this.#root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];

    this.log = new Log(name, agent?.greeting_message ?? "");
    this.composer = new Composer(name, (text) => handlers.submitted(text));
    const initial = make("span", { class: "face", "aria-hidden": "true" }, [...name.trim()][0] ?? "");
    const face = settings.logo_url ? logo(settings.logo_url) : [initial];
    const close = make("button", { class: "close", type: "button", "aria-label": "Close" }, icon("close"));
    this.#dialog = make(
      "div",
      { class: "panel", id: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", hidden: "" },
      make("header", {}, ...face, make("h2", { id: "title" }, name), close),
      this.log.element,
      this.#status,
      this.#way,
      this.composer.element,
    );
    if (settings.privacy_notice) this.#dialog.append(make("p", { class: "notice" }, settings.privacy_notice));

    const expanded = { "aria-haspopup": "dialog", "aria-expanded": "false", "aria-controls": "panel" };
    const symbol = settings.logo_url ? logo(settings.logo_url) : [icon("chat")];
    const label = make("span", {}, settings.launcher_label);
    this.#launcher = make("button", { class: "launcher", type: "button" }, ...symbol, label);
    for (const [key, value] of Object.entries(expanded)) this.#launcher.setAttribute(key, value);
    const position = { class: "frame", "data-position": settings.launcher_position };
    this.#frame = make("div", position, this.#launcher, this.#dialog);
    for (const [key, color] of [
      ["primary", settings.primary_color],
      ["accent", settings.accent_color],
    ] as const) {
      const { background, text } = paint(color);
      this.#frame.style.setProperty(`--${key}`, background);
      this.#frame.style.setProperty(`--on-${key}`, text);
    }
    this.#launcher.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    close.addEventListener("click", () => this.close());
    this.#way.addEventListener("click", () => this.#go?.());
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    // Keys typed here must not trigger the page's own shortcuts.
    for (const name of ["keydown", "keyup", "keypress"])
      this.#frame.addEventListener(name, (event) => event.stopPropagation());
    this.#root.append(this.#frame);
    const { visualViewport } = window;
    const { signal } = this.#away;
    for (const name of ["resize", "scroll"])
      visualViewport?.addEventListener(name, () => this.#fit(visualViewport), { signal });
    container()?.append(host);
    this.#stay(host);
  }

  /** Puts the widget back when the page replaces its body or the body's content, as Turbo and view transitions do. */
  #stay(host: HTMLElement): void {
    const observer = new MutationObserver(() => {
      const container = this.#container();
      if (!container?.isConnected || host.isConnected) return;
      // A cloned body contains a copy of the widget without its shadow tree.
      for (const copy of container.querySelectorAll(":scope > switchboard-widget")) if (!copy.shadowRoot) copy.remove();
      container.append(host);
      this.log.toEnd();
      watch(container);
    });
    const watch = (container: Element) => observer.observe(container, { childList: true });
    watch(document.documentElement);
    watch(this.#container() ?? document.documentElement);
    this.#away.signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Fits the panel above a phone's keyboard, which covers the page without resizing it. Skipped while zoomed in. */
  #fit({ scale, offsetTop, height }: VisualViewport): void {
    const { style } = this.#frame;
    style.setProperty("--above", scale === 1 ? `${offsetTop}px` : "");
    style.setProperty("--seen", scale === 1 ? `${height}px` : "");
  }

  get isOpen(): boolean {
    return !this.#dialog.hidden;
  }

  /** Opens the panel and moves the focus there, unless it opened by itself. */
  open(takesFocus = true): void {
    const { host } = this.#root;
    // The page may have replaced its content a moment ago.
    if (!host.isConnected) this.#container()?.append(host);
    if (this.isOpen) return;
    this.#dialog.hidden = false;
    this.#frame.dataset.open = "";
    this.#launcher.setAttribute("aria-expanded", "true");
    this.log.toEnd();
    if (takesFocus) this.#focusFirst();
    this.#handlers.opened();
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.#dialog.contains(this.#root.activeElement);
    this.#dialog.hidden = true;
    delete this.#frame.dataset.open;
    this.#launcher.setAttribute("aria-expanded", "false");
    if (hadFocus) this.#launcher.focus();
    this.#handlers.closed();
  }

  /** Removes the widget from the page permanently. */
  remove(): void {
    this.#away.abort();
    this.#root.host.remove();
  }

  /** Sets the status line under the conversation. If the text is shown elsewhere, only screen readers get it here. */
  status(text: string, isShownElsewhere = false): void {
    this.#status.replaceChildren(isShownElsewhere ? make("span", { class: "unseen" }, text) : text);
  }

  /** Lets the visitor write. */
  listen(): void {
    this.#take(undefined);
  }

  /** Tells the visitor why they cannot write, and shows a button if they can do something else instead. */
  rest(why: string, way?: Way): void {
    this.log.sign();
    this.status(why);
    this.#take({ way });
  }

  #take(rest: { way: Way | undefined } | undefined): void {
    const { element } = this.composer;
    const active = this.#root.activeElement;
    const hadFocus = active !== null && (element.contains(active) || active === this.#way);
    this.#go = rest?.way && (() => rest.way?.go());
    this.#way.textContent = rest?.way?.label ?? "";
    this.#way.hidden = !rest?.way;
    element.hidden = rest !== undefined;
    this.#dialog.classList.toggle("rests", rest !== undefined);
    // The focus stays if the visitor moved it to another part of the composer.
    if (hadFocus && active.getClientRects().length === 0) this.#focusFirst();
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape") this.close();
    if (event.key !== "Tab") return;
    const stops = this.#stops();
    const [first, last] = [stops[0], stops.at(-1)];
    if (this.#root.activeElement !== (event.shiftKey ? first : last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }

  /** Returns the elements that the Tab key reaches inside the panel. */
  #stops(): HTMLElement[] {
    const all = this.#dialog.querySelectorAll<HTMLElement>("button, .log, a, textarea");
    return [...all].filter((element) => element.getClientRects().length > 0);
  }

  #focusFirst(): void {
    const stops = this.#stops();
    const wanted = stops.find(({ id }) => id === "text") ?? stops.find((element) => element === this.#way);
    (wanted ?? stops[0])?.focus();
  }
}
