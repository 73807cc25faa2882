import { z } from "zod";
import { inOrder } from "./event-order.ts";
import type { ConversationEvent } from "./events.ts";

const count = z.number().default(0);

/** When an agent's answers began and its model was requested, without any content. Times are ISO 8601; durations ms. */
export const timing = z.object({
  /** The first word of each answer, and how many ms after the user's words it came. */
  answers: z.array(z.object({ at: z.string(), ms: z.number() })),
  /** The model requests, in the order in which they ended. For a custom runtime only the tokens are known. */
  requests: z.array(
    z.object({
      at: z.string(),
      model: z.string().nullable().default(null),
      duration_ms: count,
      first_ms: z.number().nullable().default(null),
      input_tokens: count,
      cached_tokens: count,
      output_tokens: count,
      fallback: z.boolean().optional(),
      failed: z.boolean().default(false),
      dropped_tool: z.string().optional(),
    }),
  ),
});
export type Timing = z.output<typeof timing>;

/** The timing of conversations that ended before times were stored. */
export const NO_TIMING: Timing = { answers: [], requests: [] };

export function timingOf(events: ConversationEvent[]): Timing {
  const ordered = inOrder(events);
  return {
    answers: ordered.flatMap((event) => (event.type === "latency" ? [{ at: event.at, ms: event.ms }] : [])),
    requests: ordered.flatMap((event) => {
      if (event.type !== "usage" || isOnlySound(event)) return [];
      const { at, model = null, duration_ms = 0, first_ms = null, fallback, failed = false, dropped_tool } = event;
      const { input_tokens = 0, cached_tokens = 0, output_tokens = 0 } = event;
      const tokens = { input_tokens, cached_tokens, output_tokens };
      return [Object.assign({ at, model, duration_ms, first_ms, fallback, failed, dropped_tool }, tokens)];
    }),
  };
}

/** Checks whether a usage report is only about audio. Such a report is not counted as a model request. */
function isOnlySound({ model, input_tokens, output_tokens }: Extract<ConversationEvent, { type: "usage" }>): boolean {
  return model === undefined && !input_tokens && !output_tokens;
}
