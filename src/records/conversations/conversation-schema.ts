import { z } from "@hono/zod-openapi";
import { STORAGE } from "../../kernel/db/schema/index.ts";
import { columns, content, personNumber, visitorId } from "../../kernel/http/content.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { currency, unit } from "../prices/contract.ts";
import { analysis, listedAnalysis } from "./analysis-contract.ts";
import { disclosed } from "./disclosed-contract.ts";
import { TOOL_STATES } from "./record.ts";
import { turnSource } from "./sources.ts";

const text = z.string();
const whole = z.number().int();
export const kind = z.enum(["call", "widget", "test"]).openapi({
  description: "Where it was held: on the phone, in the widget, or in a test of the agent (`test`).",
  example: "call",
});
export const conversationId = idOf("conversation", "The conversation's id, also found on its call and its contact.");
const count = (description: string, example: number) => whole.openapi({ description, example });
const ms = (description: string, example: number) => whole.nullable().openapi({ description, example });

const modelShare = z.object({
  model: text.openapi({ description: "The model that was asked, after its provider.", example: "openai/gpt-4o" }),
  fallback: z.boolean().openapi({ description: "Whether it is the agent's `fallback_model`.", example: false }),
  input_tokens: count("Tokens it read.", 512),
  cached_tokens: count("The number of `input_tokens` that its provider read from its cache.", 384),
  output_tokens: count("Tokens it wrote.", 38),
  model_errors: count("The number of its requests that failed.", 1),
});
const usage = z.object({
  input_tokens: count("Tokens the model read.", 4_210),
  cached_tokens: count("The number of `input_tokens` that the model's provider read from its cache.", 3_072),
  output_tokens: count("Tokens it wrote.", 356),
  audio_ms: count("Milliseconds of audio reported; 0 if the carrier turns speech into text.", 0),
  speech_chars: count(
    "Characters that were sent to be spoken. An interrupted turn counts up to the interruption. Outside of " +
      "calls, only characters that the agent's own voice spoke count.",
    412,
  ),
  carrier_s: count("Seconds of the call from answer to end; 0 until it has ended, and if it was not a call.", 72),
  tool_runs: count("Tool runs whose request was sent.", 1),
  models: z.array(modelShare).optional().openapi({
    description: "The tokens by model, if the agent's `fallback_model` was asked; otherwise left out.",
  }),
});
const item = z.object({
  what: text.openapi({ description: "The item, by its name in the price list.", example: "model/gpt-4o/output" }),
  unit,
  quantity: z.number().openapi({ description: "How many units, to six decimals.", example: 0.000356 }),
  unit_micros: whole.nullable().openapi({
    description: "The price of a unit in millionths of the currency; null if it is unknown.",
    example: 10_000_000,
  }),
  amount_micros: whole.nullable().openapi({
    description: "The amount, rounded half up to whole millionths; null if the price is unknown.",
    example: 3_560,
  }),
});
const cost = z.object({
  amount_micros: count("The sum of the items whose price is known, in millionths of the currency.", 3_560),
  currency,
  items: z
    .array(item)
    .openapi({ description: "The items that were used, each at its price; unused kinds are left out." }),
  complete: z.boolean().openapi({
    description: "Whether the price of every item is known; otherwise the conversation cost more than `amount_micros`.",
    example: true,
  }),
});
const latency = z.object({
  first_ms: ms("For the first answer; null if there was none.", 720),
  median_ms: ms("The median over the answers; null if there was none.", 640),
  max_ms: ms("For the slowest answer; null if there was none.", 980),
});

export const conversation = z
  .object({
    id: conversationId,
    kind,
    status: z.enum(["ended", "live"]).openapi({ description: "`live` while it is in progress, then `ended`." }),
    direction: z.enum(["outbound", "inbound"]).nullable().openapi({
      description:
        "Whether the account placed the call (`outbound`) or received it (`inbound`). Null if it was not a call.",
      example: "outbound",
    }),
    agent_id: text.openapi({
      description: "The agent that held it; the agent may have been deleted since.",
      example: EXAMPLE_IDS.agent,
    }),
    agent_version: z.number().int().nullable().openapi({
      description: "The number of the agent's version in the conversation, for getAgentVersion; null if there is none.",
      example: 3,
    }),
    prompt_id: text.nullable().openapi({
      description: "The version of the agent's prompt that was used; null if the agent had none.",
      example: EXAMPLE_IDS.prompt,
    }),
    call_id: idOf("call", "The call it was held on; null if it was not a call.").nullable(),
    campaign_id: idOf("campaign", "The campaign that placed the call; null for any other.").nullable(),
    contact_id: idOf("contact", "The campaign's contact that was called; null for any other.").nullable(),
    visitor_id: visitorId(text.nullable(), {
      description:
        "The id of the visitor; for a user, the id that your server sent. In a test, the person who tried the agent, as the audit log " +
        "names them. Null on the phone.",
      example: null,
    }),
    visitor_type: z.enum(["guest", "user"]).nullable().openapi({
      description: "Whether the visitor is identified by your server (`user`) or a `guest`; null on the phone.",
      example: null,
    }),
    phone_number: personNumber(text.nullable(), {
      description: "The other person's number; null if it was not a call.",
      example: "+12025550143",
    }),
    contact_name: columns(text, {
      description:
        "The other person's name: the variable `name`, otherwise `first_name` and `last_name`; null if there is none.",
      example: "Ada Lovelace",
    }),
    variables: content(z.record(text, text), {
      description: "The variables available to the agent's texts: the contact's columns and the call's variables.",
      example: { name: "Ada" },
    }),
    started_at: timestamp.openapi({ description: "When it started (UTC)." }),
    ended_at: timestamp.nullable().openapi({
      description: "When it ended (UTC); null while it is live.",
      example: "2026-11-21T09:31:12.000Z",
    }),
    duration_ms: ms("From the beginning to the end, in milliseconds; null while it is live.", 72_000),
    end_reason: text.nullable().openapi({
      description:
        "Why it ended, in a word: `agent_ended`, `caller_hung_up`, `hangup`, `transferred`, `machine` (a machine " +
        "answered the call), `silence`, `max_duration`, `max_length`, `model_failed`, `visitor_left`, `call_ended`; " +
        "or why the person was no longer allowed: `account_closed`, `key_disabled`, `signed_out`, `widget_disabled`, " +
        "`guest_not_allowed`, `access_revoked`, `expired`; or the reason that a runtime of your own gave. Null while " +
        "it is live.",
      example: "caller_hung_up",
    }),
    transferred_to: personNumber(text.nullable(), {
      description:
        "The number that the caller was transferred to; null if there was no transfer. The call continues with the " +
        "person who picked up.",
      example: null,
    }),
    disclosed: disclosed.nullable().openapi({
      description: "How the disclosure was made (see the call settings); null while that is not decided.",
    }),
    disposition: content(text, {
      description: "The last outcome that the agent recorded; null if it recorded none.",
      example: "appointment_booked",
    }),
    turn_count: count("Turns of either side, not counting tools.", 6),
    tool_call_count: count("The number of tool calls by the agent.", 1),
    usage: usage.openapi({ description: "The conversation's use over all turns." }),
    cost: cost.nullable().openapi({
      description:
        "The cost, at the prices when it ended (`GET /api/v1/prices`); null while it is live, and for a moment " +
        "after. It does not include transfers and calls without a conversation.",
    }),
    latency: latency.openapi({
      description: "Milliseconds from the end of the user's words to the agent's first.",
    }),
    complete: z.boolean().openapi({
      description: "Whether the end, every event before it and the results of all tools have arrived and are stored.",
      example: true,
    }),
    analysis: listedAnalysis
      .nullable()
      .default(null)
      .openapi({ description: "The state of its analysis; null if none was wanted." }),
  })
  .openapi("Conversation");

const toolUse = z.object({
  tool_call_id: text.openapi({ description: "The model's id of this tool call.", example: "call_7f3a" }),
  run_id: idOf(
    "toolRun",
    "The run's id, as sent to the tool's service in `Idempotency-Key`. Identical calls during a run share it. " +
      "Null for tools that a runtime runs and reports itself, and for built-in tools.",
  ).nullable(),
  name: text.openapi({ description: "The name of the tool that the agent used.", example: "check_availability" }),
  arguments: z.record(text, z.unknown()).openapi({
    description: "The tool's arguments, matching its schema.",
    example: { day: "2026-11-27" },
  }),
  state: z.enum(TOOL_STATES).openapi({
    description:
      "The state: `running`, `ok`, `failed`, or `unknown` if the request was sent and no response came, so that it " +
      "may have had an effect.",
    example: "ok",
  }),
  ok: z.boolean().nullable().openapi({
    description: "Whether it succeeded; null until there is a result.",
    example: true,
  }),
  result: z.unknown().openapi({
    description: "The result that the model received; null until there is one.",
    example: ["10:00", "14:30"],
  }),
  duration_ms: ms("The duration, in milliseconds; null until there is a result.", 184),
});

const turn = z
  .object({
    seq: count("The turn's position, which is the number of its event.", 3),
    at: timestamp.openapi({ description: "When it was said, or the tool was called (UTC)." }),
    role: z.enum(["user", "agent", "tool"]).openapi({ description: "The speaker; `tool` for a tool call." }),
    text: text.openapi({
      description: "The spoken text; if the agent was interrupted, the part that was heard; for a tool, its name.",
      example: "Do you have time on Friday?",
    }),
    interrupted: z.boolean().openapi({ description: "Whether the user interrupted the agent.", example: false }),
    lang: text.nullable().openapi({
      description: "The language of the turn as a BCP 47 tag; null if it is unknown.",
      example: "en-US",
    }),
    finish: z
      .enum(["length", "content_filter"])
      .nullable()
      .openapi({
        description:
          "Why the model's answer was cut short: it reached its maximum length (after being asked once to continue), or " +
          "the provider's content filter stopped it. Null for a complete answer.",
        example: null,
      }),
    tool_call: toolUse.nullable().openapi({ description: "The tool call; null for spoken turns." }),
    sources: z.array(turnSource).default([]).openapi({
      description: "The passages of documents that the agent's turn is based on; empty if there are none.",
    }),
  })
  .openapi("ConversationTurn");

/** A conversation with its turns, as clients receive it. */
export const conversationDetail = conversation
  .extend({
    storage: z.enum(STORAGE).openapi({
      description:
        "What is stored of the conversation, by its agent's setting when it began: everything (`all`), everything " +
        "with what the agent's `redact` names replaced (`redacted`), or no turns at all (`metadata`).",
      example: "all",
    }),
    opted_out: z
      .boolean()
      .default(false)
      .openapi({
        description:
          "Whether it put the number on the do-not-call list, because of the person's words or the agent's tool. " +
          "undoOptOut removes the number from the list, but does not change this field.",
        example: false,
      }),
    documents_late: z
      .boolean()
      .default(false)
      .openapi({
        description:
          "Whether it began without the documents of its prompt, because they could not be read within 300 ms. The " +
          "agent searched them instead.",
        example: false,
      }),
    turns: content(z.array(turn), {
      description:
        "All turns and tool calls, in order; empty if `storage` is `metadata`. In a live, redacted conversation, a " +
        "turn that may become part of something to redact appears once that is decided.",
    }),
    analysis: content(analysis, {
      description: "The analysis; null if it is off, and while the conversation is live.",
    }).default(null),
  })
  .openapi("ConversationDetail");
