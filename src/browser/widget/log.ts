import { make } from "./dom.ts";
import { wordsOf } from "./words.ts";

export interface Line {
  from: "agent" | "visitor";
  text: string;
}

/** A line and the elements that show it. */
interface Shown {
  line: Line;
  row: HTMLElement;
  body: HTMLElement;
}

/** The longest part of a line that is shown, characters. */
const MAX_SHOWN_CHARS = 20_000;
/**
 * The log scrolls to new lines only if it is within this distance of its end, px. Otherwise the visitor is reading
 * further up.
 */
const FOLLOW_PX = 60;

/**
 * The log of the conversation: its lines, and a sign that an answer is coming. Words may still be added to the last
 * line.
 */
export class Log {
  readonly element = make("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: "0" });
  readonly #agentName: string;
  readonly #greeting: string;
  readonly #sign = make("div", { class: "line agent sign", "aria-hidden": "true" });
  #lines: Line[] = [];
  /** The line that is still growing. */
  #growing: Shown | undefined;
  /** The line that was growing when the visitor spoke. The rest of it may still arrive. */
  #cut: Shown | undefined;
  /** Draws the growing line. Called in the animation frame `#frame`. */
  #undrawn: (() => void) | undefined;
  #frame = 0;
  /** The greeting from the configuration, shown before the runtime has sent anything. It is not a line yet. */
  #placeholder: HTMLElement | undefined;
  /** The beginning of a turn that may turn out to be the greeting, which is already on show. */
  #greetingPart = "";

  /** Whether the end is visible and must stay so. */
  #follows = true;

  constructor(agentName: string, greeting: string) {
    this.#agentName = agentName;
    this.#greeting = greeting.trim();
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      this.#follows = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
    });
    // The log shrinks as the composer grows.
    new ResizeObserver(() => this.#follows && this.toEnd()).observe(this.element);
    this.begin([]);
  }

  get lines(): readonly Line[] {
    const greeted = this.#isGreetingAgain() ? [{ from: "agent" as const, text: this.#greeting }] : [];
    return [...greeted, ...this.#lines];
  }

  get isFresh(): boolean {
    return this.#lines.length === 0;
  }

  /** Shows exactly these lines, or the greeting if there are none. */
  begin(lines: readonly Line[]): void {
    this.settle();
    this.#lines = [];
    this.#placeholder = undefined;
    this.element.replaceChildren();
    // A greeting without an answer does not count, because a returning visitor may be greeted again.
    const [first] = lines;
    const isFresh = !first || (lines.length === 1 && first.from === "agent" && first.text.trim() === this.#greeting);
    if (!isFresh) for (const line of lines) this.#show(line);
    else if (this.#greeting !== "") {
      this.#placeholder = this.#draw({ from: "agent", text: this.#greeting }).row;
    }
    this.toEnd();
  }

  toEnd(): void {
    this.#follows = true;
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** Adds a line of the visitor. */
  say(text: string): void {
    const cut = this.#cut ?? this.#growing;
    this.settle();
    this.#cut = cut;
    this.sign();
    this.#show({ from: "visitor", text });
    this.toEnd();
  }

  /** Adds a piece of the agent's turn. */
  grow(piece: string): void {
    this.#greetingPart += piece;
    // While it may be the greeting that the visitor has already answered, no line is added.
    if (!this.#isGreetingAgain() || !this.#greeting.startsWith(this.#greetingPart.trim()))
      this.#put(this.#greetingPart, false);
  }

  /** Replaces the growing line by the complete text of the agent's turn. */
  complete(text: string): void {
    if (this.#isGreetingAgain() && text.trim() === this.#greeting) this.#keepGreeting();
    else {
      if (this.#cut && text.startsWith(this.#cut.line.text)) {
        // Pieces that arrived since then are shown below the visitor's words, but belong to the line that was cut.
        if (this.#growing) this.#lines.pop();
        this.#growing?.row.remove();
        this.#growing = this.#cut;
      }
      this.#put(text, true);
    }
    this.settle();
  }

  /** Shows that an answer is coming, and what the agent is doing. Without an argument, it removes the sign. */
  sign(doing?: string): void {
    this.#sign.remove();
    if (doing === undefined) return;
    this.#sign.replaceChildren(make("i"), make("i"), make("i"));
    if (doing) this.#sign.append(make("span", {}, doing));
    // The next text is a new answer.
    else this.#cut = undefined;
    this.#follow(() => this.element.append(this.#sign));
  }

  /** Shows a note that is not part of the conversation. */
  note(text: string): void {
    this.#follow(() => this.element.append(make("p", { class: "note" }, text)));
  }

  /** Ends the growing line as it is. The next text begins another line. */
  settle(): void {
    this.#catchUp();
    this.#growing = undefined;
    this.#cut = undefined;
    this.#greetingPart = "";
    this.element.removeAttribute("aria-busy");
  }

  /** Makes the greeting on show the first line. */
  #keepGreeting(): void {
    this.#lines = [...this.lines];
    this.#placeholder = undefined;
  }

  /** Checks whether the arriving turn may be the greeting that the visitor has already read and answered. */
  #isGreetingAgain(): boolean {
    return this.#placeholder !== undefined && !this.isFresh;
  }

  /** Sets the text of the growing line, and begins one if there is none. */
  #put(text: string, isWhole: boolean): void {
    this.sign();
    if (!this.#growing) {
      if (this.isFresh) this.#placeholder?.remove();
      else this.#keepGreeting();
      this.#placeholder = undefined;
      // A screen reader then reads the line once it is complete, instead of every piece.
      this.element.setAttribute("aria-busy", "true");
      this.#growing = this.#show({ from: "agent", text: "" });
    }
    const { line, body } = this.#growing;
    line.text = text;
    this.#undrawn = () => this.#follow(() => body.replaceChildren(...shown(text, isWhole)));
    if (isWhole) this.#catchUp();
    else this.#frame ||= requestAnimationFrame(() => this.#catchUp());
  }

  /** Draws the growing line at once. Pieces wait for the animation frame, because each draws the whole line. */
  #catchUp(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#undrawn?.();
    this.#undrawn = undefined;
  }

  #show(line: Line): Shown {
    this.#lines.push(line);
    return this.#draw(line);
  }

  #draw(line: Line): Shown {
    const { from, text } = line;
    // A visitor's words are shown as written: they are not parsed as Markdown.
    const [who, words] = from === "agent" ? [this.#agentName, shown(text)] : ["You", [text]];
    const body = make("div", { class: "words", dir: "auto" }, ...words);
    const row = make("div", { class: `line ${from}` }, make("span", { class: "unseen" }, `${who}: `), body);
    this.#follow(() => this.element.append(row));
    return { line, row, body };
  }

  /** Changes the log, and scrolls to its end if the end was visible. */
  #follow(change: () => void): void {
    change();
    if (this.#follows) this.toEnd();
  }
}

const shown = (text: string, isWhole?: boolean) => wordsOf(text.slice(0, MAX_SHOWN_CHARS), isWhole);
