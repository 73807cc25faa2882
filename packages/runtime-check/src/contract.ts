import { z } from "zod";

/** Limits of events and bytes in one request. */
export const MAX_EVENTS = 500;
export const MAX_BYTES = 256 * 1024;

const MAX_AMOUNT = 1_000_000_000;

const words = z.string().max(20_000);
const amount = z.number().int().min(0).max(MAX_AMOUNT);
const toolCallId = z.string().min(1).max(200);
const lang = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)
  .optional();
const event = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({
    seq: z.number().int().min(1).max(1_000_000_000),
    at: z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString()),
    type: z.literal(type),
    ...fields,
  });

/**
 * An event as runtimes report it. The package has no dependencies, so it defines the contract itself; a test compares
 * it with the service's.
 */
export const conversationEvent = z.discriminatedUnion("type", [
  event("user_turn", { text: words, lang }),
  event("agent_turn", {
    text: words,
    interrupted: z.boolean().optional(),
    heard: words.optional(),
    lang,
    finish: z.enum(["length", "content_filter"]).optional(),
  }),
  event("tool_call", {
    tool_call_id: toolCallId,
    name: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.unknown()),
  }),
  event("tool_result", { tool_call_id: toolCallId, ok: z.boolean(), result: z.unknown(), duration_ms: amount }),
  event("usage", {
    input_tokens: amount.optional(),
    cached_tokens: amount.optional(),
    output_tokens: amount.optional(),
    audio_ms: amount.optional(),
  }),
  event("latency", { ms: amount }),
  event("disposition", { value: z.string().min(1).max(100), note: z.string().max(2_000).optional() }),
  event("opt_out", {}),
  event("disclosed", {}),
  event("ended", { reason: z.string().min(1).max(100) }),
]);
export type ConversationEvent = z.output<typeof conversationEvent>;
