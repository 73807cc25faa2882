import { z } from "@hono/zod-openapi";
import { columns, content, personNumber, withExample } from "../../kernel/http/content.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { timestamp } from "../../kernel/http/fields.ts";
import { testOutcome } from "../../kernel/http/test-outcome.ts";
import { VERDICTS } from "../analysis/analysis.ts";
import { CALL_STATUSES } from "../ledger/call-status.ts";
import { END_REASONS } from "../ledger/end-reason.ts";

const text = z.string();
const count = (description: string, example: number) => z.number().int().openapi({ description, example });
const duration = (description: string, example: number) =>
  z.number().int().nullable().openapi({ description, example });
const path = (description: string, example: string) =>
  text.openapi({ description, example: `https://api.example.com${example}` });

const agentId = idOf("agent", "The agent; it may have been deleted since.");
const campaignOfCall = idOf("campaign", "The campaign that placed the call; null for any other.").nullable();
const contactOfCall = idOf("contact", "The campaign's contact that was called; null for any other.").nullable();
const callOf = idOf("call", "The call it belongs to; null if it was not a call.").nullable();

const agentOfConversation = agentId
  .nullable()
  .openapi({ description: "The agent that held the conversation; null if there is none." });

const call = z.object({
  call_id: idOf("call", "The call, for getCall."),
  direction: z.enum(["outbound", "inbound"]).openapi({
    description: "Whether the account placed the call (`outbound`) or received it (`inbound`).",
    example: "outbound",
  }),
  status: z
    .enum(CALL_STATUSES)
    .openapi({ description: "The call's status when the event was recorded.", example: "completed" }),
  agent_id: agentId,
  campaign_id: campaignOfCall,
  contact_id: contactOfCall,
  from_number: personNumber(text, { description: "The calling number (E.164).", example: "+12025550100" }),
  to_number: personNumber(text, { description: "The called number (E.164).", example: "+12025550143" }),
  conversation_id: idOf("conversation", "The conversation held on it; null while there is none.").nullable(),
  end_reason: z.enum(END_REASONS).nullable().openapi({
    description: "Why the call ended; null while it is in progress.",
    example: "answered",
  }),
  duration_ms: duration(
    "Milliseconds from the answer to the end; null if nobody answered or it has not ended.",
    72_000,
  ),
  url: path("The call's address.", `/api/v1/calls/${EXAMPLE_IDS.call}`),
});

const conversation = z.object({
  conversation_id: idOf("conversation", "The conversation, for getConversation."),
  kind: z.enum(["call", "widget", "test"]).openapi({
    description: "Where it was held: on the phone, in the widget, or in a test of the agent.",
    example: "call",
  }),
  status: z
    .enum(["live", "ended"])
    .openapi({ description: "Its status when the event was recorded.", example: "ended" }),
  agent_id: agentId,
  call_id: callOf,
  campaign_id: campaignOfCall,
  contact_id: contactOfCall,
  visitor_type: z.enum(["guest", "user"]).nullable().openapi({
    description: "Whether the visitor is identified by your server (`user`) or a `guest`; null on the phone.",
    example: null,
  }),
  end_reason: text.nullable().openapi({
    description: "Why it ended, in a word, as in the conversation; null while it is live.",
    example: "caller_hung_up",
  }),
  disposition: content(text, {
    description: "The last outcome that the agent recorded; null if it recorded none.",
    example: "appointment_booked",
  }),
  turn_count: count("Turns of either side, not counting tools.", 6),
  tool_call_count: count("The number of tool calls by the agent.", 1),
  duration_ms: duration("Milliseconds from the beginning to the end; null while it is live.", 72_000),
  url: path("The conversation's address.", `/api/v1/conversations/${EXAMPLE_IDS.conversation}`),
});

const held = conversation.extend({
  transcript_url: path(
    "The address of the transcript, for callers with the scope `listen`.",
    `/api/v1/conversations/${EXAMPLE_IDS.conversation}/transcript`,
  ).nullable(),
});

const undisclosed = conversation
  .pick({ kind: true, agent_id: true, call_id: true, campaign_id: true, contact_id: true })
  .extend({
    conversation_id: idOf("conversation", "The conversation; null if the call ended before one began.").nullable(),
    text: text.openapi({
      description: "The sentence that should have been said.",
      example: "You are talking to an AI assistant of Acme Dental.",
    }),
    url: path("The address of the conversation, or of the call if there is none.", `/api/v1/calls/${EXAMPLE_IDS.call}`),
  });

const recording = z.object({
  recording_id: idOf("recording", "The recording, for getRecording."),
  call_id: idOf("call", "The call that was recorded."),
  agent_id: agentId,
  campaign_id: campaignOfCall,
  duration_ms: duration("Its length in milliseconds; null if the carrier does not say.", 72_000),
  size_bytes: count("The size of the audio, bytes.", 288_044),
  content_type: text.openapi({ description: "The audio's media type.", example: "audio/wav" }),
  url: path("The recording's address.", `/api/v1/recordings/${EXAMPLE_IDS.recording}`),
});

const campaign = z.object({
  campaign_id: idOf("campaign", "The campaign, for getCampaign."),
  name: text.openapi({ description: "The campaign's name.", example: "Spring offer" }),
  status: z
    .enum(["draft", "running", "paused", "stopped", "completed"])
    .openapi({ description: "Its status from then on.", example: "running" }),
  status_reason: text.nullable().openapi({
    description: "Why it paused itself, as in the campaign; null if a person paused it or there is no reason.",
    example: null,
  }),
  agent_id: agentId.nullable().openapi({ description: "The agent that calls; null while none is set." }),
  total_contacts: count("How many contacts it has.", 49),
  counts: z.record(text, z.number().int()).openapi({
    description: "The number of contacts in each status when the event happened.",
    example: { pending: 12, originated: 2, connected: 3, completed: 29, failed: 3, cancelled: 0 },
  }),
  url: path("The campaign's address.", `/api/v1/campaigns/${EXAMPLE_IDS.campaign}`),
});

const contact = z.object({
  campaign_id: idOf("campaign", "The contact's campaign."),
  contact_id: idOf("contact", "The contact, for getCampaignContact."),
  agent_id: agentId.nullable().openapi({ description: "The agent that calls." }),
  phone_number: personNumber(text, { description: "The contact's number (E.164).", example: "+12025550111" }),
  status: z.enum(["completed", "failed"]).openapi({
    description: "Its status from then on: `completed` if it was reached.",
    example: "completed",
  }),
  outcome: text.nullable().openapi({
    description: "How the latest call ended, as in the contact, or why no call may be placed.",
    example: "answered",
  }),
  reason: text.nullable().openapi({
    description: "Why it failed, as in the campaign's events; null if it was reached.",
    example: null,
  }),
  attempt_count: count("How often it was called.", 1),
  call_id: idOf("call", "The latest call; null if none was placed.").nullable(),
  url: path("The contact's address.", `/api/v1/campaigns/${EXAMPLE_IDS.campaign}/contacts/${EXAMPLE_IDS.contact}`),
});

const optOut = z.object({
  phone_number: personNumber(text, {
    description: "The number that must not be called (E.164).",
    example: "+12025550143",
  }),
  reason: columns(text, {
    description: "The reason that was recorded with the number; null if none was.",
    example: "asked on the phone not to be called",
  }),
  conversation_id: idOf(
    "conversation",
    "The conversation in which the person opted out; null if the number was added otherwise.",
  ).nullable(),
  agent_id: agentOfConversation,
  url: path("The address of the do-not-call list.", "/api/v1/do-not-call"),
});

const toolRun = z.object({
  run_id: idOf("toolRun", "The run's id, as sent to the tool's service in `Idempotency-Key`."),
  tool_name: text.openapi({ description: "The name by which agents know the tool.", example: "check_availability" }),
  conversation_id: idOf(
    "conversation",
    "The conversation in which the agent used it; null for a run by the API.",
  ).nullable(),
  agent_id: agentOfConversation,
  status: z.number().int().nullable().openapi({
    description: "The HTTP status of the service's response; null if there was none.",
    example: 503,
  }),
  duration_ms: count("The duration, in milliseconds.", 184),
  url: path("The address of the tool's latest runs.", "/api/v1/tools/check_availability/runs"),
});

const published = z.object({
  agent_id: idOf("agent", "The agent, for getAgent."),
  version: count("The number of the version that was published, for getAgentVersion.", 3),
  hash: text.openapi({
    description: "SHA-256 of its content, hexadecimal.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
  published_by: text.openapi({
    description: "Who published it, `api_key:<id>` or `console:<user id>`.",
    example: `console:${EXAMPLE_IDS.user}`,
  }),
  url: path("The version's address.", `/api/v1/agents/${EXAMPLE_IDS.agent}/versions/3`),
});

const document = z.object({
  document_id: idOf("document", "The document, for getDocument."),
  status: z.enum(["ready", "failed"]).openapi({
    description: "How its processing ended. After `failed`, agents keep the previous text.",
    example: "ready",
  }),
  reason: text.nullable().openapi({ description: "Why it failed, in a word; null if it did not.", example: null }),
  language: text
    .nullable()
    .openapi({ description: "The language of its text (BCP 47); null if unknown.", example: "en" }),
  chunks: count("The number of its passages that agents can find.", 42),
  url: path("The document's address.", `/api/v1/knowledge/${EXAMPLE_IDS.document}`),
});

const endingModel = z.object({
  agent_id: idOf("agent", "The agent that names the model, for getAgent."),
  model: text.openapi({ description: "The model, as the agent names it.", example: "gpt-4o" }),
  ends_at: timestamp.openapi({
    description: "When its vendor stops serving it (UTC).",
    example: "2027-01-14T00:00:00.000Z",
  }),
  replaced_by: text.nullable().openapi({
    description: "The model that answers from then on; null if none does.",
    example: "gpt-6-luna",
  }),
  url: path("The agent's address.", `/api/v1/agents/${EXAMPLE_IDS.agent}`),
});

const budget = z.object({
  budget_id: idOf("budget", "The budget, for getBudget."),
  scope: z.enum(["account", "agent", "campaign", "api_key"]).openapi({
    description: "What the budget is for.",
    example: "agent",
  }),
  scope_id: z.uuid().nullable().openapi({
    description: "The id of that agent, campaign or API key; null for the whole account.",
    example: EXAMPLE_IDS.agent,
  }),
  period: z.enum(["day", "month"]).openapi({ description: "The budget's period, in UTC.", example: "day" }),
  unit: z.enum(["tokens", "call_minutes", "speech_chars", "usd_micros"]).openapi({
    description: "What it counts.",
    example: "tokens",
  }),
  limit: z.number().openapi({ description: "How much may be used in a period, in the unit.", example: 2_000_000 }),
  used: z.number().openapi({ description: "The amount used by then, in the unit.", example: 1_600_312 }),
  share: z.number().openapi({
    description: "The share of the limit that was reached, one of the budget's `warn_at`; 1 for the limit itself.",
    example: 0.8,
  }),
  resets_at: timestamp.openapi({ description: "When the period ends (UTC).", example: "2026-11-22T00:00:00.000Z" }),
  url: path("The budget's address.", `/api/v1/budgets/${EXAMPLE_IDS.budget}`),
});

const ofWebhook = {
  webhook_id: idOf("webhook", "The webhook, for getWebhook."),
  host: text.openapi({ description: "The host of its address.", example: "shop.example" }),
};
const webhookUrl = path("The webhook's address here.", `/api/v1/webhooks/${EXAMPLE_IDS.webhook}`);

const disabledWebhook = z.object({
  ...ofWebhook,
  reason: z.enum(["gone", "failing"]).openapi({
    description: "`gone`: the address responded with 410; `failing`: nothing succeeded for 5 days.",
    example: "failing",
  }),
  failing_since: timestamp.nullable().openapi({
    description: "When deliveries began to fail without a success (UTC); null if the previous attempt succeeded.",
    example: "2026-11-16T09:30:00.000Z",
  }),
  url: webhookUrl,
});

const missingWebhook = z.object({
  ...ofWebhook,
  missed: count("The number of events of the account, of any type, that expired before it processed them.", 1_200),
  url: webhookUrl,
});

const analyzed = z.object({
  conversation_id: conversation.shape.conversation_id,
  kind: conversation.shape.kind,
  agent_id: agentId,
  call_id: callOf,
  campaign_id: campaignOfCall,
  contact_id: contactOfCall,
  status: z.enum(["done", "failed", "skipped"]).openapi({
    description: "Its result; `skipped` if no person said anything, or no turns are stored.",
    example: "done",
  }),
  successful: z.enum(VERDICTS).openapi({
    description: "Whether the conversation met its agent's criteria; `unknown` where there are none.",
    example: "success",
  }),
  url: path("The conversation's address.", `/api/v1/conversations/${EXAMPLE_IDS.conversation}`),
});

/** Returns the schema of a whole event as clients receive it. */
function eventOf<const T extends string, D extends z.ZodObject>(type: T, data: D, description: string) {
  const name = type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return z
    .object({
      id: idOf("event", "The event's id, the same in the list, in streams and wherever it is sent."),
      type: z.literal(type).openapi({ description: "What happened.", example: type }),
      at: timestamp.openapi({ description: "When it happened (UTC)." }),
      sequence: z.number().int().min(1).openapi({
        description: "Its position in the account's sequence of events, in the order in which they were recorded.",
        example: 1042,
      }),
      data: data.openapi({ description: "Ids, the status and small fields of the resource that the event is about." }),
    })
    .openapi(`Event${name}`, { description });
}

/** Replaces the examples of some fields of the data. */
function shown<D extends z.ZodObject>(data: D, examples: Partial<z.output<D>>): D {
  const other = new Map(Object.entries(examples));
  const fields = Object.entries(data.shape).map(([name, field]) => {
    return [name, other.has(name) ? withExample(field, other.get(name)) : field];
  });
  return z.object(Object.fromEntries(fields)) as D;
}

const testRun = z.object({
  run_id: idOf("testRun", "The run, for getTestRun."),
  agent_id: agentId,
  status: z.enum(["running", "completed", "failed"]).openapi({
    description:
      "`completed` once every conversation was held, whatever the results; `failed` if it could not continue.",
    example: "completed",
  }),
  reason: text.nullable().openapi({
    description: "Why it could not continue, in a word; null for a completed run.",
    example: null,
  }),
  version: count("The number of the version that was tested.", 4),
  hash: text.openapi({
    description: "The version's hash.",
    example: "9f2c4a71be03d5586c1f7aa04d2e93b85f60c1de7784a9023b5ce6f1d0a48e37",
  }),
  conversations: count("How many conversations there were to hold: each test as often as it was repeated.", 6),
  done: count("The number of conversations that were held.", 6),
  passed: count("How many of those passed.", 5),
  failed: count("How many of those failed.", 1),
  model_failed: count("The number of those that say nothing about the agent, because its model failed.", 0),
  tests: z.array(testOutcome).openapi({
    description: "The result of each test.",
    example: [{ test_id: EXAMPLE_IDS.test, state: "passed", counts: { passed: 5, failed: 1, model_failed: 0 } }],
  }),
  url: path("The run's address.", `/api/v1/test-runs/${EXAMPLE_IDS.testRun}`),
});

const ringing = shown(call, { status: "initiated", conversation_id: null, end_reason: null, duration_ms: null });
const answered = shown(call, { status: "in-progress", conversation_id: null, end_reason: null, duration_ms: null });
const begun = shown(conversation, {
  status: "live",
  end_reason: null,
  disposition: null,
  turn_count: 0,
  tool_call_count: 0,
  duration_ms: null,
});
const usedUp = shown(budget, { used: 2_000_000, share: 1 });

/**
 * The events that happen to an account's resources and are sent to clients, by type. A type is listed once code emits
 * it. Events are kept for weeks, so a field that is added later needs a default.
 */
export const EVENTS = {
  "call.started": eventOf("call.started", ringing, "An outgoing or incoming call began."),
  "call.answered": eventOf("call.answered", answered, "A person or a machine answered a call."),
  "call.ended": eventOf("call.ended", call, "A call has ended, whatever its outcome."),
  "conversation.started": eventOf("conversation.started", begun, "An agent began a conversation."),
  "conversation.ended": eventOf("conversation.ended", held, "A conversation has ended."),
  "conversation.analyzed": eventOf(
    "conversation.analyzed",
    analyzed,
    "The analysis of a conversation has ended. Its results are in the conversation.",
  ),
  "conversation.disclosure_missing": eventOf(
    "conversation.disclosure_missing",
    undisclosed,
    "A person left a call or conversation before the disclosure was made.",
  ),
  "recording.ready": eventOf("recording.ready", recording, "The recording of a call is stored and can be fetched."),
  "campaign.started": eventOf("campaign.started", campaign, "A campaign started calling."),
  "campaign.paused": eventOf(
    "campaign.paused",
    shown(campaign, { status: "paused" }),
    "A campaign was paused, or paused itself.",
  ),
  "campaign.resumed": eventOf(
    "campaign.resumed",
    shown(campaign, { name: "Autumn offer" }),
    "A paused campaign was resumed.",
  ),
  "campaign.stopped": eventOf(
    "campaign.stopped",
    shown(campaign, { status: "stopped" }),
    "A campaign was stopped permanently.",
  ),
  "campaign.completed": eventOf(
    "campaign.completed",
    shown(campaign, { status: "completed" }),
    "All contacts of a campaign are done.",
  ),
  "contact.completed": eventOf("contact.completed", contact, "A campaign reached a contact, and the call has ended."),
  "contact.failed": eventOf(
    "contact.failed",
    shown(contact, { status: "failed", outcome: "busy" }),
    "A campaign stopped trying to reach a contact.",
  ),
  "opt_out.added": eventOf("opt_out.added", optOut, "A number was put on the do-not-call list."),
  "tool_run.failed": eventOf("tool_run.failed", toolRun, "A tool that an agent or the API ran did not succeed."),
  "agent.published": eventOf(
    "agent.published",
    published,
    "A version of an agent was published. New conversations use it.",
  ),
  "model.ending": eventOf(
    "model.ending",
    endingModel,
    "A model that an agent uses is retired within 30 days. Sent once for each agent and model.",
  ),
  "document.ready": eventOf("document.ready", document, "A document was read. Its agents can now find its text."),
  "document.failed": eventOf(
    "document.failed",
    shown(document, { status: "failed", reason: "no_text", chunks: 0 }),
    "A document could not be read.",
  ),
  "test_run.completed": eventOf(
    "test_run.completed",
    testRun,
    "A run of an agent's tests has ended, because all of its conversations were held or it could not continue.",
  ),
  "budget.warned": eventOf("budget.warned", budget, "The use of a budget reached a share at which to warn."),
  "budget.reached": eventOf("budget.reached", usedUp, "A budget is used up."),
  "webhook.disabled": eventOf(
    "webhook.disabled",
    disabledWebhook,
    "A webhook was disabled because its address is gone or failing. The event is not sent to that webhook itself.",
  ),
  "webhook.missed": eventOf(
    "webhook.missed",
    missingWebhook,
    "A webhook fell so far behind that events expired before it could send them.",
  ),
};

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export type EventData<T extends EventType> = z.output<(typeof EVENTS)[T]["shape"]["data"]>;

/** Returns the first of these types that this release does not know; undefined if it knows all. */
export function unknownType(types: string[]): string | undefined {
  return types.find((type) => !isEventType(type));
}

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(EVENTS, name);
}
