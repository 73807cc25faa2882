/** The tokens of one of an agent's two models. */
export interface TokensOfModel {
  /** Whether it is the agent's fallback model. */
  fallback: boolean;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
}

/** The usage of one of an agent's two models in a conversation. */
export interface ModelShare extends TokensOfModel {
  /** The model with its provider: `openai/gpt-4o`. */
  model: string;
  /** The number of failed requests. */
  model_errors: number;
}

/** The usage of a conversation, summed over its turns. */
export interface ConversationUsage {
  input_tokens: number;
  /** The part of `input_tokens` that the model's provider had cached. */
  cached_tokens: number;
  output_tokens: number;
  audio_ms: number;
  /**
   * Characters that were sent to be spoken. On a call these are all characters; elsewhere, those that the agent's own
   * voice spoke.
   */
  speech_chars: number;
  /** The length of the call, s; 0 while it runs, and for other conversations. */
  carrier_s: number;
  /** Tool runs whose request was sent. */
  tool_runs: number;
  /** Failed model requests; omitted if there were none. */
  model_errors?: number;
  /** The usage by model; omitted if the fallback model was not asked. */
  models?: ModelShare[];
}
