export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them; null if that is not a JSON object. */
  arguments: Record<string, unknown> | null;
}

export type ModelMessage =
  | { role: "user"; text: string /** What the model is told beside their words: the time. */; note?: string }
  | { role: "agent"; text: string; tool_calls: ToolCall[] }
  | {
      role: "tool";
      tool_call_id: string;
      name: string;
      text: string;
      /** Whether the tool is still running: the text says so instead of its result. */
      isRunning?: true;
    };

export interface ModelRequest {
  system: string;
  /** Facts about the other party as data, placed before the conversation and never in `system`; "" for none. */
  facts: string;
  messages: ModelMessage[];
  /** Empty if the model must answer in words. */
  tools: ModelTool[];
  /** Maximum tokens of the answer. */
  max_output_tokens: number;
  signal: AbortSignal;
  /** Called with the input tokens by models that report them before the answer. */
  onInput?(tokens: number): void;
  /** Called while the model produces what is not spoken: reasoning, or the arguments of a tool. */
  onWork?(): void;
  /** Called as soon as the model begins a tool call, which follows once its arguments are complete. */
  onCall?(): void;
}

/** Why an answer was cut: by its maximum length, or by the vendor's filter. */
export type Cut = "length" | "content_filter";

export type ModelPart =
  | { type: "text"; text: string }
  | { type: "tool_call"; call: ToolCall }
  | { type: "cut"; by: Cut }
  | ({ type: "usage" } & ModelUsage);

/** The tokens of one answer. Cached tokens are included in the input. */
export interface ModelUsage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
}

/** The timing of a model request: its model, and the time to the beginning and the end of its answer, ms. */
export interface RequestTimes {
  model: string;
  duration_ms: number;
  first_ms?: number;
  /** Set if the agent's second model answered. */
  fallback?: true;
}

/** The model did not answer, stopped in the middle, or sent an unreadable answer. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
  /** When its server accepts a retry, ms; null if it does not say. */
  readonly retryAfterMs: number | null;
  /** Whether its server refused the request, so that nothing was used. */
  readonly wasRefused: boolean;
  /** Whether the same request would fail again, such as for an invalid key or an unknown model. */
  readonly isPermanent: boolean;
  /** The tool whose description the server refused, if it names one. Without that tool it may answer. */
  readonly refusedTool: string | null;
  /** Whether its server only asks to wait: too many requests, a conflict, or its own timeout. */
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

/** The model that answers if the first one fails before its first word. */
export interface Fallback {
  readonly model: Model;
  /** Until when the conversation asks it first, ms, because a server that just failed is likely to fail again. */
  until: number;
}

export interface Model {
  readonly name: string;
  readonly fallback?: Fallback;
  /**
   * Streams the answer, which may be empty and ends when it is complete or was cut. @throws ModelFailed, or the
   * signal's reason
   */
  answer(request: ModelRequest): AsyncIterable<ModelPart>;
}
