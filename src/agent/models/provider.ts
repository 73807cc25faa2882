/** A model at a server that speaks OpenAI's API (OpenAI itself, or any compatible one) or Anthropic's. */
export interface ProviderChoice {
  /** `compatible` is the operator's server for every agent, `custom_llm` the account's own. */
  kind: "openai" | "anthropic" | "compatible" | "custom_llm";
  base_url: string;
  /** Empty where the server asks for none. */
  api_key: string;
  /** As its server names it. */
  model: string;
  /** As prices, usage and records name it: a name of the list, `custom_llm:<model>` or `compatible`. */
  name: string;
  /** Whether reasoning has to be switched off: it is on by default, and too slow for a call. */
  thinks: boolean;
}
