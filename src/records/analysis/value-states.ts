import { z } from "@hono/zod-openapi";
import { VALUED_STATES, type ValuedState } from "./analysis.ts";

const isValued = (name: string): name is ValuedState => VALUED_STATES.some((state) => state === name);

/** Returns the schema of a query parameter with states of values, separated by commas. */
export function valueStates(description: string) {
  return z
    .string()
    .transform((names) => names.split(",").map((name) => name.trim()))
    .pipe(
      z.array(z.string()).refine((names) => names.every(isValued), {
        message: `must be ${VALUED_STATES.join(", ")}, or both with a comma between them`,
      }),
    )
    .transform((names) => [...new Set(names.filter(isValued))])
    .optional()
    .openapi({
      type: "string",
      description: `${description} \`found\`, \`unverified\`, or both with a comma between them; by default only \`found\`.`,
      example: "found,unverified",
    });
}
