import type { CatalogIntegration } from "../types.ts";
import { deciding, needed } from "./fields.ts";

/**
 * Integrations that serve models: the vendors, paid directly by accounts with their own key, and an account's own
 * server.
 */
export const aiIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec1d-7a6e-9c52-4b7d0e9f31c8",
    name: "openai",
    display_name: "OpenAI",
    description: "Agents that use GPT models run on your own OpenAI account.",
    category: "models",
    hosts: ["api.openai.com", "us.api.openai.com", "eu.api.openai.com"],
    auth: "token",
    params: [],
    secrets: [
      needed("api_key", "API key", "From a project that may use chat completions and list models; starts with sk-"),
    ],
    checks: {
      method: "GET",
      url: "https://api.openai.com/v1/models",
      auth: { type: "bearer", token: "{{openai.api_key}}" },
    },
  },
  {
    id: "019aa3b5-ec1e-7d03-8f6b-a21c5e84d790",
    name: "anthropic",
    display_name: "Anthropic",
    description: "Agents that use Claude models run on your own Anthropic account.",
    category: "models",
    hosts: ["api.anthropic.com"],
    auth: "token",
    params: [],
    secrets: [needed("api_key", "API key", "From the Claude Console; starts with sk-ant-")],
    checks: {
      method: "GET",
      url: "https://api.anthropic.com/v1/models?limit=1",
      headers: { "anthropic-version": "2023-06-01" },
      auth: { type: "header", name: "x-api-key", value: "{{anthropic.api_key}}" },
    },
  },
  {
    id: "019aa3b5-ec20-7c58-a1d6-3e94b0f7c265",
    name: "custom_llm",
    display_name: "Custom model server",
    description: "Agents run on models of your own server: any that speaks OpenAI's chat completions, such as vLLM.",
    category: "models",
    hosts: ["{base_url}"],
    hears: true,
    auth: "token",
    params: [
      deciding(
        "base_url",
        "Base URL",
        "What comes before /chat/completions, such as https://models.example.com/v1",
        "base_url",
      ),
      needed("models", "Models", "The names of its models, separated by commas; agents name one as custom_llm:<model>"),
    ],
    secrets: [needed("api_key", "API key", "Sent as a bearer token; any text if your server asks for none")],
    checks: {
      method: "GET",
      url: "{{custom_llm.base_url}}/models",
      auth: { type: "bearer", token: "{{custom_llm.api_key}}" },
    },
  },
];
