import { icon, make } from "./dom.ts";

/** How long a longest message may be, characters. */
const MAX_MESSAGE_CHARS = 4000;
/** The remaining characters are shown once no more than this many are left. */
const FEW_CHARS = 200;

/** Where the visitor writes. */
export class Composer {
  readonly element: HTMLFormElement;
  /** Where a voice puts its controls. */
  readonly place = make("span", { class: "voice" });
  readonly #text: HTMLTextAreaElement;
  readonly #left = make("span", { class: "left", id: "left" });
  readonly #onSubmit: (text: string) => void;

  constructor(agentName: string, onSubmit: (text: string) => void) {
    this.#onSubmit = onSubmit;
    this.#text = make("textarea", {
      id: "text",
      dir: "auto",
      rows: "1",
      maxlength: `${MAX_MESSAGE_CHARS}`,
      placeholder: "Write a message",
      enterkeyhint: "send",
      "aria-describedby": "left",
    });
    const label = make("label", { class: "unseen", for: "text" }, `Message to ${agentName}`);
    const send = make("button", { class: "send", type: "submit", "aria-label": "Send" }, icon("send"));
    this.element = make("form", {}, label, this.#text, this.#left, this.place, send);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#text.addEventListener("input", () => this.#fit());
    this.#text.addEventListener("keydown", (event) => {
      // 229 is a key consumed by an input method: Safari reports it after the composition has ended.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.#submit();
    });
  }

  /** Text written but not sent yet. */
  get draft(): string {
    return this.#text.value;
  }

  set draft(text: string) {
    this.#text.value = text.slice(0, MAX_MESSAGE_CHARS);
    this.#fit();
  }

  focus(): void {
    this.#text.focus();
  }

  #submit(): void {
    const words = this.draft.trim();
    if (words === "") return;
    this.draft = "";
    this.#onSubmit(words);
  }

  /** As high as its text, also in browsers that do not do that by themselves. */
  #fit(): void {
    const left = MAX_MESSAGE_CHARS - this.draft.length;
    this.#left.textContent = left > FEW_CHARS ? "" : `${left} characters left`;
    if (CSS.supports("field-sizing", "content")) return;
    this.#text.style.height = "";
    const { scrollHeight, offsetHeight, clientHeight } = this.#text;
    if (scrollHeight > clientHeight) this.#text.style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
  }
}
