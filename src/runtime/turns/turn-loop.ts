import type { ModelMessage } from "../models/model.ts";
import { type Model, ModelFailed, type ModelPart, type ModelTool, type ToolCall } from "../models/model.ts";
import type { ToolOutcome } from "./built-in-tools.ts";

/** Rounds of tools that one answer may take; then the model has to speak. */
export const MAX_TOOL_ROUNDS = 8;
/** Tools that one round may use. */
const MAX_CALLS_A_ROUND = 16;
/** Most characters that an agent says in one turn: a model that does not stop is stopped. */
const MAX_ANSWER_CHARS = 8_000;
/** A model that failed is asked once more after this time, ms: a server that restarts needs a moment. */
const RETRY_AFTER_MS = 250;
/** How often what is being said is written down while it goes on, ms. */
const WRITE_EVERY_MS = 250;

export const APOLOGY = "I am sorry, something went wrong on our side. Please try again later.";
const NO_WORDS = "I am sorry, I could not find that out.";

/** What the loop acts on. */
export interface TurnDependencies {
  model(): Promise<Model>;
  system: string;
  tools: ModelTool[];
  /** What was said so far. */
  history(): ModelMessage[];
  /** Sends words on; `last` ends a turn, and `whole` is all of it. */
  say(words: { text: string; last: boolean; whole: string }): void;
  /** Writes down what the agent has said so far of a turn that began at `at`, ms. */
  speaking(text: string, at: number): void;
  /** Writes down a turn that is over, before anything else is sent. */
  spoken(turn: { text: string; interrupted: boolean; heard?: string }, at: number): void;
  latency(ms: number): void;
  usage(input_tokens: number, output_tokens: number): void;
  /** Uses a tool: writes down the call and what came of it. */
  use(call: ToolCall): Promise<ToolOutcome>;
  report(error: unknown): void;
  pause(ms: number): Promise<void>;
  /** ms */
  now(): number;
}

/** How an answer ended: the other side's turn, an interruption, the conversation's end, or the model's failure. */
export type Ending = { next: "listen" | "interrupted" | "failed" } | { next: "end"; reason: string };

/** A turn that is being spoken. */
interface Speech {
  text: string;
  at: number;
  written: number;
}

/** One answer of the agent: what the model says goes out as it comes, tools run in between, an interruption stops it. */
export class Answer {
  readonly #deps: TurnDependencies;
  readonly #abort = new AbortController();
  /** When the other side's words ended, ms; null where the agent speaks by itself. */
  readonly #heardAt: number | null;
  #speech: Speech | null = null;
  #hasSpoken = false;

  constructor(deps: TurnDependencies, heardAt: number | null) {
    this.#deps = deps;
    this.#heardAt = heardAt;
  }

  /** Whether anything of it was said. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  get interrupted(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Stops the agent; `heard` is what the other side heard of it, where that is known. Gives whether it was speaking. */
  interrupt(heard?: string): boolean {
    if (this.interrupted) return false;
    this.#abort.abort();
    const wasSpeaking = this.#speech !== null;
    this.#finish(true, heard);
    return wasSpeaking;
  }

  async run(): Promise<Ending> {
    for (let round = 0; ; round++) {
      const heard = await this.#hear(round < MAX_TOOL_ROUNDS ? this.#deps.tools : []);
      if (heard === "failed") return this.#fail();
      if (this.interrupted) return { next: "interrupted" };
      const spoke = this.#finish(false);
      if (round >= MAX_TOOL_ROUNDS || heard.length === 0) {
        if (!spoke && !this.#hasSpoken) this.#sayWhole(NO_WORDS);
        return { next: "listen" };
      }
      for (const call of heard.slice(0, MAX_CALLS_A_ROUND)) {
        const { ends } = await this.#deps.use(call);
        if (ends !== undefined) return { next: "end", reason: ends };
        if (this.interrupted) return { next: "interrupted" };
      }
    }
  }

  /** The tools that the model wants used, once it has said what it has to say; tried once more where it said nothing. */
  async #hear(tools: ModelTool[]): Promise<ToolCall[] | "failed"> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#listen(tools);
      } catch (error) {
        if (this.interrupted) return [];
        if (!(error instanceof ModelFailed)) this.#deps.report(error);
        // What was said cannot be taken back, and saying it again would double it.
        if (attempt > 0 || this.#speech !== null) {
          this.#deps.report(error);
          return "failed";
        }
        await this.#deps.pause(RETRY_AFTER_MS);
        if (this.interrupted) return [];
      }
    }
  }

  async #listen(tools: ModelTool[]): Promise<ToolCall[]> {
    const { system } = this.#deps;
    const { signal } = this.#abort;
    const model = await this.#deps.model();
    const calls: ToolCall[] = [];
    const parts = model.answer({ system, messages: this.#deps.history(), tools, signal });
    for await (const part of parts) {
      if (this.interrupted) break;
      this.#take(part, calls);
      if ((this.#speech?.text.length ?? 0) >= MAX_ANSWER_CHARS) break;
    }
    return calls;
  }

  #take(part: ModelPart, calls: ToolCall[]): void {
    if (part.type === "tool_call") calls.push(part.call);
    else if (part.type === "usage") this.#deps.usage(part.input_tokens, part.output_tokens);
    else if (part.text !== "") this.#say(part.text);
  }

  #say(words: string): void {
    const now = this.#deps.now();
    const speech = this.#speech ?? { text: "", at: now, written: 0 };
    const text = words.slice(0, MAX_ANSWER_CHARS - speech.text.length);
    const first = this.#speech === null;
    this.#speech = speech;
    speech.text += text;
    this.#deps.say({ text, last: false, whole: speech.text });
    if (first && !this.#hasSpoken && this.#heardAt !== null) this.#deps.latency(now - this.#heardAt);
    this.#hasSpoken = true;
    if (first || now - speech.written >= WRITE_EVERY_MS) {
      speech.written = now;
      this.#deps.speaking(speech.text, speech.at);
    }
  }

  /** Ends the turn that is being spoken; gives whether there was one. */
  #finish(interrupted: boolean, heard?: string): boolean {
    const speech = this.#speech;
    if (!speech) return false;
    this.#speech = null;
    this.#deps.spoken({ text: speech.text, interrupted, ...(heard !== undefined && { heard }) }, speech.at);
    // Only now: what was heard whole is on record whole, whatever happens next.
    if (!interrupted) this.#deps.say({ text: "", last: true, whole: speech.text });
    return true;
  }

  #fail(): Ending {
    this.#finish(false);
    this.#sayWhole(APOLOGY);
    return { next: "failed" };
  }

  #sayWhole(text: string): void {
    this.#say(text);
    this.#finish(false);
  }
}
