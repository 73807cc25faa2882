import {
  type Cut,
  type Model,
  ModelFailed,
  type ModelMessage,
  type ModelPart,
  type ModelTool,
  type ToolCall,
} from "../models/model.ts";
import type { ToolOutcome } from "./built-in-tools.ts";
import { joint, toGoOn, waitAfter } from "./going-on.ts";

/** Rounds of tools that one answer may take; then the model has to speak. */
export const MAX_TOOL_ROUNDS = 8;
/** Tools that one round may use. */
const MAX_CALLS_A_ROUND = 16;
/** Most characters that an agent says in one turn: a model that does not stop is stopped. */
const MAX_ANSWER_CHARS = 8_000;
/** How often what is being said is written down while it goes on, ms. */
const WRITE_EVERY_MS = 250;

export const APOLOGY = "I am sorry, something went wrong on our side. Please try again later.";
export const NO_WORDS = "I am sorry, I could not find that out.";
export const FILTERED = "I am sorry, I cannot talk about that.";

/** What the loop acts on. */
export interface TurnDependencies {
  model(): Promise<Model>;
  system: string;
  tools: ModelTool[];
  /** Said while a model's server asks for time; null where nobody listens for a sign of life. */
  filler: string | null;
  /** What was said so far. */
  history(): ModelMessage[];
  /** Sends words on; `last` ends a turn, and `whole` is all of it. */
  say(words: { text: string; last: boolean; whole: string }): void;
  /** Writes down what the agent has said so far of a turn that began at `at`, ms. */
  speaking(text: string, at: number): void;
  /** Writes down a turn that is over, before anything else is sent. */
  spoken(turn: SpokenTurn, at: number): void;
  latency(ms: number): void;
  usage(input_tokens: number, output_tokens: number): void;
  /** Uses a tool: writes down the call and what came of it. */
  use(call: ToolCall): Promise<ToolOutcome>;
  report(error: unknown): void;
  pause(ms: number): Promise<void>;
  /** ms */
  now(): number;
}

/** A turn of the agent's that is over. */
export interface SpokenTurn {
  text: string;
  interrupted: boolean;
  /** What was heard of an interrupted one, where that is known. */
  heard?: string;
  /** By what the model's answer was cut. */
  finish?: Cut;
}

/**
 * How an answer ended: the other side's turn (`silent` where a tool was the last of it), an interruption, the
 * conversation's end, or the model's failure.
 */
export type Ending = { next: "listen" | "silent" | "interrupted" | "failed" } | { next: "end"; reason: string };

/** What a model answered beside its words. */
interface Heard {
  calls: ToolCall[];
  cut: Cut | null;
}
const NOTHING: Heard = { calls: [], cut: null };

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
    this.#finish(heard === undefined ? { interrupted: true } : { interrupted: true, heard });
    return wasSpeaking;
  }

  async run(): Promise<Ending> {
    for (let round = 0; ; round++) {
      const heard = await this.#hear(round < MAX_TOOL_ROUNDS ? this.#deps.tools : [], round > 0);
      if (heard === "failed") return this.#fail();
      if (this.interrupted) return { next: "interrupted" };
      const { calls, cut } = heard;
      const spoke = this.#finish({ cut });
      if (cut !== null) {
        if (!spoke) this.#sayWhole(cut === "length" ? NO_WORDS : FILTERED, cut);
        return { next: "listen" };
      }
      if (round >= MAX_TOOL_ROUNDS || calls.length === 0) {
        if (round >= MAX_TOOL_ROUNDS && !this.#hasSpoken) this.#sayWhole(NO_WORDS);
        else if (!spoke) return { next: "silent" };
        return { next: "listen" };
      }
      for (const call of calls.slice(0, MAX_CALLS_A_ROUND)) {
        const { ends } = await this.#deps.use(call);
        if (ends !== undefined) return { next: "end", reason: ends };
        if (this.interrupted) return { next: "interrupted" };
      }
    }
  }

  /**
   * What the model wants, once it has said what it has to say. It is asked once more where it failed before its first
   * word, and once to go on where its words broke off or were cut.
   */
  async #hear(tools: ModelTool[], mayBeEmpty: boolean): Promise<Heard | "failed"> {
    const messages = this.#deps.history();
    let mayRetry = true;
    let mayGoOn = true;
    for (;;) {
      const heard = await this.#try(messages, tools, mayBeEmpty);
      if (this.interrupted) return NOTHING;
      const failed = "error" in heard;
      if (!failed && (heard.cut !== "length" || !mayGoOn || this.#isFull)) return heard;
      const goesOn = !failed || this.#speech !== null;
      if (failed && !(goesOn ? mayGoOn : mayRetry)) {
        this.#deps.report(heard.error);
        return "failed";
      }
      if (goesOn) mayGoOn = false;
      else mayRetry = false;
      if (failed) await this.#waitAfter(heard.error);
      if (this.interrupted) return NOTHING;
    }
  }

  async #try(messages: ModelMessage[], tools: ModelTool[], mayBeEmpty: boolean): Promise<Heard | { error: unknown }> {
    try {
      return await this.#listen(messages, tools, mayBeEmpty);
    } catch (error) {
      if (!this.interrupted && !(error instanceof ModelFailed)) this.#deps.report(error);
      return { error };
    }
  }

  /** Gives the model's server time before it is asked again; whoever listens is told where that is long. */
  async #waitAfter(error: unknown): Promise<void> {
    const { ms, isTold } = waitAfter(error);
    const { filler } = this.#deps;
    // In the middle of a sentence it would only confuse.
    if (isTold && filler !== null && this.#speech === null) this.#sayFiller(filler);
    await this.#deps.pause(ms);
  }

  /** @throws ModelFailed; whatever aborts the answer */
  async #listen(asked: ModelMessage[], tools: ModelTool[], mayBeEmpty: boolean): Promise<Heard> {
    const { system } = this.#deps;
    const { signal } = this.#abort;
    const model = await this.#deps.model();
    const said = this.#speech?.text ?? null;
    const messages = said === null ? asked : toGoOn(asked, said);
    const heard: Heard = { calls: [], cut: null };
    let joins = said !== null;
    for await (const part of model.answer({ system, messages, tools, signal })) {
      if (this.interrupted) break;
      if (part.type === "text") joins = !this.#take(part.text, joins) && joins;
      else this.#note(part, heard);
      if (this.#isFull) {
        heard.cut = "length";
        break;
      }
    }
    if (heard.cut !== null) {
      // The last of them may be cut too, in the middle of its arguments.
      heard.calls = [];
    } else if (this.#speech === null && heard.calls.length === 0 && !mayBeEmpty) {
      throw new ModelFailed(`${model.name}: the answer was empty`);
    }
    return heard;
  }

  #note(part: Exclude<ModelPart, { type: "text" }>, heard: Heard): void {
    if (part.type === "tool_call") heard.calls.push(part.call);
    else if (part.type === "cut") heard.cut = part.by;
    else this.#deps.usage(part.input_tokens, part.output_tokens);
  }

  /** Says words of the model; blanks that nothing was said before are none. Gives whether anything was said. */
  #take(words: string, joins: boolean): boolean {
    if (words === "" || (this.#speech === null && words.trim() === "")) return false;
    this.#say(joins ? joint(this.#speech?.text ?? "", words) + words : words);
    return true;
  }

  get #isFull(): boolean {
    return (this.#speech?.text.length ?? 0) >= MAX_ANSWER_CHARS;
  }

  #say(words: string): void {
    const now = this.#deps.now();
    const isFirst = !this.#hasSpoken;
    this.#hasSpoken = true;
    this.#utter(words, now);
    if (isFirst && this.#heardAt !== null) this.#deps.latency(now - this.#heardAt);
  }

  /** Says what is no answer: nobody's latency is measured by it, and the answer is still to come. */
  #sayFiller(words: string): void {
    this.#utter(words, this.#deps.now());
    this.#finish({});
  }

  #utter(words: string, now: number): void {
    const first = this.#speech === null;
    const speech = this.#speech ?? { text: "", at: now, written: 0 };
    const text = words.slice(0, MAX_ANSWER_CHARS - speech.text.length);
    this.#speech = speech;
    speech.text += text;
    this.#deps.say({ text, last: false, whole: speech.text });
    if (first || now - speech.written >= WRITE_EVERY_MS) {
      speech.written = now;
      this.#deps.speaking(speech.text, speech.at);
    }
  }

  /** Ends the turn that is being spoken; gives whether there was one. */
  #finish({ interrupted = false, heard, cut }: { interrupted?: boolean; heard?: string; cut?: Cut | null }): boolean {
    const speech = this.#speech;
    if (!speech) return false;
    this.#speech = null;
    const turn: SpokenTurn = { text: speech.text, interrupted };
    if (heard !== undefined) turn.heard = heard;
    if (cut) turn.finish = cut;
    this.#deps.spoken(turn, speech.at);
    // Only now: what was heard whole is on record whole, whatever happens next.
    if (!interrupted) this.#deps.say({ text: "", last: true, whole: speech.text });
    return true;
  }

  #fail(): Ending {
    this.#finish({});
    this.#sayWhole(APOLOGY);
    return { next: "failed" };
  }

  #sayWhole(text: string, cut: Cut | null = null): void {
    this.#say(text);
    this.#finish({ cut });
  }
}
