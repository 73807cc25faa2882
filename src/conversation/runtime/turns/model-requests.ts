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

/** Thrown if no budget covers a request: none is sent without a reservation. */
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
  /** Most tokens of one answer of the model. */
  max_output_tokens: number;
  usage(used: ModelUsage, times: RequestTimes): void;
  /** A request failed; it may be retried, without the tool that its model refused (null for none). */
  failed(times: RequestTimes, droppedTool: string | null): void;
  /** Covers every request before it is sent. */
  budget: TurnBudget;
  report(error: unknown): void;
  pause(ms: number): Promise<void>;
  /** ms */
  now(): number;
}

/** A model's answer apart from its words. */
export interface ModelAnswer {
  calls: ToolCall[];
  /** The calls of what was cut or interrupted: their arguments may be cut too. */
  dropped: ToolCall[];
  cut: Cut | null;
}

/** How long the second model is asked first after the first one failed, ms: nobody waits for that failure in every answer. */
const KEEP_TO_FALLBACK_MS = 60_000;

/** One request's answer, and what it failed with. */
type Attempt = Pick<ModelAnswer, "calls" | "cut"> & { error?: unknown };

/** The requests of one answer to its model: reserved, timed, charged, and retried. Their words go to `speech`. */
export class ModelRequests {
  readonly #deps: RequestDependencies;
  readonly #speech: TurnSpeech;
  readonly #filler: Pick<Filler, "say" | "end">;
  readonly #signal: AbortSignal;
  /** The request under way. */
  #charge: Charge | null = null;
  /** The second model, if the answer under way comes from it; undefined until its first request. */
  #fallback: Fallback | null | undefined;
  /** What may answer in place of the model that is asked. */
  #next: Fallback | null = null;
  /** Whether words or a tool call have come of the answer under way, in any of its requests. */
  #hasBegun = false;
  /** Tools that the model refused in this answer. */
  readonly #droppedTools = new Set<string>();

  /** @param signal aborts the request under way, after which nothing more is spoken */
  constructor(
    deps: RequestDependencies,
    { speech, filler, signal }: { speech: TurnSpeech; filler: Pick<Filler, "say" | "end">; signal: AbortSignal },
  ) {
    this.#deps = deps;
    this.#speech = speech;
    this.#filler = filler;
    this.#signal = signal;
  }

  /** Charges the request in progress for what has arrived; for an interruption. */
  settle(): void {
    this.#charge?.end();
  }

  /**
   * Requests an answer of the model. Retries if it failed, going on where its words broke off, until it is given up; asks
   * it once to continue words that were cut. A model that fails before its first word is replaced by the agent's second.
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

  /** Whether a request failed by a tool that is left out from now on: as it was it would fail again. */
  #drop(error: unknown): boolean {
    if (!(error instanceof ModelFailed) || error.refusedTool === null) return false;
    // A request that has it all the same is not helped by leaving it out.
    if (this.#droppedTools.has(error.refusedTool)) return false;
    this.#droppedTools.add(error.refusedTool);
    this.#deps.report(error);
    return true;
  }

  /** After its failure the next answer begins with the first model again. */
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

  /** The model that is asked: one answer comes from one model, except where the first fails before it begins. */
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

  /** Fills in the answer as it comes. @throws ModelFailed; NotCovered; whatever aborts the answer */
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
