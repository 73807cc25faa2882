import { z } from "@hono/zod-openapi";
import { RESULT_STATES } from "../db/schema/index.ts";
import { idOf } from "./example-ids.ts";

const count = (description: string, example: number) => z.number().int().openapi({ description, example });

export const testOutcome = z.object({
  test_id: idOf("test", "The test; it may have been deleted since."),
  state: z
    .enum(RESULT_STATES)
    .nullable()
    .openapi({
      description:
        "`passed` if at least `min_passes` of its conversations passed, otherwise `failed`; `model_failed` if fewer " +
        "than `repeat` conversations say anything about the agent. Null until all its conversations have ended.",
      example: "passed",
    }),
  counts: z
    .object({
      passed: count("How many passed.", 2),
      failed: count("How many failed.", 1),
      model_failed: count("How many say nothing about the agent, because its model failed.", 0),
    })
    .openapi({ description: "Its ended conversations, by result." }),
});
