import { z } from "@hono/zod-openapi";
import { ANALYSIS_TYPES, NO_ANALYSIS } from "../../kernel/db/schema/index.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { modelName } from "../models/model-name.ts";

const MAX_CRITERIA = 20;
const MAX_DATA = 30;
const MAX_CHOICES = 50;
const MAX_WORDS_CHARS = 1_000;

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "must be snake_case: a letter, then letters, digits and underscores, 63 at most");
const words = z.string().trim().min(1, "must not be empty").max(MAX_WORDS_CHARS);

const criterion = z
  .object({
    name: name.openapi({ description: "The name of its verdict, unique for the agent.", example: "booked" }),
    instruction: words.openapi({
      description: `The condition under which it is met, in one or more sentences, up to ${MAX_WORDS_CHARS} characters.`,
      example: "The caller agreed to an appointment on a certain day.",
    }),
  })
  .openapi("AnalysisCriterion");

const dataField = z
  .object({
    name: name.openapi({ description: "The name of the value, unique for the agent.", example: "part_of_day" }),
    type: z.enum(ANALYSIS_TYPES).openapi({ description: "The type of the value.", example: "choice" }),
    description: words.openapi({
      description: `What to look for, in one or more sentences, up to ${MAX_WORDS_CHARS} characters.`,
      example: "In which part of the day the caller would like to come.",
    }),
    choices: z
      .array(words.max(200))
      .min(1)
      .max(MAX_CHOICES)
      .optional()
      .openapi({
        description: `The allowed values, up to ${MAX_CHOICES}. Required for the type \`choice\`, and not allowed for other types.`,
        example: ["morning", "afternoon"],
      }),
  })
  .superRefine(({ type, choices }, context) => {
    const isChoice = type === "choice";
    if (isChoice === (choices !== undefined)) return;
    const message = isChoice ? "is required for the type choice" : "is only allowed for the type choice";
    context.addIssue({ code: "custom", path: ["choices"], message });
  })
  .openapi("AnalysisField", {
    example: {
      name: "preferred_day",
      type: "date",
      description: "The day on which the caller would like to come.",
    },
  });

function unique<S extends z.ZodArray<z.ZodType<{ name: string }>>>(list: S) {
  return list.superRefine((entries, context) => {
    const taken = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      if (taken.has(entry.name))
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: "must differ from the names of the others",
        });
      taken.add(entry.name);
    }
  });
}

const settings = z.object({
  enabled: z.boolean().openapi({ description: "Whether conversations are analyzed after they end.", example: true }),
  model: modelName.nullable().openapi({
    type: ["string", "null"],
    description: "The model that reads the conversations, as in `llm_model`; null for the agent's own.",
    example: null,
  }),
  summary: z.boolean().openapi({ description: "Whether a summary is written.", example: true }),
  criteria: unique(z.array(criterion).max(MAX_CRITERIA)).openapi({
    description: `Goals that a conversation may have met, up to ${MAX_CRITERIA}; together they decide whether it was successful.`,
  }),
  data: unique(z.array(dataField).max(MAX_DATA)).openapi({
    description: `Values to find in what was said, up to ${MAX_DATA}.`,
  }),
});

const description =
  "What is extracted from the agent's conversations after they end: a summary, whether goals were met, and values that " +
  "were said. Applies to conversations that begin afterwards.";

export const analysisSettings = named(
  "AnalysisSettings",
  "What an agent's conversations are analyzed for.",
  settings,
).openapi({
  description,
});

/** The settings of a new agent: omitted fields get their defaults. */
export const newAnalysisSettings = settings
  .extend({
    enabled: settings.shape.enabled.default(NO_ANALYSIS.enabled),
    model: settings.shape.model.default(NO_ANALYSIS.model),
    summary: settings.shape.summary.default(NO_ANALYSIS.summary),
    criteria: settings.shape.criteria.default([]),
    data: settings.shape.data.default([]),
  })
  .default(NO_ANALYSIS)
  .openapi({ description });

/** The settings in a change: omitted fields stay as they are. */
export const analysisChanges = settings.partial().openapi({ description });
