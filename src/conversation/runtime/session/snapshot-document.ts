import { z } from "@hono/zod-openapi";
import { leftOut } from "../../../agent/agents/contract.ts";
import { renderedPhrases } from "../../../agent/agents/language-fields.ts";
import { transferTarget } from "../../../agent/agents/transfer-targets.ts";
import { REDACT_KINDS, STORAGE } from "../../../kernel/db/schema/index.ts";
import { EXAMPLE_IDS, idOf } from "../../../kernel/http/example-ids.ts";
import { timestamp } from "../../../kernel/http/fields.ts";

const text = z.string();

const sessionCall = z.object({
  id: idOf("call", "The id of the phone call, as in the management API."),
  direction: z
    .enum(["outbound", "inbound"])
    .openapi({ description: "The direction: whether the account placed the call or received it." }),
  from_number: text.openapi({ description: "Who calls (E.164).", example: "+12025550100" }),
  to_number: text.openapi({ description: "Who is called (E.164).", example: "+12025550143" }),
  provider: text.openapi({ description: "The carrier of the call.", example: "twilio" }),
  campaign_id: idOf("campaign", "The campaign that placed it; null for any other call.").nullable(),
  contact_id: idOf("contact", "The campaign's contact that is called; null for any other call.").nullable(),
});

const sessionVisitor = z.object({
  id: text.openapi({
    description:
      "For a guest, the guest's id; for a user, the `user_id` that your server sent; for a test, the person who " +
      "tests the agent, as named in the audit log.",
    example: EXAMPLE_IDS.visitor,
  }),
  type: z
    .enum(["guest", "user"])
    .openapi({ description: "Whether your server identified the visitor (`user`) or not (`guest`)." }),
});

const sessionDisclosure = z.object({
  text: text.openapi({
    description: "The sentence to say or show.",
    example: "You are talking to an AI assistant of Acme Dental.",
  }),
  language: text.openapi({ description: "The language of the sentence (BCP 47).", example: "en" }),
  spoken: z.boolean().openapi({
    description:
      "Whether the carrier has already spoken it. If not, say the complete text first, and report `disclosed` " +
      "before the agent's first turn.",
    example: true,
  }),
});

const sessionAgent = z.object({
  id: text.openapi({ description: "The id of the agent, as in the management API.", example: EXAMPLE_IDS.agent }),
  version: z.number().int().nullable().openapi({
    description: "The number of the agent's version in this conversation, for getAgentVersion.",
    example: 3,
  }),
  name: text.openapi({ description: "The agent's display name.", example: "Reception" }),
  llm_model: text.openapi({ description: "The language model to use.", example: "gpt-4o" }),
  fallback_model: text.nullable().openapi({
    description: "The model that answers if the first one fails before its first word; null for none.",
    example: "claude-sonnet-5",
  }),
  voice_provider: text.openapi({
    description: "The company that provides the voice that it speaks with.",
    example: "cartesia",
  }),
  voice_id: text.openapi({
    description: "The voice, as its provider calls it; empty for the provider's default.",
    example: "sonic-english-1",
  }),
  system_prompt: text.openapi({
    description: "The model's instructions, rendered with the session's variables.",
    example: "You answer the phone at Acme Dental. Be brief, and offer Ada the next free appointment.",
  }),
  greeting_message: text.openapi({
    description: "The first words, as rendered with the session's variables; empty to wait for the user's.",
    example: "Acme Dental, good morning! How can I help you?",
  }),
  greeting_mode: z.enum(["interruptible", "locked"]).openapi({
    description: "Whether the user may interrupt the greeting.",
  }),
  background_audio_enabled: z.boolean().openapi({ description: "Whether to play office sounds.", example: false }),
  background_audio_volume: z
    .number()
    .openapi({ description: "The volume of the background, from 0 (silent) to 1.", example: 0.5 }),
  noise_suppression_enabled: z.boolean().openapi({
    description: "Whether to filter out noise around the user.",
    example: true,
  }),
  ringing_enabled: z.boolean().openapi({
    description: "Whether to play a ringing tone before the first words.",
    example: false,
  }),
  transfer_targets: z.array(transferTarget).openapi({
    description:
      "Where the caller can be transferred. They are looked up again when a transfer is requested, so a number that " +
      "was removed meanwhile is refused.",
  }),
  max_output_tokens: z.number().int().openapi({
    description: "The maximum number of tokens that the model may write in one answer.",
    example: 1_000,
  }),
  filler_after_ms: z.number().int().openapi({
    description: "The milliseconds of silence after which to fill a wait with a short sentence; 0 for never.",
    example: 1_500,
  }),
  language: text.openapi({
    description: "The language that the conversation begins in (BCP 47).",
    example: "de-DE",
  }),
  languages: z
    .array(text)

    .openapi({ description: "The languages that the conversation may change to.", example: ["tr-TR"] }),
  key_terms: z
    .array(text)

    .openapi({ description: "Names and words that speech recognition should expect.", example: ["Acme Dental"] }),
  phrases: renderedPhrases.openapi({
    description: "The agent's own sentences, rendered; null where the built-in one is spoken.",
  }),
  storage: z.enum(STORAGE).openapi({
    description:
      "What the platform stores of the conversation. With `redacted` or `metadata`, your runtime must not store " +
      "audio, keypad digits or transcripts either. Continue to report turns as they are spoken.",
    example: "all",
  }),
  redact: z.array(z.enum(REDACT_KINDS)).openapi({
    description: "What is replaced by a mark in the record if `storage` is `redacted`.",
    example: ["card", "iban", "email", "phone", "ssn"],
  }),
  prompt_id: text.nullable().openapi({
    description: "The version of the prompt; null if the agent has none.",
    example: EXAMPLE_IDS.prompt,
  }),
});

const sessionPlaybook = z.object({
  name: text.openapi({ description: "Its name in the account.", example: "new_patient" }),
  display_name: text.openapi({ description: "Its name for people.", example: "New patient" }),
  content: text.openapi({
    description: "The steps, in markdown.",
    example: "# New patient\n\n1. Ask for name and insurance.\n2. Offer two free slots.",
  }),
});

const sessionFaq = z.object({
  name: text.openapi({ description: "Its name in the account.", example: "insurance_plans" }),
  title: text.openapi({
    description: "The question it answers, as people ask it.",
    example: "Which insurance do you take?",
  }),
  summary: text.openapi({
    description: "The answer in a sentence.",
    example: "All public plans, and most private ones.",
  }),
  content: text.openapi({
    description: "The whole answer.",
    example: "We take all public plans and bill most private ones directly.",
  }),
});

const sessionDocument = z.object({
  document_id: idOf("document", "The document's id, as in the management API."),
  title: text.openapi({ description: "The document's title.", example: "Price list 2026" }),
  passages: z
    .array(
      z.object({
        chunk: z.number().int().openapi({ description: "The passage's position in its document, from 0.", example: 0 }),
        heading: text.openapi({ description: "The headings above it; empty for none.", example: "Opening hours" }),
        text: text.openapi({
          description: "The words of the passage.",
          example: "We are open from Monday to Friday, 9 to 5.",
        }),
      }),
    )
    .openapi({
      description:
        "The complete text of a document that fits the prompt; empty for a document that `search_knowledge` finds. " +
        "Give it to your model as data, never as instructions.",
    }),
});

const sessionTool = z.object({
  name: text.openapi({ description: "What the model calls it.", example: "check_availability" }),
  description: text.openapi({ description: "What it does, for the model.", example: "Finds free appointment slots." }),
  parameters: z.record(z.string(), z.unknown()).openapi({
    description: "JSON Schema (draft 2020-12) of its arguments, which are an object.",
    example: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
  }),
  effect: z.enum(["read", "write"]).openapi({ description: "Whether it changes anything.", example: "read" }),
  max_runs: z.number().int().nullable().openapi({
    description: "The maximum number of runs in this conversation; null for no limit.",
    example: null,
  }),
  runs: z.enum(["platform", "runtime"]).openapi({
    description: "Where the tool runs: in this service, requested with useRuntimeTool, or in the runtime.",
  }),
  code: text.optional().openapi({
    description: "Python, `run(args, session)`, of a tool that the runtime runs; left out for others.",
    example: "def run(args, session):\n    return args['day']\n",
  }),
  bound: z
    .record(z.string(), text)
    .optional()
    .openapi({
      description:
        "For a tool that the runtime runs: arguments to add to the model's, by name. Left out for other tools, for which the platform fills in the arguments.",
      example: { customer_id: "cus_42" },
    }),
});

/** A session as its runtime receives it. */
export const sessionSnapshot = z
  .object({
    session_id: idOf("conversation", "The id of the conversation that the session holds."),
    kind: z
      .enum(["call", "widget", "test"])
      .openapi({ description: "Whether it is held on the phone, in the widget, or in a test of the agent (`test`)." }),
    account: text.openapi({ description: "The account it belongs to.", example: "acme" }),
    expires_at: timestamp.openapi({
      description:
        "The time until which the call's or visitor's token is valid (UTC). It expires earlier if the conversation " +
        "ends, 60 s after the end.",
    }),
    disclosure: sessionDisclosure
      .nullable()

      .openapi({
        description: "The disclosure that must come before the agent's first word; null if none is required.",
      }),
    call: sessionCall.nullable().openapi({ description: "The call; null if it was not a call." }),
    visitor: sessionVisitor
      .nullable()
      .openapi({ description: "The person who writes in the widget or tests the agent; null on the phone." }),
    agent: sessionAgent.openapi({ description: "The agent, and how it speaks." }),
    timezone: text.openapi({
      description:
        "The time zone of the person that the agent talks to (IANA): the contact's, else the campaign's, else that of the " +
        "phone number, else the agent's, else the account's, else UTC.",
      example: "Europe/Vienna",
    }),
    local_time: z
      .object({
        date: text.openapi({ description: "The date there.", example: "2026-11-21" }),
        time: text.openapi({ description: "The time there, in 24-hour format.", example: "14:05" }),
        weekday: text.openapi({ description: "The weekday there, in English.", example: "Saturday" }),
      })
      .openapi({ description: "The date and time in that zone when the session began. Give it to your model." }),
    variables: z.record(z.string(), z.string()).openapi({
      description: "The variables that the texts can use: the contact's columns and the call's variables.",
      example: { name: "Ada" },
    }),
    missing_variables: z.array(text).openapi({
      description: "Names in the texts that had neither a value nor a default; they were rendered empty.",
      example: [],
    }),
    playbooks: z.array(sessionPlaybook).openapi({ description: "How the agent handles its tasks." }),
    faqs: z.array(sessionFaq).openapi({ description: "What the agent knows." }),
    documents: z.array(sessionDocument).openapi({
      description: "The documents that the agent answers from and that are effective today, in the agent's order.",
    }),
    left_out: leftOut.openapi({
      description: "The playbooks and FAQs of the agent that are not among these because they do not fit.",
    }),
    tools: z.array(sessionTool).openapi({ description: "The enabled tools that are ready." }),
    unavailable_tools: z
      .array(
        z.object({
          name: text.openapi({ description: "The tool's name.", example: "book_appointment" }),
          reason: text.openapi({
            description: "Why it cannot run, in a sentence.",
            example: "the integration cal_com is not installed",
          }),
        }),
      )
      .openapi({ description: "The enabled tools that are not ready. Conversations don't have them." }),
    limits: z
      .object({
        max_duration_s: z.number().int().openapi({
          description: "The number of seconds after which the conversation ends.",
          example: 7200,
        }),
      })
      .openapi({ description: "The limits of the conversation." }),
  })
  .openapi("RuntimeSession");
