/** What one of an agent's two models used of a conversation. */
export interface ModelShare {
  /** After its provider: `openai/gpt-4o`. */
  model: string;
  /** Whether it is the agent's second model. */
  fallback: boolean;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** Its requests that failed. */
  model_errors: number;
}

/** What a conversation used, summed over its turns. */
export interface ConversationUsage {
  input_tokens: number;
  /** Those of `input_tokens` that the model's provider had cached. */
  cached_tokens: number;
  output_tokens: number;
  audio_ms: number;
  /** Characters that were sent to be spoken: on a call all of them, elsewhere those that the agent's own voice spoke. */
  speech_chars: number;
  /** How long the call took, s; 0 while it is not over, and without a call. */
  carrier_s: number;
  /** Runs of tools whose request left. */
  tool_runs: number;
  /** Requests of the model that failed; left out where none was counted. */
  model_errors?: number;
  /** The same by model; left out where the second model was not asked. */
  models?: ModelShare[];
}
