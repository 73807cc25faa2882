import type { Sentences } from "../../../agent/speech/sentences.ts";
import type { ModelMessage, ModelTool, ToolCall } from "../models/model.ts";
import type { ToolOutcome } from "./built-in-tools.ts";
import { Filler, type FillerDependencies } from "./filler.ts";
import { withArrival } from "./going-on.ts";
import { type ModelAnswer, ModelRequests, NotCovered, type RequestDependencies } from "./model-requests.ts";
import { planToolCalls } from "./plan-tool-calls.ts";
import { type SpeechDependencies, TurnSpeech } from "./turn-speech.ts";

/** Tool rounds per answer; after that the model has to answer in words. */
export const MAX_TOOL_ROUNDS = 8;

/** Why a tool call of the model did not run, for its result. */
export const NOT_RUN = {
  interrupted: "Not run because the caller interrupted.",
  cut: "Not run because the answer was cut off.",
  rounds: "Not run because too many tools ran in a row.",
  excess: "Not run because the answer had too many tool calls.",
  transferred: "Not run because the caller was transferred.",
  ended: "Not run because the conversation ended.",
  not_transferred: "Not run because the transfer failed.",
} as const;

/** Why a conversation is over whose budget is reached. */
export const BUDGET = "budget";

export interface TurnDependencies extends SpeechDependencies, RequestDependencies, FillerDependencies {
  tools: ModelTool[];
  /** The fixed sentences in the language that the conversation is in now: a tool may change it within an answer. */
  sentences(): Sentences;
  /** The transcript so far. */
  history(): ModelMessage[];
  /** Transfers the caller where no model can answer; null if the agent names nobody for that. @throws if it cannot be */
  transferOnFailure: (() => Promise<void>) | null;
  /** Whether the tool of this name changes nothing. */
  isRead(name: string): boolean;
  /**
   * Runs a tool and records the call and its result. The call is on record while it waits for `ready`, whose reason, if it
   * gives one, is the result in place of a run.
   */
  use(call: ToolCall, ready?: () => Promise<string | null>): Promise<ToolOutcome>;
  /** Resolves when all that was said has been heard, or the signal is aborted. */
  heard(signal: AbortSignal): Promise<void>;
  /** Records a call that does not run, with the reason as its result. */
  skip(call: ToolCall, reason: string): void;
  /** Resolves when one of the tools is done that an earlier answer set going, at once where none runs any more. */
  nextResult(): Promise<void>;
}

/**
 * How an answer ended: the other side's turn (`silent` where a tool was the last of it), an interruption, the
 * conversation's end, the model's failure, or that the budgets did not answer.
 */
export type Ending =
  | { next: "listen" | "silent" | "interrupted" | "failed" | "uncovered" }
  | { next: "end"; reason: string };

/** One answer of the agent: streams the model's words, runs tools in between, and can be interrupted. */
export class AgentTurn {
  readonly #deps: TurnDependencies;
  readonly #abort = new AbortController();
  readonly #speech: TurnSpeech;
  readonly #filler: Filler;
  readonly #requests: ModelRequests;
  /** The calls that the last request listed as still running. */
  #running: string[] = [];

  /** @param userTurnEndedAt ms; null if the agent speaks unprompted */
  constructor(deps: TurnDependencies, userTurnEndedAt: number | null) {
    this.#deps = deps;
    this.#speech = new TurnSpeech(deps, userTurnEndedAt);
    const { signal } = this.#abort;
    this.#filler = new Filler(deps, this.#speech);
    this.#requests = new ModelRequests(deps, { speech: this.#speech, filler: this.#filler, signal });
  }

  /** Whether any words were sent. */
  get hasSpoken(): boolean {
    return this.#speech.hasSpoken;
  }

  /** Whether a turn is being sent. */
  get isSpeaking(): boolean {
    return this.#speech.text !== null;
  }

  get interrupted(): boolean {
    return this.#abort.signal.aborted;
  }

  /**
   * Barge-in: aborts the model. `heard` is what was heard of the turn being sent, null if unknown. Returns whether the
   * agent was speaking.
   */
  interrupt(heard: string | null = null): boolean {
    if (this.interrupted) return false;
    this.#abort.abort();
    this.#filler.stop();
    this.#requests.settle();
    return this.#speech.interrupt(heard);
  }

  async run(): Promise<Ending> {
    this.#filler.begin();
    try {
      return await this.#run();
    } finally {
      this.#filler.stop();
    }
  }

  async #run(): Promise<Ending> {
    const { sentences } = this.#deps;
    let arrived: string[] = [];
    for (let round = 0; ; round++) {
      const answer = await this.#requestAnswer(round, arrived);
      if (answer === "failed") return this.#fail();
      if (answer instanceof NotCovered) return this.#leave(answer);
      const { calls, dropped, cut } = answer;
      const spoke = this.#speech.finish(cut);
      await this.#carryOut(dropped, this.interrupted ? NOT_RUN.interrupted : NOT_RUN.cut);
      if (this.interrupted) return { next: "interrupted" };
      if (cut !== null) {
        if (!spoke) this.#speech.sayWhole(cut === "length" ? sentences().no_answer : sentences().filtered, cut);
        return { next: "listen" };
      }
      if (round >= MAX_TOOL_ROUNDS || calls.length === 0) {
        await this.#carryOut(calls, NOT_RUN.rounds);
        arrived = round < MAX_TOOL_ROUNDS ? await this.#lateResults() : [];
        if (this.interrupted) return { next: "interrupted" };
        if (arrived.length > 0) continue;
        if (round >= MAX_TOOL_ROUNDS && !this.hasSpoken) this.#speech.sayWhole(sentences().no_answer);
        else if (!spoke) return { next: "silent" };
        return { next: "listen" };
      }
      arrived = [];
      // The next request is covered while the tools run.
      this.#deps.budget.renew();
      this.#filler.begin();
      const ends = await this.#carryOut(calls);
      if (ends !== null) return { next: "end", reason: ends };
      if (this.interrupted) return { next: "interrupted" };
    }
  }

  /**
   * Carries out the calls of one answer: every call gets a result on record. With `refusal`, only those run that
   * nothing may prevent. Returns why the conversation ends, null if it goes on.
   */
  async #carryOut(calls: readonly ToolCall[], refusal: string | null = null): Promise<string | null> {
    const { use, skip, isRead } = this.#deps;
    const plan = planToolCalls(calls, isRead);
    let ends: string | null = null;
    for (const call of plan.first) ends = (await use(call)).ends ?? ends;
    const whyNot = () => refusal ?? (ends !== null ? NOT_RUN.ended : this.interrupted ? NOT_RUN.interrupted : null);
    for (const step of plan.steps) {
      const why = whyNot();
      if (why !== null) for (const call of step) skip(call, why);
      else for (const outcome of await Promise.all(step.map((call) => use(call)))) ends = outcome.ends ?? ends;
    }
    for (const call of plan.excess) skip(call, NOT_RUN.excess);
    if (plan.last.length > 0) this.#filler.stop();
    let afterTransfer: string | null = null;
    for (const call of plan.last) {
      const why = afterTransfer ?? whyNot();
      if (why !== null) {
        skip(call, why);
        continue;
      }
      ends = (await use(call, () => this.#afterLastWords())).ends ?? null;
      if (call.name === "transfer_call") afterTransfer = ends === null ? NOT_RUN.not_transferred : NOT_RUN.transferred;
    }
    return ends;
  }

  /** Waits until all that was said has been heard; returns why a call may not run then, null if it may. */
  async #afterLastWords(): Promise<string | null> {
    await this.#deps.heard(this.#abort.signal);
    return this.interrupted ? NOT_RUN.interrupted : null;
  }

  /** `arrived` names the tools whose late results the model is asked to speak about. */
  #requestAnswer(round: number, arrived: string[]): Promise<ModelAnswer | NotCovered | "failed"> {
    const history = this.#deps.history();
    this.#running = history.flatMap((one) => (one.role === "tool" && one.isRunning ? [one.tool_call_id] : []));
    const messages = arrived.length === 0 ? history : withArrival(history, arrived);
    return this.#requests.request(messages, round < MAX_TOOL_ROUNDS ? this.#deps.tools : []);
  }

  /**
   * Waits for a result that the last request listed as pending; gives the names of the tools whose result has arrived.
   */
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

  /** No model answers: the caller is transferred where the agent says to whom, otherwise the agent apologizes. */
  async #fail(): Promise<Ending> {
    const { sentences, transferOnFailure, report } = this.#deps;
    this.#filler.stop();
    this.#speech.finish();
    if (transferOnFailure !== null) {
      this.#speech.sayWhole(sentences().unavailable);
      if ((await this.#afterLastWords()) !== null) return { next: "interrupted" };
      try {
        await transferOnFailure();
        return { next: "end", reason: "transferred" };
      } catch (error) {
        report(error);
      }
    }
    this.#speech.sayWhole(sentences().apology);
    return { next: "failed" };
  }

  /** Without a reservation no request is sent: the agent says so, and where a budget is reached that is the end. */
  #leave({ isRefused }: NotCovered): Ending {
    this.#speech.finish();
    this.#speech.sayWhole(this.#deps.sentences().budget);
    return isRefused ? { next: "end", reason: BUDGET } : { next: "uncovered" };
  }
}
