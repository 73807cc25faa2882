/** A tool as a model is told of it. */
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
  /** As the model wrote them; null where that is no JSON object. */
  arguments: Record<string, unknown> | null;
}

/** What was said so far. */
export type ModelMessage =
  | { role: "user"; text: string }
  | { role: "agent"; text: string; tool_calls: ToolCall[] }
  | { role: "tool"; tool_call_id: string; name: string; text: string };

export interface ModelRequest {
  system: string;
  messages: ModelMessage[];
  /** None where the model is to answer in words. */
  tools: ModelTool[];
  signal: AbortSignal;
}

/** A piece of a model's answer, as it comes. */
export type ModelPart =
  | { type: "text"; text: string }
  | { type: "tool_call"; call: ToolCall }
  | { type: "usage"; input_tokens: number; output_tokens: number };

/** The model did not answer, stopped in the middle, or answered what cannot be read. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
}

/** What an agent thinks with. */
export interface Model {
  /** Which it is, for logs. */
  readonly name: string;
  /** The answer as it comes; ends when it is whole. @throws ModelFailed; whatever aborts the signal */
  answer(request: ModelRequest): AsyncIterable<ModelPart>;
}
