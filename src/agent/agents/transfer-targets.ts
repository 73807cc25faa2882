import { z } from "@hono/zod-openapi";
import { enteredNumber } from "../../kernel/http/fields.ts";

const MAX_TARGETS = 20;
const MAX_LABEL_CHARS = 80;

const label = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_LABEL_CHARS)
  .refine((text) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), "must not contain control characters or line breaks");

/** A number that an agent may transfer callers to, with its label. */
export const transferTarget = z
  .object({
    label: label.openapi({
      description: `The name that the model uses: up to ${MAX_LABEL_CHARS} characters on one line, unique for the agent.`,
      example: "Front desk",
    }),
    number: enteredNumber.openapi({
      description: "The number that it leads to; stored as E.164.",
      example: "+12025550177",
    }),
    on_failure: z.boolean().optional().openapi({
      description:
        "Whether calls are transferred there if no model can answer. Only one target may have this. Default: false.",
      example: true,
    }),
  })
  .openapi("TransferTarget");

/** The numbers that an agent may transfer callers to. */
export const transferTargets = z
  .array(transferTarget)
  .max(MAX_TARGETS)
  .superRefine((targets, context) => {
    const taken = new Set<string>();
    for (const [index, { label: text }] of targets.entries()) {
      const key = text.toLowerCase();
      if (taken.has(key))
        context.addIssue({
          code: "custom",
          path: [index, "label"],
          message: "must not be the label of another target",
        });
      taken.add(key);
    }
    const marked = targets.flatMap(({ on_failure }, index) => (on_failure ? [index] : []));
    for (const index of marked.slice(1))
      context.addIssue({ code: "custom", path: [index, "on_failure"], message: "must not be set on two targets" });
  })
  .openapi({
    description:
      `Where the agent may transfer callers, up to ${MAX_TARGETS}: \`transfer_call\` offers the labels, and no text, ` +
      "variable or caller can add a number. Empty: it transfers nobody.",
  });
