/** A model at a server that speaks OpenAI's API (OpenAI itself, or any compatible one) or Anthropic's. */
export interface ProviderChoice {
  kind: "openai" | "anthropic" | "compatible";
  base_url: string;
  /** Empty where the server asks for none. */
  api_key: string;
  /** As its server names it. */
  model: string;
  /** Whether reasoning has to be switched off: it is on by default, and too slow for a call. */
  thinks: boolean;
}
