import STYLE from "./style.css";

export interface ControlHandlers {
  /** The microphone was pressed. */
  talk(): void;
  /** The agent's voice was switched off or on. */
  mute(): void;
}

const MICROPHONE = ["M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3z", "M6 11a6 6 0 0 0 12 0M12 17v4"];
const SPEAKER = ["M11 5 6.5 9H3v6h3.5L11 19z"];
const SOUND = [...SPEAKER, "M15.5 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11"];
const SILENCE = [...SPEAKER, "M16 10l5 5M21 10l-5 5"];

/** The microphone button, the switch for the agent's voice, and the line with the words recognized so far. */
export class Controls {
  readonly #talk = button("talk", "Talk by voice", MICROPHONE);
  readonly #mute = button("mute", "Mute the agent's voice", SOUND);
  readonly #caption = document.createElement("p");
  readonly #words = document.createElement("span");
  readonly #root: ShadowRoot;
  readonly #sheet = new CSSStyleSheet();

  constructor(container: HTMLElement, agentName: string, handlers: ControlHandlers) {
    this.#root = container.getRootNode() as ShadowRoot;
    this.#sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [...this.#root.adoptedStyleSheets, this.#sheet];
    this.#mute.setAttribute("aria-label", `Mute ${agentName}'s voice`);
    this.#talk.addEventListener("click", () => handlers.talk());
    this.#mute.addEventListener("click", () => handlers.mute());
    this.#caption.className = "caption";
    // Screen readers announce the finished line; announcing it earlier would be picked up by the microphone.
    this.#caption.setAttribute("aria-hidden", "true");
    this.#caption.append(this.#words);
    // In this order the microphone does not move when the other button appears.
    container.append(this.#caption, this.#mute, this.#talk);
    this.show({ listening: false, muted: false, voice: false });
  }

  show({ listening, muted, voice }: { listening: boolean; muted: boolean; voice: boolean }): void {
    this.#talk.setAttribute("aria-pressed", String(listening));
    this.#mute.setAttribute("aria-pressed", String(muted));
    if (this.#mute.firstChild) this.#mute.replaceChild(icon(muted ? SILENCE : SOUND), this.#mute.firstChild);
    const hadFocus = this.#root.activeElement === this.#mute;
    this.#mute.hidden = !listening || !voice;
    if (hadFocus && this.#mute.hidden) this.#talk.focus();
    this.#caption.hidden = !listening;
  }

  /** Shows the words recognized so far, or `otherwise` if there are none. */
  caption(words: string, otherwise: string): void {
    this.#caption.toggleAttribute("data-words", words !== "");
    this.#words.textContent = words === "" ? otherwise : words;
    this.#words.scrollTop = this.#words.scrollHeight;
  }

  /** Shows the level of the microphone, 0 to 1. */
  level(level: number): void {
    this.#talk.style.setProperty("--level", level.toFixed(2));
  }

  remove(): void {
    for (const element of [this.#caption, this.#talk, this.#mute]) element.remove();
    this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }
}

function button(name: string, label: string, paths: string[]): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  element.setAttribute("aria-label", label);
  element.append(icon(paths));
  return element;
}

function icon(paths: string[]): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
