import { z } from "@hono/zod-openapi";
import { agents as columns, REDACT_KINDS, VERSIONING } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, label, longText, template, timezone, updatedAt } from "../../kernel/http/fields.ts";
import { inService } from "../../kernel/http/in-service.ts";
import { agentDisclosure } from "../disclosure/fields.ts";
import { faqFields, playbookFields } from "../item-fields.ts";
import { documentMode, documentStatus } from "../knowledge/states-contract.ts";
import { modelName } from "../models/model-name.ts";
import { DEFAULT_MAX_OUTPUT_TOKENS } from "../models/output-limit.ts";
import { isVoiceId } from "../voices/vendors.ts";
import { analysisChanges, analysisSettings, newAnalysisSettings } from "./analysis-fields.ts";
import { CONTEXT_KINDS, MAX_CONTEXT_CHARS } from "./context.ts";
import { languageFields, newLanguageFields, phraseChanges } from "./language-fields.ts";
import { transferTargets } from "./transfer-targets.ts";

/** The silence after which a caller hears the filler by default, and the longest allowed setting, ms. */
const DEFAULT_FILLER_AFTER_MS = 1_500;
const MAX_FILLER_AFTER_MS = 10_000;

/** Fewer tokens would cut off every answer, and a caller would not listen to more. */
const MIN_OUTPUT_TOKENS = 64;
const MAX_OUTPUT_TOKENS = 8_192;

const fields = z.object({
  name: label.openapi({
    description:
      "The agent's name, up to 200 characters; need not be unique. Available as `{{agent_name}}` in its texts.",
    example: "Reception",
  }),
  description: z.string().max(2000).openapi({
    description: "What the agent is for, as a note to those who manage it; callers never hear it.",
    example: "Answers the main line and books appointments.",
  }),
  category: z.enum(columns.category.enumValues).openapi({
    description: "The agent's line of work. It groups agents and has no effect on calls.",
    example: "customer_support",
  }),
  status: z.enum(columns.status.enumValues).openapi({
    description:
      "The agent's status. An `archived` agent isn't in service, and a campaign that runs with it is paused. A " +
      "`draft` places calls but doesn't answer any. An `active` agent does both.",
    example: "active",
  }),
  llm_model: modelName.openapi({
    description:
      "The language model that answers: a name that listModels gives, or `custom_llm:<model>` for a model of your own " +
      "server, which you connect with the integration `custom_llm`. Naming a custom one also needs `connect` and `listen`.",
    example: "gpt-4o",
  }),
  fallback_model: modelName.nullable().openapi({
    type: ["string", "null"],
    description:
      "The model that answers if `llm_model` fails before its first word, named in the same way. Null (the " +
      "default) for none.",
    example: "gpt-4o-mini",
  }),
  voice_provider: z.enum(columns.voice_provider.enumValues).openapi({
    description: "The provider of the agent's voice. A carrier that does not support it uses its own default voice.",
    example: "cartesia",
  }),
  voice_id: z.string().max(200).openapi({
    description: "The provider's id of the voice. Empty: the provider's default voice.",
    example: "sonic-english-1",
  }),
  system_prompt: template(longText).openapi({
    description:
      'The model\'s instructions for each conversation. `{{name}}`, `{{name|default}}` and `{{name | default: "text"}}` ' +
      "are filled in with the " +
      "contact's columns, the call's variables and the built-in ones (`agent_name`, `date`, `to_number` …). Up to 256 KB.",
    example: "You answer the phone at Acme Dental. Be brief, and offer {{name|the caller}} the next free appointment.",
  }),
  greeting_message: template(z.string().max(5000)).openapi({
    description:
      "The agent's first words, with `{{name}}` filled in as in the prompt. If empty, the agent waits for the " +
      "other person to speak.",
    example: "Acme Dental, good morning! How can I help you?",
  }),
  voicemail_message: template(z.string().max(5000)).openapi({
    description:
      "The message to leave when a machine answers and `voicemail` is `leave_message`, with `{{name}}` filled in " +
      "as in the prompt. Campaigns may have a message of their own. Empty: the greeting.",
    example: "Hello {{name|there}}, this is Acme Dental. Please call us back at 202 555 0100.",
  }),
  greeting_mode: z.enum(columns.greeting_mode.enumValues).openapi({
    description:
      "Whether a caller may interrupt the greeting (`interruptible`) or it always plays to the end (`locked`).",
    example: "interruptible",
  }),
  auth_mode: z.enum(columns.auth_mode.enumValues).openapi({
    description:
      "Which visitors may talk to it in the widget: any (`public`), or only signed-in ones (`authenticated`).",
    example: "public",
  }),
  background_audio_enabled: z.boolean().openapi({
    description: "Whether office sounds play in the background, if the runtime holding the call can play them.",
    example: false,
  }),
  background_audio_volume: z.number().min(0).max(1).openapi({
    description: "The volume of those sounds, from 0 (silent) to 1 (as loud as the voice).",
    example: 0.5,
  }),
  noise_suppression_enabled: z.boolean().openapi({
    description: "Whether noise around the caller is filtered out, if the runtime holding the call can do so.",
    example: true,
  }),
  ringing_enabled: z.boolean().openapi({
    description: "Whether a ringing tone plays before the greeting, if the runtime can play one.",
    example: false,
  }),
  transfer_targets: transferTargets,
  max_output_tokens: z
    .number()
    .int()
    .min(MIN_OUTPUT_TOKENS)
    .max(MAX_OUTPUT_TOKENS)
    .openapi({
      description:
        "The maximum number of tokens that the model may write in one answer, from 64 to 8,192 (default 1,000). " +
        "Every request to the model carries this limit, and budgets reserve it before the request is sent.",
      example: 1_000,
    }),
  filler_after_ms: z
    .number()
    .int()
    .min(0)
    .max(MAX_FILLER_AFTER_MS)
    .openapi({
      description:
        "The milliseconds of silence after which a caller hears a short filler while the agent works, from 0 to " +
        "10,000 (default 1,500); 0 turns it off. The filler is said once per wait, and never in chats.",
      example: 1_500,
    }),
  timezone: timezone.nullable().openapi({
    type: ["string", "null"],
    description:
      "The IANA time zone that the agent uses if the contact, the campaign and the phone number have none. The " +
      "agent gets the date and time there. Null (the default): the account's (see getOwnAccount).",
    example: "Europe/Vienna",
  }),
  ...languageFields,
  storage: z.enum(columns.storage.enumValues).openapi({
    description:
      "What is stored of the agent's conversations: everything (`all`, the default), everything except what " +
      "`redact` names (`redacted`), or only counts and times, without turns (`metadata`). The last two also store " +
      "no audio and no keypad digits. The model, the agent's tools and the people in the conversation always get " +
      "the real words. Applies to conversations that begin afterwards.",
    example: "redacted",
  }),
  redact: z
    .array(z.enum(REDACT_KINDS))
    .transform((kinds) => [...new Set(kinds)])
    .openapi({
      description:
        "What is replaced in the record if `storage` is `redacted` (default: all of them): payment cards, IBANs, " +
        "email addresses, phone numbers and US social security numbers, by `[CARD]`, `[IBAN]`, `[EMAIL]`, `[PHONE]` " +
        "and `[SSN]`. Only valid values are replaced, judged by their check digits or issuing rules. They are also " +
        "found if they are spoken in English number words or spread over several turns of one speaker.",
      example: ["card", "iban"],
    }),
  analysis: analysisSettings,
  disclosure: agentDisclosure,
  versioning: z.enum(VERSIONING).openapi({
    description:
      "Which version conversations use: the draft, as soon as it is saved (`auto`, the default), or the version " +
      "that was published last (`manual`), so that changes have no effect until publishAgent. Under `manual`, an " +
      "agent that was never published isn't in service. Switching to `auto` makes the draft live at once, without " +
      "required tests.",
    example: "auto",
  }),
  template_id: z.string().max(200).nullable().openapi({
    description: "The marketplace template that the agent was created from, up to 200 characters; null for none.",
    example: EXAMPLE_IDS.template,
  }),
});

export const versionedFields = fields.pick({
  name: true,
  llm_model: true,
  fallback_model: true,
  voice_provider: true,
  voice_id: true,
  system_prompt: true,
  greeting_message: true,
  voicemail_message: true,
  greeting_mode: true,
  background_audio_enabled: true,
  background_audio_volume: true,
  noise_suppression_enabled: true,
  ringing_enabled: true,
  transfer_targets: true,
  max_output_tokens: true,
  filler_after_ms: true,
  timezone: true,
  language: true,
  languages: true,
  key_terms: true,
  phrases: true,
  storage: true,
  redact: true,
  analysis: true,
});

/**
 * A voice's id in a request. An id that was stored earlier may be any text, so ids are encoded wherever they are used.
 */
const voiceId = fields.shape.voice_id.refine(isVoiceId, {
  error: "must be a voice's id, without slashes and control characters",
});

export const newAgentFields = fields.extend({
  description: fields.shape.description.default(""),
  category: fields.shape.category.default("custom"),
  status: fields.shape.status.default("draft"),
  llm_model: fields.shape.llm_model.default("gpt-4o"),
  fallback_model: fields.shape.fallback_model.default(null),
  voice_provider: fields.shape.voice_provider.default("cartesia"),
  voice_id: voiceId.default(""),
  system_prompt: fields.shape.system_prompt.default(""),
  greeting_message: fields.shape.greeting_message.default(""),
  voicemail_message: fields.shape.voicemail_message.default(""),
  greeting_mode: fields.shape.greeting_mode.default("interruptible"),
  auth_mode: fields.shape.auth_mode.default("authenticated"),
  background_audio_enabled: fields.shape.background_audio_enabled.default(false),
  background_audio_volume: fields.shape.background_audio_volume.default(0.5),
  noise_suppression_enabled: fields.shape.noise_suppression_enabled.default(true),
  ringing_enabled: fields.shape.ringing_enabled.default(false),
  transfer_targets: fields.shape.transfer_targets.default([]),
  max_output_tokens: fields.shape.max_output_tokens.default(DEFAULT_MAX_OUTPUT_TOKENS),
  filler_after_ms: fields.shape.filler_after_ms.default(DEFAULT_FILLER_AFTER_MS),
  timezone: fields.shape.timezone.default(null),
  ...newLanguageFields,
  storage: fields.shape.storage.default("all"),
  redact: fields.shape.redact.default([...REDACT_KINDS]),
  analysis: newAnalysisSettings,
  disclosure: agentDisclosure.default("account"),
  versioning: fields.shape.versioning.default("auto"),
  template_id: fields.shape.template_id.default(null),
});

export type NewAgent = z.output<typeof newAgentFields>;

export const agentChanges = fields
  .extend({ voice_id: voiceId, analysis: analysisChanges, phrases: phraseChanges })
  .partial();
export type AgentChanges = z.output<typeof agentChanges>;

export const agentId = idOf("agent", "The agent's id, as listAgents gives it.");
/** The creator of something, in the form that the audit log uses for actors. */
export const author = z.string().openapi({
  description: "Who created it: `api_key:<id>` or `console:<user id>`, as in the audit log.",
  example: `console:${EXAMPLE_IDS.user}`,
});
export const toolName = z.string().openapi({
  description: "The tool's name, as used by the model and in paths.",
  example: "book_appointment",
});
const shownName = z.string().openapi({ description: "The tool's name for people.", example: "Book appointment" });
export const toolEnabled = z.boolean().openapi({
  description: "Whether conversations of this agent may use the tool; a disabled one keeps its configuration.",
  example: true,
});

/** Whether a tool can run with the account's integrations and the runtime in use. */
export const toolReadiness = z.object({
  ready: z.boolean().openapi({
    description:
      "Whether every integration that the tool refers to is installed with all required values, and the current " +
      "runtime can run the tool. A Python tool needs your own runtime, unless it is built in.",
    example: false,
  }),
  reason: z.string().nullable().openapi({
    description:
      "Why the tool is not ready, in a sentence; until it is ready, conversations go without it. Null if it is ready.",
    example: "the integration cal_com is not installed",
  }),
});

const agentFaq = z
  .object({
    id: idOf("faq", "The id of the FAQ that is attached, for getFaq."),
    ...faqFields.pick({ name: true, title: true, summary: true, content: true, category: true }).shape,
  })
  .openapi("AgentFAQ", { description: "An FAQ, as its agents show it." });

const agentPlaybook = z
  .object({
    id: idOf("playbook", "The id of the playbook that is attached, for getPlaybook."),
    ...playbookFields.pick({ name: true, display_name: true, description: true, category: true, tool_names: true })
      .shape,
  })
  .openapi("AgentPlaybook", { description: "A playbook, as its agents show it." });

export const agentDocument = z
  .object({
    document_id: idOf("document", "The document that is attached, for getDocument."),
    title: z.string().openapi({ description: "What it is called.", example: "Price list 2026" }),
    mode: documentMode,
    status: documentStatus,
  })
  .openapi("AgentDocument");

const agentToolState = z
  .object({ tool_name: toolName, display_name: shownName, enabled: toolEnabled })
  .extend(toolReadiness.shape)
  .openapi("AgentToolState");

/** Playbooks and FAQs that conversations don't get. */
export const leftOut = z.array(
  z
    .object({
      kind: z.enum(CONTEXT_KINDS).openapi({ description: "Whether it is a playbook or an FAQ.", example: "faq" }),
      name: z.string().openapi({ description: "Its name in the account.", example: "insurance_plans" }),
    })
    .openapi("LeftOut"),
);

export const agent = fields
  .extend({
    id: idOf("agent", "The agent's id, by which calls, numbers, campaigns and widget keys name it."),
    active_prompt_id: idOf("prompt", "The version of the prompt that is in use; see listAgentPrompts.").nullable(),
    published_version: z.number().int().nullable().openapi({
      description: "The number of the version that was published last; null before the first. See listAgentVersions.",
      example: 3,
    }),
    faqs: z.array(agentFaq).openapi({ description: "The agent's FAQs, in their order (see orderAgentAttachments)." }),
    playbooks: z.array(agentPlaybook).openapi({
      description: "The agent's playbooks, in their order (see orderAgentAttachments).",
    }),
    knowledge: z
      .array(agentDocument)
      .openapi({ description: "The documents that it answers from, as they were attached." }),
    left_out: leftOut.openapi({
      description:
        `The attached playbooks and FAQs that conversations go without because they exceed ` +
        `${MAX_CONTEXT_CHARS.toLocaleString("en-US")} characters together, titles included: playbooks come first, each kind ` +
        "in its order, and each is taken whole if there is room left. Shorten or detach some, or change their order.",
      example: [],
    }),
    tools: z.array(agentToolState).openapi({
      description: "The agent's tools, enabled or not, in their order (see orderAgentAttachments).",
    }),
    in_service: inService.openapi({
      description: "Where it is in service: on the phone, in campaigns and in the widget, and why not where it isn't.",
    }),
    created_by: author,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Agent");

const params = z.object({ id: agentId });
const slice = { access: "account", tag: "Agents" } as const;
const unknown = { 404: "unknown agent" };

export const listAgents = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listAgents",
  summary: "List every agent, newest first",
  description: "Returns all agents with their playbooks, FAQs and tools, without paging.",
  kept: true,
  status: 200,
  response: z.array(agent),
});

export const createAgent = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents",
  scope: ["build"],
  operationId: "createAgent",
  summary: "Create an agent",
  description:
    "Only `name` is required. Its prompt becomes the first prompt version. Playbooks, FAQs and tools are attached afterwards.",
  body: newAgentFields,
  status: 201,
  response: agent,
});

export const getAgent = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}",
  scope: ["read"],
  ofAgents: "path",
  operationId: "getAgent",
  summary: "Get an agent",
  description: "The agent with its playbooks, FAQs and tools.",
  params,
  kept: true,
  revised: true,
  status: 200,
  response: agent,
  errors: unknown,
});

export const updateAgent = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/agents/{id}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "updateAgent",
  summary: "Change an agent; a changed system prompt becomes a new prompt version",
  description:
    "Fields left out stay as they are. Some changes need more scopes, even for a draft: `manage` if more is " +
    "stored or less redacted, or if `disclosure` becomes anything but `account`; `dial` if `transfer_targets` " +
    "change; and the scopes of publishAgent if `versioning` is switched.",
  params,
  body: agentChanges,
  revised: true,
  status: 200,
  response: agent,
  errors: unknown,
});

export const deleteAgent = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/agents/{id}",
  scope: ["build"],
  ofAgents: "path",
  operationId: "deleteAgent",
  summary: "Delete an agent; numbers pinned to it are unpinned",
  description:
    "Deletes the agent. Numbers and widget keys pinned to it have no agent until you assign another one. Its " +
    "calls are kept.",
  params,
  status: 204,
  errors: { ...unknown, 409: "a running campaign uses the agent" },
});
