import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";

/** What an agent's conversations are answered with. */
const answersWith = z.enum(["openai", "anthropic", "compatible", "custom_llm", "own_runtime", "scripted"]);
export type AnswersWith = z.output<typeof answersWith>;

const model = z
  .object({
    llm_model: z.string().openapi({
      description: "The model, as agents name it in `llm_model`.",
      example: "gpt-4o",
    }),
    answers_with: answersWith.openapi({
      description:
        "What answers for agents with this model: its vendor (`openai`, `anthropic`), the server that the operator " +
        "configured with LLM_BASE_URL (`compatible`), your own server (`custom_llm`), a media runtime of your own (`own_runtime`), or the built-in " +
        "scripted agent, because no language model is connected (`scripted`).",
      example: "openai",
    }),
  })
  .openapi("LanguageModel", { description: "A language model that agents can use, and what answers for it." });

export const listModels = endpoint({
  method: "get",
  path: "/api/v1/models",
  access: "account",
  tag: "Agents",
  scope: ["read"],
  operationId: "listModels",
  summary: "List the language models and what answers for each",
  description:
    "Shows whether a language model is connected: through the account's `openai` and `anthropic` integrations, or by " +
    "the operator. Where `answers_with` is `scripted`, a scripted agent answers from the agent's FAQs in the sandbox " +
    "and in widgets, and calls with a real carrier are refused.",
  kept: true,
  status: 200,
  response: z.object({
    models: z.array(model).openapi({ description: "Every model that an agent can name." }),
  }),
});
