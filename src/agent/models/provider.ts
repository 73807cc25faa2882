/** A model at a server with OpenAI's API (OpenAI itself, or a compatible one) or Anthropic's. */
export interface ProviderChoice {
  /** `compatible` is the operator's server for every agent, `custom_llm` the account's own. */
  kind: "openai" | "anthropic" | "compatible" | "custom_llm";
  base_url: string;
  /** Empty if the server requires none. */
  api_key: string;
  /** The server's name of the model. */
  model: string;
  /** The name in prices, usage and records: a listed name, `custom_llm:<model>` or `compatible`. */
  name: string;
  /** Whether reasoning must be turned off, because it is on by default and too slow for a call. */
  thinks: boolean;
}
