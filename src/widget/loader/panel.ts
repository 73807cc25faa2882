import { paint } from "./colors.ts";
import type { Config } from "./service.ts";
import { STYLE } from "./style.ts";

export interface PanelHandlers {
  opened(): void;
  closed(): void;
  /** The visitor sent a message; absent where there is nobody to send it to. */
  said?: (text: string) => void;
}

/** How long a longest message may be. */
const MAX_MESSAGE_CHARS = 4000;
const ICONS = {
  chat: ["M21 12a8 8 0 0 1-8 8H4l2-3.5A8 8 0 1 1 21 12z", "M9 12h.01M13 12h.01M17 12h.01"],
  close: ["M18 6 6 18M6 6l12 12"],
  send: ["M5 12h14M13 6l6 6-6 6"],
};

/** The launcher and the panel in their own shadow tree, built node by node: no markup is parsed, no style attribute set. */
export class Panel {
  readonly #handlers: PanelHandlers;
  readonly #root: ShadowRoot;
  readonly #launcher: HTMLButtonElement;
  readonly #dialog: HTMLElement;
  readonly #log: HTMLElement;
  readonly #status: HTMLElement;
  readonly #composer: HTMLFormElement | undefined;
  readonly #agentName: string;

  constructor({ agent, settings }: Config, handlers: PanelHandlers) {
    this.#handlers = handlers;
    this.#agentName = agent?.name ?? "";
    const host = document.createElement("switchboard-widget");
    this.#root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];

    this.#log = make("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: "0" });
    this.#status = make("p", { class: "status", role: "status" });
    const close = make("button", { class: "close", type: "button", "aria-label": "Close" }, icon("close"));
    this.#dialog = make(
      "div",
      { class: "panel", id: "panel", role: "dialog", "aria-modal": "true", "aria-labelledby": "title", hidden: "" },
      make("header", {}, ...logo(settings.logo_url), make("h2", { id: "title" }, this.#agentName), close),
      this.#log,
      this.#status,
    );
    if (handlers.said) {
      this.#composer = this.#makeComposer(handlers.said);
      this.#dialog.append(this.#composer);
    }
    if (settings.privacy_notice) this.#dialog.append(make("p", { class: "notice" }, settings.privacy_notice));

    const expanded = { "aria-haspopup": "dialog", "aria-expanded": "false", "aria-controls": "panel" };
    const symbol = settings.logo_url ? logo(settings.logo_url) : [icon("chat")];
    this.#launcher = make(
      "button",
      { class: "launcher", type: "button", ...expanded },
      ...symbol,
      make("span", {}, settings.launcher_label),
    );
    const frame = make(
      "div",
      { class: "frame", "data-position": settings.launcher_position },
      this.#launcher,
      this.#dialog,
    );
    for (const [name, color] of [
      ["primary", settings.primary_color],
      ["accent", settings.accent_color],
    ] as const) {
      const { background, text } = paint(color);
      frame.style.setProperty(`--${name}`, background);
      frame.style.setProperty(`--on-${name}`, text);
    }
    this.#launcher.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    close.addEventListener("click", () => this.close());
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    // What is typed here is not meant for the page's own keyboard shortcuts.
    for (const name of ["keydown", "keyup", "keypress"])
      frame.addEventListener(name, (event) => event.stopPropagation());
    this.#root.append(frame);
    document.body.append(host);
    if (agent?.greeting_message) this.add("agent", agent.greeting_message);
  }

  get isOpen(): boolean {
    return !this.#dialog.hidden;
  }

  open(): void {
    if (this.isOpen) return;
    this.#dialog.hidden = false;
    this.#launcher.setAttribute("aria-expanded", "true");
    this.#focusFirst();
    this.#handlers.opened();
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.#dialog.contains(this.#root.activeElement);
    this.#dialog.hidden = true;
    this.#launcher.setAttribute("aria-expanded", "false");
    if (hadFocus) this.#launcher.focus();
    this.#handlers.closed();
  }

  /** Whether the visitor can write: not where nobody would read it. */
  takesWords(yes: boolean): void {
    if (!this.#composer || this.#composer.hidden === !yes) return;
    const hadFocus = this.#composer.contains(this.#root.activeElement);
    this.#composer.hidden = !yes;
    if (hadFocus) this.#focusFirst();
  }

  /** A line of the conversation, read out when it comes. */
  add(from: "agent" | "visitor", text: string): void {
    const who = make("span", { class: "unseen" }, from === "agent" ? `${this.#agentName}: ` : "You: ");
    this.#log.append(make("div", { class: `line ${from}` }, who, text));
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** The line under the conversation: what is going on, or nothing. */
  status(text: string): void {
    this.#status.textContent = text;
  }

  #makeComposer(said: (text: string) => void): HTMLFormElement {
    const box = { id: "text", rows: "1", maxlength: `${MAX_MESSAGE_CHARS}`, placeholder: "Write a message" };
    const text = make("textarea", box);
    const label = make("label", { class: "unseen", for: "text" }, `Message to ${this.#agentName}`);
    const send = make("button", { class: "send", type: "submit", "aria-label": "Send" }, icon("send"));
    const form = make("form", {}, label, text, send);
    const submit = () => {
      const words = text.value.trim();
      if (words === "") return;
      text.value = "";
      this.add("visitor", words);
      said(words);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      submit();
    });
    return form;
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

  /** Where the Tab key leads inside the panel. */
  #stops(): HTMLElement[] {
    const all = this.#dialog.querySelectorAll<HTMLElement>("button, .log, textarea");
    return [...all].filter((element) => element.getClientRects().length > 0);
  }

  #focusFirst(): void {
    const stops = this.#stops();
    (stops.find(({ id }) => id === "text") ?? stops[0])?.focus();
  }
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of ICONS[name]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** The account's logo; it leaves no gap where it does not load. */
function logo(url: string): HTMLElement[] {
  if (url === "") return [];
  const image = make("img", { src: url, alt: "", referrerpolicy: "no-referrer", decoding: "async" });
  image.addEventListener("error", () => image.remove());
  return [image];
}
