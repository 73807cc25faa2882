/** A model at a server with OpenAI's API (OpenAI itself, or a compatible one) or Anthropic's. */
export interface ProviderChoice {
  /** `compatible` is the operator's server for all agents, and `custom_llm` the account's own server. */
  kind: "openai" | "anthropic" | "compatible" | "custom_llm";
  base_url: string;
  /** Empty if the server requires no key. */
  api_key: string;
  /** The model's name at the server. */
  model: string;
  /** The name used in prices, usage and records: a listed name, `custom_llm:<model>` or `compatible`. */
  name: string;
  /** Whether reasoning must be turned off, because it is on by default and too slow for a call. */
  thinks: boolean;
}
