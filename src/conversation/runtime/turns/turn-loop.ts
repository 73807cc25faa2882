import type { Charge } from "../budget/charge.ts";
import type { TurnBudget } from "../budget/request-budget.ts";
import { bytesOf, sizeOf } from "../budget/request-size.ts";
import {
  type Cut,
  type Model,
  ModelFailed,
  type ModelMessage,
  type ModelPart,
  type ModelTool,
  type ModelUsage,
  type RequestTimes,
  type ToolCall,
} from "../models/model.ts";
import type { ToolOutcome } from "./built-in-tools.ts";
import { joint, toGoOn, waitAfter, withArrival } from "./going-on.ts";
import type { HeardOf } from "./heard.ts";

/** Tool rounds per answer; after that the model has to answer in words. */
export const MAX_TOOL_ROUNDS = 8;
/** Tool calls per round. */
const MAX_CALLS_A_ROUND = 16;
/** Longest turn of the agent; a model that does not stop is aborted there. */
const MAX_ANSWER_CHARS = 8_000;
/** How often an unfinished turn is saved, so that a crash loses little of it. */
const WRITE_EVERY_MS = 250;

export const APOLOGY = "I am sorry, something went wrong on our side. Please try again later.";
export const NO_WORDS = "I am sorry, I could not find that out.";
export const FILTERED = "I am sorry, I cannot talk about that.";
export const OUT_OF_BUDGET = "I am sorry, I cannot go on with this conversation right now. Please try again later.";

/** Why a conversation is over whose budget is reached. */
export const BUDGET = "budget";

/** No request is made that nobody has reserved. */
class NotCovered extends Error {
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    super(isRefused ? "a budget is reached" : "the budgets did not answer in time");
    this.isRefused = isRefused;
  }
}

/** Dependencies of the turn loop. */
export interface TurnDependencies {
  model(): Promise<Model>;
  system: string;
  facts: string;
  tools: ModelTool[];
  /** Most tokens of one answer of the model. */
  max_output_tokens: number;
  /** Spoken before a long wait; null in chats, where silence alarms nobody. */
  filler: string | null;
  /** The transcript so far. */
  history(): ModelMessage[];
  /** Sends words to the client; `last` ends the turn, whose full text is `whole`. */
  say(words: { text: string; last: boolean; whole: string }): void;
  /** Saves the text so far of the turn that began at `at`, ms. */
  speaking(text: string, at: number): void;
  /** Records a finished turn before anything else is sent: otherwise a crash loses words the caller heard. */
  spoken(turn: SpokenTurn, at: number): void;
  latency(ms: number): void;
  usage(used: ModelUsage, times: RequestTimes): void;
  /** A request failed, which may be made once more. */
  failed(times: RequestTimes): void;
  /** By which every request is covered before it is made. */
  budget: TurnBudget;
  /** Runs a tool and records the call and its result. */
  use(call: ToolCall): Promise<ToolOutcome>;
  /** Resolves when one of the tools is done that an earlier answer set going, at once where none runs any more. */
  nextResult(): Promise<void>;
  report(error: unknown): void;
  pause(ms: number): Promise<void>;
  /** ms */
  now(): number;
}

/** A finished turn of the agent. */
export interface SpokenTurn {
  text: string;
  interrupted: boolean;
  /** The words of an interrupted turn that the caller heard, if known. */
  heard?: string;
  /** Why the model's answer was cut short. */
  finish?: Cut;
}

/**
 * How an answer ended: the other side's turn (`silent` where a tool was the last of it), an interruption, the
 * conversation's end, the model's failure, or that the budgets did not answer.
 */
export type Ending =
  | { next: "listen" | "silent" | "interrupted" | "failed" | "uncovered" }
  | { next: "end"; reason: string };

/** A model's answer apart from its words. */
interface ModelAnswer {
  calls: ToolCall[];
  cut: Cut | null;
}
const NOTHING: ModelAnswer = { calls: [], cut: null };

/** The turn being spoken. */
interface Speech {
  text: string;
  at: number;
  written: number;
}

/** One answer of the agent: streams the model's words, runs tools in between, and can be interrupted. */
export class AgentTurn {
  readonly #deps: TurnDependencies;
  readonly #abort = new AbortController();
  /** When the user's turn ended, ms; null if the agent speaks unprompted. */
  readonly #userTurnEndedAt: number | null;
  #speech: Speech | null = null;
  #hasSpoken = false;
  /** The calls that the model was told are still running when it was asked last. */
  #running: string[] = [];
  /** The request under way. */
  #charge: Charge | null = null;

  constructor(deps: TurnDependencies, userTurnEndedAt: number | null) {
    this.#deps = deps;
    this.#userTurnEndedAt = userTurnEndedAt;
  }

  /** Whether any words were sent. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  get interrupted(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Barge-in: aborts the model. `heardOf` tells what the user heard. Returns whether the agent was speaking. */
  interrupt(heardOf: HeardOf = () => null): boolean {
    if (this.interrupted) return false;
    this.#abort.abort();
    this.#charge?.end();
    const speech = this.#speech;
    if (speech === null) return false;
    this.#finish({ interrupted: true, heard: heardOf(speech.text, speech.at) });
    return true;
  }

  async run(): Promise<Ending> {
    let arrived: string[] = [];
    for (let round = 0; ; round++) {
      const answer = await this.#requestModel(round < MAX_TOOL_ROUNDS ? this.#deps.tools : [], {
        mayBeEmpty: round > 0,
        arrived,
      });
      if (answer === "failed") return this.#fail();
      if (answer instanceof NotCovered) return this.#leave(answer);
      if (this.interrupted) return { next: "interrupted" };
      const { calls, cut } = answer;
      const spoke = this.#finish({ cut });
      if (cut !== null) {
        if (!spoke) this.#sayWhole(cut === "length" ? NO_WORDS : FILTERED, cut);
        return { next: "listen" };
      }
      if (round >= MAX_TOOL_ROUNDS || calls.length === 0) {
        arrived = round < MAX_TOOL_ROUNDS ? await this.#lateResults() : [];
        if (this.interrupted) return { next: "interrupted" };
        if (arrived.length > 0) continue;
        if (round >= MAX_TOOL_ROUNDS && !this.#hasSpoken) this.#sayWhole(NO_WORDS);
        else if (!spoke) return { next: "silent" };
        return { next: "listen" };
      }
      arrived = [];
      // The next request is covered while the tools run.
      this.#deps.budget.renew();
      for (const call of calls.slice(0, MAX_CALLS_A_ROUND)) {
        const { ends } = await this.#deps.use(call);
        if (ends !== undefined) return { next: "end", reason: ends };
        if (this.interrupted) return { next: "interrupted" };
      }
    }
  }

  /** Waits for a result that the model was told is still to come; gives the names of the tools whose result is there. */
  async #lateResults(): Promise<string[]> {
    if (this.#running.length === 0) return [];
    const { signal } = this.#abort;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([this.#deps.nextResult(), aborted]);
    const results = this.#deps.history().filter((message) => message.role === "tool");
    return results
      .filter(({ tool_call_id, isRunning }) => this.#running.includes(tool_call_id) && !isRunning)
      .map(({ name }) => name);
  }

  /**
   * Requests an answer of the model. Retries once if it failed before its first word, and asks it once to continue if its
   * words broke off or were cut. `arrived` names the tools whose late results it is asked to speak about.
   */
  async #requestModel(
    tools: ModelTool[],
    { mayBeEmpty, arrived }: { mayBeEmpty: boolean; arrived: string[] },
  ): Promise<ModelAnswer | NotCovered | "failed"> {
    const history = this.#deps.history();
    this.#running = history.flatMap((one) => (one.role === "tool" && one.isRunning ? [one.tool_call_id] : []));
    const messages = arrived.length === 0 ? history : withArrival(history, arrived);
    let mayRetry = true;
    let mayGoOn = true;
    for (;;) {
      const answer = await this.#tryModel(messages, tools, mayBeEmpty);
      if (this.interrupted) return NOTHING;
      const failed = "error" in answer;
      if (failed && answer.error instanceof NotCovered) return answer.error;
      if (!failed && (answer.cut !== "length" || !mayGoOn || this.#isFull)) return answer;
      const goesOn = !failed || this.#speech !== null;
      if (failed && !(goesOn ? mayGoOn : mayRetry)) {
        this.#deps.report(answer.error);
        return "failed";
      }
      if (goesOn) mayGoOn = false;
      else mayRetry = false;
      if (failed) await this.#waitAfter(answer.error);
      if (this.interrupted) return NOTHING;
    }
  }

  async #tryModel(
    messages: ModelMessage[],
    tools: ModelTool[],
    mayBeEmpty: boolean,
  ): Promise<ModelAnswer | { error: unknown }> {
    try {
      return await this.#readAnswer(messages, tools, mayBeEmpty);
    } catch (error) {
      const isKnown = error instanceof ModelFailed || error instanceof NotCovered;
      if (!this.interrupted && !isKnown) this.#deps.report(error);
      return { error };
    }
  }

  /** Waits before a retry, and says so if the wait is long. */
  async #waitAfter(error: unknown): Promise<void> {
    const { ms, isAnnounced } = waitAfter(error);
    if (isAnnounced) this.#fillIn();
    await this.#deps.pause(ms);
  }

  /** Says a word where the wait is long; in the middle of a sentence it would confuse the caller. */
  #fillIn(): void {
    const { filler } = this.#deps;
    if (filler !== null && this.#speech === null && !this.interrupted) this.#sayFiller(filler);
  }

  /** @throws ModelFailed; NotCovered; whatever aborts the answer */
  async #readAnswer(history: ModelMessage[], tools: ModelTool[], mayBeEmpty: boolean): Promise<ModelAnswer> {
    const { system, facts, max_output_tokens, budget } = this.#deps;
    const { signal } = this.#abort;
    const model = await this.#deps.model();
    const said = this.#speech?.text ?? null;
    const messages = said === null ? history : toGoOn(history, said);
    const answer: ModelAnswer = { calls: [], cut: null };
    let joins = said !== null;
    const request = { system, facts, messages, tools, max_output_tokens };
    const charge = await budget.reserve(sizeOf(request), () => this.#fillIn());
    if (typeof charge === "string") throw new NotCovered(charge === "refused");
    if (this.interrupted) {
      charge.refused();
      charge.end();
      return answer;
    }
    this.#charge = charge;
    const times = this.#timesOf(model.name);
    try {
      for await (const part of model.answer(Object.assign(request, { signal, onInput: charge.read }))) {
        if (this.interrupted) break;
        times.came(part);
        if (part.type === "text") {
          charge.streamed(bytesOf(part.text));
          joins = !this.#take(part.text, joins) && joins;
        } else this.#note(part, answer, { charge, times: times.now() });
        if (this.#isFull) {
          answer.cut = "length";
          break;
        }
      }
      if (!this.interrupted && !this.#isFull) charge.complete();
    } catch (error) {
      if (error instanceof ModelFailed && error.wasRefused) charge.refused();
      if (!this.interrupted) this.#deps.failed(times.now());
      throw error;
    } finally {
      charge.end();
    }
    if (answer.cut !== null) {
      // The arguments of the last call may be cut too, so none is run.
      answer.calls = [];
    } else if (this.#speech === null && answer.calls.length === 0 && !mayBeEmpty) {
      throw new ModelFailed(`${model.name}: the answer was empty`);
    }
    return answer;
  }

  /** Takes the times of a request that begins now. */
  #timesOf(model: string): { came(part: ModelPart): void; now(): RequestTimes } {
    const { now } = this.#deps;
    const began = now();
    let first: number | null = null;
    return {
      came: ({ type }) => {
        if (type === "text" || type === "tool_call") first ??= now() - began;
      },
      now: () => {
        const times: RequestTimes = { model, duration_ms: now() - began };
        if (first !== null) times.first_ms = first;
        return times;
      },
    };
  }

  #note(
    part: Exclude<ModelPart, { type: "text" }>,
    answer: ModelAnswer,
    { charge, times }: { charge: Charge; times: RequestTimes },
  ): void {
    if (part.type === "tool_call") answer.calls.push(part.call);
    else if (part.type === "cut") answer.cut = part.by;
    else {
      charge.reported(part.input_tokens, part.output_tokens);
      this.#deps.usage(part, times);
    }
  }

  /** Sends words of the model, ignoring leading blanks. Returns whether anything was sent. */
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
    if (isFirst && this.#userTurnEndedAt !== null) this.#deps.latency(now - this.#userTurnEndedAt);
  }

  /** Sends words that are not the answer and therefore do not count as its latency. */
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

  /** Ends the turn being spoken. Returns whether there was one. */
  #finish({
    interrupted = false,
    heard = null,
    cut,
  }: {
    interrupted?: boolean;
    heard?: string | null;
    cut?: Cut | null;
  }): boolean {
    const speech = this.#speech;
    if (!speech) return false;
    this.#speech = null;
    const turn: SpokenTurn = { text: speech.text, interrupted };
    if (heard !== null) turn.heard = heard;
    if (cut) turn.finish = cut;
    this.#deps.spoken(turn, speech.at);
    // After recording, so that a turn the caller heard in full is on record in full even after a crash.
    if (!interrupted) this.#deps.say({ text: "", last: true, whole: speech.text });
    return true;
  }

  #fail(): Ending {
    this.#finish({});
    this.#sayWhole(APOLOGY);
    return { next: "failed" };
  }

  /** Without a reservation nothing is asked: the agent says so, and where a budget is reached that is the end. */
  #leave({ isRefused }: NotCovered): Ending {
    this.#finish({});
    this.#sayWhole(OUT_OF_BUDGET);
    return isRefused ? { next: "end", reason: BUDGET } : { next: "uncovered" };
  }

  #sayWhole(text: string, cut: Cut | null = null): void {
    this.#say(text);
    this.#finish({ cut });
  }
}
