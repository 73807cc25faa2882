import { z } from "@hono/zod-openapi";
import { idOf } from "../../kernel/http/example-ids.ts";
import { instant } from "../../kernel/http/fields.ts";
import { MAX_SOURCES, turnSource } from "./sources.ts";

export const MAX_TURN_CHARS = 20_000;

/** The most tokens or milliseconds in one report. */
export const MAX_AMOUNT = 1_000_000_000;

/** A language tag as carriers use it (BCP 47). */
export const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/);

const lang = languageTag.optional().openapi({
  description: "The language of the turn as a BCP 47 tag; left out if it is unknown.",
  example: "en-US",
});
const words = z.string().max(MAX_TURN_CHARS);
const amount = z.number().int().min(0).max(MAX_AMOUNT);
const toolCallId = z.string().min(1).max(200).openapi({
  description: "The id of the tool call, the same in the call and its result, up to 200 characters.",
  example: "call_7f3a",
});

const pascalCase = (type: string) => type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the schema of a reported event. The reference names it after its type, such as `ReportedUserTurn`. */
const event = <T extends string, F extends z.ZodRawShape>(type: T, description: string, fields: F) =>
  z
    .object({
      seq: z.number().int().min(1).max(1_000_000_000).openapi({
        description: "The event's number in its conversation, from 1 without gaps; a repeated number is ignored.",
        example: 3,
      }),
      at: instant.openapi({ description: "When it happened; kept as UTC.", example: "2026-11-21T09:30:04.120Z" }),
      type: z.literal(type).openapi({ description: "The type of event." }),
      ...fields,
    })
    .openapi(`Reported${pascalCase(type)}`, { description });

/** The events that a runtime reports about a conversation, by type. */
const REPORTED = {
  user_turn: event("user_turn", "The user has said something.", {
    text: words.openapi({
      description: "The spoken text, up to 20,000 characters.",
      example: "Do you have time on Friday?",
    }),
    lang,
  }),
  agent_turn: event("agent_turn", "The agent said something, completely or until it was interrupted.", {
    text: words.openapi({
      description: "The complete text that the agent was to say, up to 20,000 characters.",
      example: "On Friday at ten, or at half past two. Which suits you?",
    }),
    interrupted: z.boolean().optional().openapi({
      description: "Whether the user interrupted. Default: false.",
      example: true,
    }),
    heard: words.optional().openapi({
      description: "The part that was heard before the interruption; all of it if left out.",
      example: "On Friday at ten,",
    }),
    lang,
    finish: z
      .enum(["length", "content_filter"])
      .optional()
      .openapi({
        description:
          "Why the model's answer was cut short: its maximum length, or the provider's content filter. Left out for a " +
          "complete answer.",
        example: "length",
      }),
  }),
  tool_call: event("tool_call", "The agent uses a tool.", {
    tool_call_id: toolCallId,
    name: z
      .string()
      .min(1)
      .max(200)
      .openapi({ description: "The name of the tool that the agent used.", example: "check_availability" }),
    arguments: z.record(z.string(), z.unknown()).openapi({
      description: "The tool's arguments, matching its schema.",
      example: { day: "2026-11-27" },
    }),
  }),
  tool_result: event("tool_result", "The tool has answered.", {
    tool_call_id: toolCallId,
    ok: z.boolean().openapi({ description: "Whether the tool succeeded.", example: true }),
    result: z
      .unknown()
      .openapi({ description: "The result that the model received: any JSON.", example: ["10:00", "14:30"] }),
    duration_ms: amount.openapi({ description: "The duration, in milliseconds.", example: 184 }),
  }),
  usage: event("usage", "The usage since the previous event of this type. The record contains the sums.", {
    input_tokens: amount.optional().openapi({ description: "Tokens the model read; none if left out.", example: 512 }),
    cached_tokens: amount.optional().openapi({
      description: "The number of `input_tokens` that its provider read from a cache; none if left out.",
      example: 384,
    }),
    output_tokens: amount.optional().openapi({ description: "Tokens it wrote; none if left out.", example: 38 }),
    audio_ms: amount.optional().openapi({
      description: "Milliseconds of audio that were heard or spoken; none if left out.",
      example: 4200,
    }),
  }),
  latency: event("latency", "How fast the agent answered a turn.", {
    ms: amount.openapi({
      description: "Milliseconds from the end of the user's words to the agent's first.",
      example: 640,
    }),
  }),
  disposition: event("disposition", "The outcome of the conversation; the last one counts.", {
    value: z.string().min(1).max(100).openapi({
      description: "Your own word for it, up to 100 characters.",
      example: "appointment_booked",
    }),
    note: z.string().max(2_000).optional().openapi({
      description: "The reason, for people, up to 2,000 characters.",
      example: "Friday at ten, wants a reminder.",
    }),
  }),
  opt_out: event(
    "opt_out",
    "The user does not want to be called again. The number is put on the do-not-call list.",
    {},
  ),
  disclosed: event(
    "disclosed",
    "The runtime has said or shown `session.disclosure`, whole, before the agent's first turn.",
    {},
  ),
  ended: event("ended", "The conversation has ended, and no event follows.", {
    reason: z.string().min(1).max(100).openapi({
      description: "The reason, in a word of up to 100 characters, recorded as `end_reason`.",
      example: "hangup",
    }),
  }),
};

export const conversationEvent = z.discriminatedUnion("type", [
  REPORTED.user_turn,
  REPORTED.agent_turn,
  REPORTED.tool_call,
  REPORTED.tool_result,
  REPORTED.usage,
  REPORTED.latency,
  REPORTED.disposition,
  REPORTED.opt_out,
  REPORTED.disclosed,
  REPORTED.ended,
]);
type ReportedEvent = z.output<typeof conversationEvent>;

const runId = idOf(
  "toolRun",
  "The run's id; left out for tools that a runtime runs and reports itself, and for built-in tools.",
).optional();
/** Fields that the service adds for its own model requests and tool runs. No runtime can report them. */
const OF_RUNS = {
  agent_turn: z.object({
    sources: z.array(turnSource).max(MAX_SOURCES).optional().openapi({
      description: "The passages of documents that the turn is based on; left out if there are none.",
    }),
  }),
  usage: z.object({
    model: z.string().max(300).optional().openapi({
      description: "The model that was asked, after its provider; left out if a runtime reported what was used.",
      example: "openai/gpt-4o",
    }),
    duration_ms: amount.optional().openapi({
      description: "Milliseconds from the request to the end of the model's answer.",
      example: 1310,
    }),
    first_ms: amount.optional().openapi({
      description: "Milliseconds from the request to the first words or tool call; left out if none came.",
      example: 420,
    }),
    fallback: z.literal(true).optional().openapi({
      description: "Present if the agent's `fallback_model` was asked because its first model failed.",
    }),
    failed: z.literal(true).optional().openapi({
      description: "Present if the model failed. It is asked again, unless the service gave up.",
    }),
    dropped_tool: z
      .string()
      .max(200)
      .optional()
      .openapi({
        description:
          "The tool whose description the model refused: the conversation continues without it. Left out if it refused " +
          "none.",
        example: "check_availability",
      }),
  }),
  tool_call: z.object({
    run_id: runId,
    state: z.literal("running").optional().openapi({
      description: "The state of the run when the tool is called; left out if there is no `run_id`.",
    }),
  }),
  tool_result: z.object({
    run_id: runId,
    state: z.enum(["ok", "failed", "unknown"]).optional().openapi({
      description:
        "The outcome: `unknown` if the action may have happened or not. Left out if a runtime reported the result.",
      example: "ok",
    }),
  }),
};

/**
 * An event of a conversation's log: as it was reported, or with the fields that the service adds about its own runs.
 */
export type ConversationEvent =
  | Exclude<ReportedEvent, { type: keyof typeof OF_RUNS }>
  | (Extract<ReportedEvent, { type: "agent_turn" }> & z.output<typeof OF_RUNS.agent_turn>)
  | (Extract<ReportedEvent, { type: "usage" }> & z.output<typeof OF_RUNS.usage>)
  | (Extract<ReportedEvent, { type: "tool_call" }> & z.output<typeof OF_RUNS.tool_call>)
  | (Extract<ReportedEvent, { type: "tool_result" }> & z.output<typeof OF_RUNS.tool_result>);

const inConversation = z
  .object({ conversation_id: idOf("conversation", "The conversation it happened in.") })
  .openapi("InConversation", { description: "The fields that every event of a conversation's stream has." });

const streamed = <E extends z.ZodType>(type: keyof typeof REPORTED, event: E) =>
  z
    .intersection(inConversation, event)
    .openapi(`Conversation${pascalCase(type)}Event`, { description: `The data of \`${type}\`.` });

export const STREAMED = {
  user_turn: streamed("user_turn", REPORTED.user_turn),
  agent_turn: streamed("agent_turn", z.intersection(REPORTED.agent_turn, OF_RUNS.agent_turn)),
  tool_call: streamed("tool_call", z.intersection(REPORTED.tool_call, OF_RUNS.tool_call)),
  tool_result: streamed("tool_result", z.intersection(REPORTED.tool_result, OF_RUNS.tool_result)),
  usage: streamed("usage", z.intersection(REPORTED.usage, OF_RUNS.usage)),
  latency: streamed("latency", REPORTED.latency),
  disposition: streamed("disposition", REPORTED.disposition),
  opt_out: streamed("opt_out", REPORTED.opt_out),
  disclosed: streamed("disclosed", REPORTED.disclosed),
  ended: streamed("ended", REPORTED.ended),
};
