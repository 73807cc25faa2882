import { make } from "./dom.ts";
import { wordsOf } from "./words.ts";

/** A line of the conversation. */
export interface Line {
  from: "agent" | "visitor";
  text: string;
}

/** A line and where it is shown. */
interface Shown {
  line: Line;
  row: HTMLElement;
  body: HTMLElement;
}

/** More of one line is not shown, characters. */
const MAX_SHOWN_CHARS = 20_000;
/** The log follows new lines only while it is this near to its end, px; otherwise somebody is reading further up. */
const FOLLOW_PX = 60;

/** The conversation as it is seen: lines, one of which may still be growing, and the sign that one is on its way. */
export class Log {
  readonly element = make("div", { class: "log", role: "log", "aria-label": "Conversation", tabindex: "0" });
  readonly #agentName: string;
  readonly #greeting: string;
  readonly #sign = make("div", { class: "line agent sign", "aria-hidden": "true" });
  #lines: Line[] = [];
  /** The line that grows, and where it is shown. */
  #growing: Shown | undefined;
  /** The line that was growing when the visitor spoke: the rest of it may be on its way already. */
  #cut: Shown | undefined;
  /** Updates the growing line, and the animation frame in which that happens. */
  #undrawn: (() => void) | undefined;
  #frame = 0;
  /** The greeting as it was known before the runtime said anything; it is on show, but nobody has said it yet. */
  #placeholder: HTMLElement | undefined;
  /** The beginning of a turn that may turn out to be the greeting, which is displayed already. */
  #greetingPart = "";

  /** Whether the end is in sight, and so to be kept there. */
  #follows = true;

  constructor(agentName: string, greeting: string) {
    this.#agentName = agentName;
    this.#greeting = greeting.trim();
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      this.#follows = scrollHeight - scrollTop - clientHeight < FOLLOW_PX;
    });
    // The composer takes room from it as it grows.
    new ResizeObserver(() => this.#follows && this.toEnd()).observe(this.element);
    this.begin([]);
  }

  /** What was said so far. */
  get lines(): readonly Line[] {
    const greeted = this.#isGreetingAgain() ? [{ from: "agent" as const, text: this.#greeting }] : [];
    return [...greeted, ...this.#lines];
  }

  /** Whether nobody has said anything yet. */
  get isFresh(): boolean {
    return this.#lines.length === 0;
  }

  /** Shows exactly these lines; the greeting if there are none. */
  begin(lines: readonly Line[]): void {
    this.settle();
    this.#lines = [];
    this.#placeholder = undefined;
    this.element.replaceChildren();
    // A greeting without an answer does not count: a returning visitor may be greeted again.
    const [first] = lines;
    const isFresh = !first || (lines.length === 1 && first.from === "agent" && first.text.trim() === this.#greeting);
    if (!isFresh) for (const line of lines) this.#show(line);
    else if (this.#greeting !== "") {
      this.#placeholder = this.#draw({ from: "agent", text: this.#greeting }).row;
    }
    this.toEnd();
  }

  /** Shows the last line. */
  toEnd(): void {
    this.#follows = true;
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** What the visitor says. */
  say(text: string): void {
    const cut = this.#cut ?? this.#growing;
    this.settle();
    this.#cut = cut;
    this.sign();
    this.#show({ from: "visitor", text });
    this.toEnd();
  }

  /** A piece of what the agent is saying. */
  grow(piece: string): void {
    this.#greetingPart += piece;
    // There is nothing to add while it may be the greeting that a visitor has already answered.
    if (!this.#isGreetingAgain() || !this.#greeting.startsWith(this.#greetingPart.trim()))
      this.#put(this.#greetingPart, false);
  }

  /** The whole of what the agent has said. */
  complete(text: string): void {
    if (this.#isGreetingAgain() && text.trim() === this.#greeting) this.#keepGreeting();
    else {
      if (this.#cut && text.startsWith(this.#cut.line.text)) {
        // Results since then are below the visitor's words.
        if (this.#growing) this.#lines.pop();
        this.#growing?.row.remove();
        this.#growing = this.#cut;
      }
      this.#put(text, true);
    }
    this.settle();
  }

  /** Shows that the agent is about to say something, and what it is doing; nothing takes the sign away. */
  sign(doing?: string): void {
    this.#sign.remove();
    if (doing === undefined) return;
    this.#sign.replaceChildren(make("i"), make("i"), make("i"));
    if (doing) this.#sign.append(make("span", {}, doing));
    // What comes is an answer of its own.
    else this.#cut = undefined;
    this.#follow(() => this.element.append(this.#sign));
  }

  /** Something that is no part of the conversation. */
  note(text: string): void {
    this.#follow(() => this.element.append(make("p", { class: "note" }, text)));
  }

  /** Words that were cut off stay as they are: what comes next is another line. */
  settle(): void {
    this.#catchUp();
    this.#growing = undefined;
    this.#cut = undefined;
    this.#greetingPart = "";
    this.element.removeAttribute("aria-busy");
  }

  /** The greeting on show is the first line from now on. */
  #keepGreeting(): void {
    this.#lines = [...this.lines];
    this.#placeholder = undefined;
  }

  /** Whether what comes now may be the greeting that the visitor has read and answered before it came. */
  #isGreetingAgain(): boolean {
    return this.#placeholder !== undefined && !this.isFresh;
  }

  /** The text of the line that grows; it begins one where none does. */
  #put(text: string, isWhole: boolean): void {
    this.sign();
    if (!this.#growing) {
      if (this.isFresh) this.#placeholder?.remove();
      else this.#keepGreeting();
      this.#placeholder = undefined;
      // A screen reader reads the line when it is whole, not each piece again.
      this.element.setAttribute("aria-busy", "true");
      this.#growing = this.#show({ from: "agent", text: "" });
    }
    const { line, body } = this.#growing;
    line.text = text;
    this.#undrawn = () => this.#follow(() => body.replaceChildren(...shown(text, isWhole)));
    if (isWhole) this.#catchUp();
    else this.#frame ||= requestAnimationFrame(() => this.#catchUp());
  }

  /** Shows what was put. Pieces come faster than a screen shows them, and each draws its whole line. */
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
    // A visitor's words are theirs, asterisks and all.
    const [who, words] = from === "agent" ? [this.#agentName, shown(text)] : ["You", [text]];
    const body = make("div", { class: "words", dir: "auto" }, ...words);
    const row = make("div", { class: `line ${from}` }, make("span", { class: "unseen" }, `${who}: `), body);
    this.#follow(() => this.element.append(row));
    return { line, row, body };
  }

  /** Changes the log and keeps its end in sight, where it was. */
  #follow(change: () => void): void {
    change();
    if (this.#follows) this.toEnd();
  }
}

const shown = (text: string, isWhole?: boolean) => wordsOf(text.slice(0, MAX_SHOWN_CHARS), isWhole);
