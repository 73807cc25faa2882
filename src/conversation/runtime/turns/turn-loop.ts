import type { Sentences } from "../../../agent/speech/sentences.ts";
import type { ModelMessage, ModelTool, ToolCall } from "../models/model.ts";
import type { ToolOutcome } from "./built-in-tools.ts";
import { Filler, type FillerDependencies } from "./filler.ts";
import { withArrival } from "./going-on.ts";
import { type ModelAnswer, ModelRequests, NotCovered, type RequestDependencies } from "./model-requests.ts";
import { planToolCalls } from "./plan-tool-calls.ts";
import { type SpeechDependencies, TurnSpeech } from "./turn-speech.ts";

/** Maximum tool rounds per answer; after that the model must answer in words. */
export const MAX_TOOL_ROUNDS = 8;

export const NOT_RUN = {
  interrupted: "Not run because the caller interrupted.",
  cut: "Not run because the answer was cut off.",
  rounds: "Not run because too many tools ran in a row.",
  excess: "Not run because the answer had too many tool calls.",
  transferred: "Not run because the caller was transferred.",
  ended: "Not run because the conversation ended.",
  not_transferred: "Not run because the transfer failed.",
} as const;

export const BUDGET = "budget";

export interface TurnDependencies extends SpeechDependencies, RequestDependencies, FillerDependencies {
  tools: ModelTool[];
  /** The fixed sentences in the current language, which a tool may change within an answer. */
  sentences(): Sentences;
  /** The transcript so far. */
  history(): ModelMessage[];
  /** Transfers the caller if no model can answer; null if the agent names no target for that. @throws if it cannot */
  transferOnFailure: (() => Promise<void>) | null;
  /** Checks whether the tool has no side effects. */
  isRead(name: string): boolean;
  /**
   * Runs a tool and records the call and its result. The call is recorded before it waits for `ready`. If `ready`
   * returns a reason, the tool does not run and the reason is its result.
   */
  use(call: ToolCall, ready?: () => Promise<string | null>): Promise<ToolOutcome>;
  /** Resolves when everything said was heard, or the signal is aborted. */
  heard(signal: AbortSignal): Promise<void>;
  /** Records a call that does not run, with the reason as its result. */
  skip(call: ToolCall, reason: string): void;
  /** Resolves when a tool started by an earlier answer has finished, at once if none is running. */
  nextResult(): Promise<void>;
}

/**
 * How an answer ended: with the other side's turn (`silent` if a tool came last), an interruption, the conversation's
 * end, the model's failure, or unreachable budgets.
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
   * Aborts the model on an interruption. `heard` is the heard part of the current turn, null if unknown. Returns
   * whether the agent was speaking.
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
      // The next request is reserved while the tools run.
      this.#deps.budget.renew();
      this.#filler.begin();
      const ends = await this.#carryOut(calls);
      if (ends !== null) return { next: "end", reason: ends };
      if (this.interrupted) return { next: "interrupted" };
    }
  }

  /**
   * Carries out the calls of one answer and records a result for each. If `refusal` is given, it runs only those calls
   * that nothing may prevent. Returns why the conversation ends; null if it continues.
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

  /** Waits until everything said was heard; returns why a call may not run then, null if it may. */
  async #afterLastWords(): Promise<string | null> {
    await this.#deps.heard(this.#abort.signal);
    return this.interrupted ? NOT_RUN.interrupted : null;
  }

  /** Requests an answer. `arrived` names the tools whose late results the model should speak about. */
  #requestAnswer(round: number, arrived: string[]): Promise<ModelAnswer | NotCovered | "failed"> {
    const history = this.#deps.history();
    this.#running = history.flatMap((one) => (one.role === "tool" && one.isRunning ? [one.tool_call_id] : []));
    const messages = arrived.length === 0 ? history : withArrival(history, arrived);
    return this.#requests.request(messages, round < MAX_TOOL_ROUNDS ? this.#deps.tools : []);
  }

  /**
   * Waits for a result that the last request listed as pending; returns the names of the tools whose results have
   * arrived.
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

  /** Transfers the caller if the agent names a target for failures; otherwise the agent apologizes. */
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

  /** Tells the caller that no request could be reserved. If a budget is reached, this ends the conversation. */
  #leave({ isRefused }: NotCovered): Ending {
    this.#speech.finish();
    this.#speech.sayWhole(this.#deps.sentences().budget);
    return isRefused ? { next: "end", reason: BUDGET } : { next: "uncovered" };
  }
}
