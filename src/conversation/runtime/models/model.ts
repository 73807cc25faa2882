export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

/** A tool that a model wants used. */
export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them; null if that is not a JSON object. */
  arguments: Record<string, unknown> | null;
}

/** What was said so far. */
export type ModelMessage =
  | { role: "user"; text: string /** What the model is told beside their words: the time. */; note?: string }
  | { role: "agent"; text: string; tool_calls: ToolCall[] }
  | {
      role: "tool";
      tool_call_id: string;
      name: string;
      text: string;
      /** Whether the tool still runs: the text says so in place of its result. */
      isRunning?: true;
    };

export interface ModelRequest {
  system: string;
  /**
   * What is known about the other party, as data: it precedes what was said, and never goes into `system`. "" for
   * nothing.
   */
  facts: string;
  messages: ModelMessage[];
  /** Empty if the model has to answer in words. */
  tools: ModelTool[];
  /** Most tokens of the answer. */
  max_output_tokens: number;
  signal: AbortSignal;
  /** Called with the input tokens by a model that reports them before its answer. */
  onInput?(tokens: number): void;
  /** Called while the model works on what is not spoken: its reasoning, the arguments of a tool. */
  onWork?(): void;
  /** Called as soon as the model begins to call a tool: the call itself follows once its arguments are complete. */
  onCall?(): void;
}

/** Why a model's answer ends before it is whole: at its greatest length, or by its maker's filter. */
export type Cut = "length" | "content_filter";

/** A piece of a model's answer, as it comes. */
export type ModelPart =
  | { type: "text"; text: string }
  | { type: "tool_call"; call: ToolCall }
  | { type: "cut"; by: Cut }
  | ({ type: "usage" } & ModelUsage);

/** The tokens of one answer; those that were cached are among those of the input. */
export interface ModelUsage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
}

/** How a request to a model went: its model, and how long its answer and the beginning of that took, ms. */
export interface RequestTimes {
  model: string;
  duration_ms: number;
  first_ms?: number;
  /** Set if the agent's second model was asked. */
  fallback?: true;
}

/** The model did not answer, stopped in the middle, or answered what cannot be read. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
  /** After how long its server accepts a retry, ms; null if it does not say. */
  readonly retryAfterMs: number | null;
  /** Whether its server did not take the request at all, so that nothing was used. */
  readonly wasRefused: boolean;
  /** Whether the same request would fail again: a key that is not valid, a model that does not exist. */
  readonly isPermanent: boolean;
  /** The tool whose description its server refused, where it names one: without that tool it may answer. */
  readonly refusedTool: string | null;
  /** Whether its server only asks for patience: too many requests, a conflict, a timeout of its own. */
  readonly isBusy: boolean;

  constructor(
    message: string,
    retryAfterMs: number | null = null,
    wasRefused = false,
    isPermanent = false,
    refusedTool: string | null = null,
    isBusy = false,
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.wasRefused = wasRefused;
    this.isPermanent = isPermanent;
    this.refusedTool = refusedTool;
    this.isBusy = isBusy;
  }
}

/** What answers in place of a model that fails before its first word. */
export interface Fallback {
  readonly model: Model;
  /** Until when the conversation asks it first, ms: a server that failed a moment ago is likely to fail again. */
  until: number;
}

/** What an agent thinks with. */
export interface Model {
  /** Which it is, for logs. */
  readonly name: string;
  readonly fallback?: Fallback;
  /** The answer as it comes; ends when it is whole, or was cut. It may be empty. @throws ModelFailed; whatever aborts the signal */
  answer(request: ModelRequest): AsyncIterable<ModelPart>;
}
