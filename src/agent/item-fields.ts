import { z } from "@hono/zod-openapi";
import { EXAMPLE_IDS } from "../kernel/http/example-ids.ts";
import { longText, smallJson } from "../kernel/http/fields.ts";

/** The name of a tool, playbook or FAQ. */
export const snakeName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, "must be snake_case: a letter, then letters, digits and underscores, 63 at most")
  .openapi({ example: "book_appointment" });
export const tags = z
  .array(z.string().min(1).max(50))
  .max(50)
  .openapi({
    description: "Keywords: up to 50, of up to 50 characters each.",
    example: ["front desk"],
  });
/** The category that tools, playbooks and FAQs are grouped by. */
export const category = z.string().min(1).max(100).openapi({
  description: "The category to group and filter it by: any word, up to 100 characters.",
  example: "scheduling",
});
export const isDefault = z.boolean().openapi({
  description: "Whether it is a default of the service. Defaults can be changed but not deleted.",
  example: false,
});
export const modifiedFromDefault = z.boolean().openapi({
  description: "Whether a default was changed by the account; new versions of the service then leave it as it is.",
  example: false,
});
/** The response to deleting a tool, playbook or FAQ. */
export const deletedItem = z
  .object({
    id: z.uuid().openapi({
      description: "The id of what was deleted, even if the path had its name.",
      example: EXAMPLE_IDS.tool,
    }),
    deleted: z.literal(true).openapi({ description: "Always true: failing to delete is an error." }),
  })
  .openapi("DeletedItem");
export const categoryFilter = z
  .string()
  .optional()
  .openapi({ description: "Only those of exactly this category.", example: "scheduling" });

export const faqFields = z.object({
  name: snakeName.openapi({
    description: "Its name in paths and for agents: snake_case, unique in the account.",
    example: "insurance_plans",
  }),
  title: z.string().max(300).openapi({
    description: "The question it answers, as people ask it; up to 300 characters.",
    example: "Which insurance do you take?",
  }),
  summary: z.string().max(2000).openapi({
    description: "The answer in a sentence, by which an agent chooses among many; up to 2,000 characters.",
    example: "All public plans, and most private ones.",
  }),
  content: longText.openapi({
    description: "The complete answer, for agents that have the FAQ attached; up to 256 KB.",
    example: "We take all public plans and bill most private ones directly. Please bring your card to the first visit.",
  }),
  category: category.openapi({ example: "general" }),
  tags: tags.openapi({ example: ["insurance", "billing"] }),
});

export const playbookFields = z.object({
  name: snakeName.openapi({
    description: "Its name in paths and for agents: snake_case, unique in the account.",
    example: "new_patient",
  }),
  display_name: z.string().max(200).openapi({
    description: "Its display name, up to 200 characters; the heading of its markdown.",
    example: "New patient",
  }),
  description: z.string().max(5000).openapi({
    description: "The purpose, in a sentence or two; up to 5,000 characters.",
    example: "Take down who is new to the practice, and book the first visit.",
  }),
  category,
  tags: tags.openapi({ example: ["calendar"] }),
  tool_names: z
    .array(snakeName)
    .max(100)
    .openapi({
      description: "The names of the tools that its steps use. They must also be attached to the agent.",
      example: ["check_availability", "book_appointment"],
    }),
  triggers: smallJson(z.array(z.string().max(500)).max(50)).openapi({
    description: "Phrases that people use when this playbook applies: up to 50 phrases of up to 500 characters.",
    example: ["I have not been to you before"],
  }),
  content: longText.openapi({
    description:
      "The steps in markdown, as given to the model; up to 256 KB. If it was never sent, it is " +
      "rendered from the other fields.",
    example: "# New patient\n\n1. Ask for name and insurance.\n2. Offer two free slots.",
  }),
});
