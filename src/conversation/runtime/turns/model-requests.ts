import type { Charge } from "../budget/charge.ts";
import type { TurnBudget } from "../budget/request-budget.ts";
import { bytesOf, sizeOf } from "../budget/request-size.ts";
import {
  type Cut,
  type Fallback,
  type Model,
  ModelFailed,
  type ModelMessage,
  type ModelPart,
  type ModelTool,
  type ModelUsage,
  type RequestTimes,
  type ToolCall,
} from "../models/model.ts";
import type { Filler } from "./filler.ts";
import { afterFailure, toGoOn } from "./going-on.ts";
import type { TurnSpeech } from "./turn-speech.ts";

/** Thrown if no budget covers a request. No request is sent without a reservation. */
export class NotCovered extends Error {
  readonly isRefused: boolean;

  constructor(isRefused: boolean) {
    super(isRefused ? "a budget is reached" : "the budgets did not answer in time");
    this.isRefused = isRefused;
  }
}

export interface RequestDependencies {
  model(): Promise<Model>;
  system: string;
  facts: string;
  max_output_tokens: number;
  usage(used: ModelUsage, times: RequestTimes): void;
  /** Called when a request failed and may be retried, without the tool that its model refused (null for none). */
  failed(times: RequestTimes, droppedTool: string | null): void;
  /** Reserves budget for every request before it is sent. */
  budget: TurnBudget;
  report(error: unknown): void;
  pause(ms: number): Promise<void>;
  /** ms */
  now(): number;
}

/** A model's answer without its words. */
export interface ModelAnswer {
  calls: ToolCall[];
  /** Calls of a cut or interrupted answer, whose arguments may be incomplete. */
  dropped: ToolCall[];
  cut: Cut | null;
}

/** How long the second model is asked first after a failure, ms, so that not every answer waits for the failure. */
const KEEP_TO_FALLBACK_MS = 60_000;

/** The result of one request. */
type Attempt = Pick<ModelAnswer, "calls" | "cut"> & { error?: unknown };

/**
 * Sends the model requests of one answer. Each is reserved, timed, charged and, if it fails, retried. Their words go to
 * `speech`.
 */
export class ModelRequests {
  readonly #deps: RequestDependencies;
  readonly #speech: TurnSpeech;
  readonly #filler: Pick<Filler, "say" | "end">;
  readonly #signal: AbortSignal;
  #charge: Charge | null = null;
  /** The second model if it gives the current answer; undefined until the first request. */
  #fallback: Fallback | null | undefined;
  /** The model that answers if the current one fails. */
  #next: Fallback | null = null;
  /** Whether the current answer has produced words or a tool call in any of its requests. */
  #hasBegun = false;
  /** Tools that the model refused in this answer. */
  readonly #droppedTools = new Set<string>();

  /** @param signal aborts the current request, after which nothing more is spoken */
  constructor(
    deps: RequestDependencies,
    { speech, filler, signal }: { speech: TurnSpeech; filler: Pick<Filler, "say" | "end">; signal: AbortSignal },
  ) {
    this.#deps = deps;
    this.#speech = speech;
    this.#filler = filler;
    this.#signal = signal;
  }

  /** Charges the interrupted request for what has arrived. */
  settle(): void {
    this.#charge?.end();
  }

  /**
   * Requests an answer from the model. After a failure it retries and continues where the words broke off, until it
   * gives the model up. An answer that was cut is continued once. A model that fails before its first word is replaced
   * by the agent's second model.
   */
  async request(messages: ModelMessage[], tools: ModelTool[]): Promise<ModelAnswer | NotCovered | "failed"> {
    let mayGoOn = true;
    let failures = 0;
    let failedAt = 0;
    let waitedMs = 0;
    const dropped: ToolCall[] = [];
    this.#fallback = undefined;
    this.#next = null;
    this.#hasBegun = false;
    for (;;) {
      const accepted = tools.filter(({ name }) => !this.#droppedTools.has(name));
      const attempt = await this.#try(messages, accepted);
      const { calls, cut, error } = attempt;
      const failed = "error" in attempt;
      if (this.#signal.aborted || (!failed && cut !== null)) dropped.push(...calls.splice(0));
      if (this.#signal.aborted) return { calls, dropped, cut: null };
      if (error instanceof NotCovered) return error;
      if (this.#drop(error)) continue;
      if (!failed) {
        if (cut !== "length" || !mayGoOn || this.#speech.isFull) return { calls, dropped, cut };
        mayGoOn = false;
        continue;
      }
      if (failures++ === 0) failedAt = this.#deps.now();
      const sinceMs = Math.max(waitedMs, this.#deps.now() - failedAt);
      const hasFallback = this.#next !== null;
      const then = afterFailure({ error, count: failures, sinceMs, hasFallback, hasBegun: this.#hasBegun });
      if (then.next === "fallback") {
        this.#turnToFallback(error);
        [failures, waitedMs] = [0, 0];
        continue;
      }
      if (then.next === "none") {
        this.#giveUp(error);
        return "failed";
      }
      if (then.isAnnounced) this.#filler.say();
      waitedMs += then.ms;
      await this.#deps.pause(then.ms);
      if (this.#signal.aborted) return { calls: [], dropped, cut: null };
    }
  }

  /** Leaves out the tool that made a request fail, so that the next request can succeed. Returns whether it did. */
  #drop(error: unknown): boolean {
    if (!(error instanceof ModelFailed) || error.refusedTool === null) return false;
    // The request failed although the tool was already left out.
    if (this.#droppedTools.has(error.refusedTool)) return false;
    this.#droppedTools.add(error.refusedTool);
    this.#deps.report(error);
    return true;
  }

  /** Makes the next answer begin with the first model again. */
  #giveUp(error: unknown): void {
    if (this.#fallback) this.#fallback.until = 0;
    this.#deps.report(error);
  }

  #turnToFallback(error: unknown): void {
    this.#deps.report(error);
    this.#fallback = this.#next;
    if (this.#fallback) this.#fallback.until = this.#deps.now() + KEEP_TO_FALLBACK_MS;
    this.#next = null;
  }

  /** Chooses the model. One answer comes from one model, unless the first fails before it begins. */
  #choose(first: Model): Model {
    const { fallback = null } = first;
    if (this.#fallback === undefined) {
      this.#fallback = fallback !== null && this.#deps.now() < fallback.until ? fallback : null;
      this.#next = this.#fallback === null ? fallback : null;
    }
    return this.#fallback?.model ?? first;
  }

  async #try(messages: ModelMessage[], tools: ModelTool[]): Promise<Attempt> {
    const answer: Attempt = { calls: [], cut: null };
    try {
      await this.#readAnswer(answer, { messages, tools });
      return answer;
    } catch (error) {
      const isExpected = error instanceof ModelFailed || error instanceof NotCovered;
      if (!this.#signal.aborted && !isExpected) this.#deps.report(error);
      return Object.assign(answer, { error });
    }
  }

  /** Reads the answer as it arrives. @throws ModelFailed; NotCovered; the signal's reason */
  async #readAnswer(
    answer: Attempt,
    { messages: history, tools }: { messages: ModelMessage[]; tools: ModelTool[] },
  ): Promise<void> {
    const { system, facts, max_output_tokens, budget } = this.#deps;
    const [speech, signal] = [this.#speech, this.#signal];
    const model = this.#choose(await this.#deps.model());
    speech.beginAnswer();
    const spokenText = speech.text;
    const messages = spokenText === null ? history : toGoOn(history, spokenText);
    let joins = spokenText !== null;
    const request = { system, facts, messages, tools, max_output_tokens };
    const charge = await budget.reserve(sizeOf(request), () => this.#filler.say());
    if (typeof charge === "string") throw new NotCovered(charge === "refused");
    if (signal.aborted) {
      charge.refused();
      charge.end();
      return;
    }
    this.#charge = charge;
    const times = this.#timesOf(model.name);
    const onCall = () => {
      this.#hasBegun = true;
    };
    try {
      for await (const part of model.answer(Object.assign(request, { signal, onInput: charge.read, onCall }))) {
        if (signal.aborted) break;
        times.came(part);
        this.#hasBegun ||= part.type === "tool_call" || (part.type === "text" && part.text.trim() !== "");
        if (part.type === "text") {
          charge.streamed(bytesOf(part.text));
          const isSent = speech.take(part.text, joins);
          if (isSent) this.#filler.end();
          joins &&= !isSent;
        } else this.#note(part, answer, { charge, times: times.now() });
        if (speech.isFull) {
          answer.cut = "length";
          break;
        }
      }
      if (!signal.aborted && !speech.isFull) charge.complete();
    } catch (error) {
      if (error instanceof ModelFailed && error.wasRefused) charge.refused();
      const droppedTool = error instanceof ModelFailed ? error.refusedTool : null;
      if (!signal.aborted) this.#deps.failed(times.now(), droppedTool);
      throw error;
    } finally {
      charge.end();
    }
  }

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
        if (this.#fallback) times.fallback = true;
        if (first !== null) times.first_ms = first;
        return times;
      },
    };
  }

  #note(
    part: Exclude<ModelPart, { type: "text" }>,
    answer: Attempt,
    { charge, times }: { charge: Charge; times: RequestTimes },
  ): void {
    if (part.type === "tool_call") answer.calls.push(part.call);
    else if (part.type === "cut") answer.cut = part.by;
    else {
      charge.reported(part.input_tokens, part.output_tokens);
      this.#deps.usage(part, times);
    }
  }
}
