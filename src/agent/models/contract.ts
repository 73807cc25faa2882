import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { timestamp } from "../../kernel/http/fields.ts";

/** The provider that answers in an agent's conversations. */
const answersWith = z.enum(["openai", "anthropic", "compatible", "custom_llm", "own_runtime", "scripted"]);
export type AnswersWith = z.output<typeof answersWith>;

const perMillion = (what: string, example: number) =>
  z
    .number()
    .int()
    .nullable()
    .openapi({
      description: `The price of a million tokens of ${what}, in millionths of a dollar: your own price (see getPrices), otherwise the vendor's. Null if it is unknown.`,
      example,
    });

const model = z
  .object({
    llm_model: z.string().openapi({
      description: "The model, as agents name it in `llm_model`, `fallback_model` and `analysis.model`.",
      example: "gpt-4o",
    }),
    answers_with: answersWith.openapi({
      description:
        "The source of answers for agents with this model: its vendor (`openai`, `anthropic`), the server that the " +
        "operator configured with LLM_BASE_URL (`compatible`), your own server (`custom_llm`), a media runtime of " +
        "your own (`own_runtime`), or the built-in scripted agent, because no language model is connected " +
        "(`scripted`).",
      example: "openai",
    }),
    model: z.string().nullable().openapi({
      description: "The model that is used, by the name that its server has for it; null if there is none.",
      example: "gpt-4o",
    }),
    label: z.string().openapi({ description: "The model's name for people.", example: "GPT-4o" }),
    provider: z.enum(["openai", "anthropic", "custom_llm"]).openapi({
      description: "The model's vendor; `custom_llm` for a model of your own server.",
      example: "openai",
    }),
    available: z.boolean().openapi({ description: "Whether a language model answers for it.", example: true }),
    reason: z.string().nullable().openapi({
      description: "Why it is not available, as the end of a sentence; null if it is.",
      example: null,
    }),
    input_micros_per_million: perMillion("its input", 2_500_000),
    output_micros_per_million: perMillion("its output", 10_000_000),
    ends_at: timestamp.nullable().openapi({
      description: "When its vendor stops serving it; null if no end is announced.",
      example: "2027-01-14T00:00:00.000Z",
    }),
    replaced_by: z.string().nullable().openapi({
      description: "The model in this list that answers from then on; null if it does not end.",
      example: "gpt-6-luna",
    }),
  })
  .openapi("LanguageModel", {
    description: "A language model that agents can use, and what answers when they name it.",
  });

export const listModels = endpoint({
  method: "get",
  path: "/api/v1/models",
  access: "account",
  tag: "Agents",
  scope: ["read"],
  operationId: "listModels",
  summary: "List the language models and what answers for each",
  description:
    "Returns every model that agents can name, with prices and announced ends, and what answers for it: the " +
    "account's `openai`, `anthropic` and `custom_llm` integrations, or the operator's settings. If " +
    "`answers_with` is `scripted`, the scripted agent answers from the agent's FAQs in the sandbox and in " +
    "widgets, and calls with a real carrier are refused.",
  kept: true,
  status: 200,
  response: z.object({
    models: z.array(model).openapi({ description: "Vendors' models, then those of your own server." }),
  }),
});
