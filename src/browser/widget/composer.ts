import { icon, make } from "./dom.ts";

const MAX_MESSAGE_CHARS = 4000;
/** The number of remaining characters from which they are shown. */
const FEW_CHARS = 200;

/** The form in which the visitor writes. */
export class Composer {
  readonly element: HTMLFormElement;
  /** The container for the controls of a voice. */
  readonly voiceSlot = make("span", { class: "voice" });
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
    this.element = make("form", {}, label, this.#text, this.#left, this.voiceSlot, send);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#text.addEventListener("input", () => this.#fit());
    this.#text.addEventListener("keydown", (event) => {
      // 229 is a key that an input method consumed: Safari reports it after the composition has ended.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.#submit();
    });
  }

  /** The text that is written but not sent. */
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

  /** Shows how many characters are left, and makes the field as high as its text in browsers without `field-sizing`. */
  #fit(): void {
    const left = MAX_MESSAGE_CHARS - this.draft.length;
    this.#left.textContent = left > FEW_CHARS ? "" : `${left} characters left`;
    if (CSS.supports("field-sizing", "content")) return;
    this.#text.style.height = "";
    const { scrollHeight, offsetHeight, clientHeight } = this.#text;
    if (scrollHeight > clientHeight) this.#text.style.height = `${scrollHeight + offsetHeight - clientHeight}px`;
  }
}
