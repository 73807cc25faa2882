import { z } from "@hono/zod-openapi";
import { instant } from "../http/fields.ts";

/** Most characters of one turn's words. */
export const MAX_TURN_CHARS = 20_000;

/** Most tokens or ms that are told at once. */
export const MAX_AMOUNT = 1_000_000_000;

const words = z.string().max(MAX_TURN_CHARS);
const amount = z.number().int().min(0).max(MAX_AMOUNT);
const event = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({
    seq: z.number().int().min(1).max(1_000_000_000),
    at: instant,
    type: z.literal(type),
    ...fields,
  });

/** What a runtime reports of a conversation: one of these for everything that happens in it. */
export const conversationEvent = z.discriminatedUnion("type", [
  event("user_turn", { text: words }),
  event("agent_turn", {
    text: words,
    interrupted: z.boolean().optional(),
    heard: words.optional().openapi({ description: "What was heard of it before the interruption." }),
  }),
  event("tool_call", {
    tool_call_id: z.string().min(1).max(200),
    name: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.unknown()),
  }),
  event("tool_result", {
    tool_call_id: z.string().min(1).max(200),
    ok: z.boolean(),
    result: z.unknown(),
    duration_ms: amount,
  }),
  event("usage", {
    input_tokens: amount.optional(),
    output_tokens: amount.optional(),
    audio_ms: amount.optional(),
  }),
  event("latency", { ms: amount.openapi({ description: "From the end of the user's words to the agent's first." }) }),
  event("disposition", { value: z.string().min(1).max(100), note: z.string().max(2_000).optional() }),
  event("opt_out", {}),
  event("ended", { reason: z.string().min(1).max(100) }),
]);
export type ConversationEvent = z.output<typeof conversationEvent>;
