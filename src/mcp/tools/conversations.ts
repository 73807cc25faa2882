import { z } from "zod";
import { MOST_NUMBER_CHARS } from "../../kernel/numbers/written.ts";
import { conversation, kind } from "../../records/conversations/conversation-schema.ts";
import { cut } from "../result.ts";
import { id, limit, looking, type Tool } from "../tool.ts";

/**
 * The maximum number of turns shown at once, the maximum length of one, and the maximum length of all of them,
 * characters.
 */
const TURNS = 40;
const TURN_CHARS = 2_000;
const PAGE_CHARS = 40_000;

const { shape: fields } = conversation;
const summary = z.object({
  id: z.string(),
  kind,
  direction: fields.direction,
  status: fields.status,
  agent_id: z.string().nullable(),
  phone_number: z.string().nullable(),
  disposition: z.string().nullable(),
  end_reason: z.string().nullable(),
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  turn_count: z.number(),
});
const turn = z.object({
  seq: z.number(),
  role: z.string(),
  text: z.string().nullable(),
  tool_call: z.unknown(),
});
const detail = summary.extend({ turns: z.array(turn).nullable() });
const page = z.object({ conversations: z.array(summary), next: z.string().nullable() });
const read = z.object({
  conversation: summary,
  turns: z.array(turn.omit({ tool_call: true }).extend({ tool: z.string().nullable() })),
  next: z.number().nullable().describe("The value to send as after_seq for the next turns; null at the end."),
});

const searchConversations = looking(
  {
    name: "search_conversations",
    title: "Search conversations",
    description:
      "Finds conversations by agent, kind, campaign, phone number and time, newest first, without their " +
      "transcripts.",
    scopes: ["read"],
    input: z.strictObject({
      agent_id: id("Of this agent.").optional(),
      campaign_id: id("Of this campaign.").optional(),
      kind: kind.optional(),
      disposition: z.string().max(200).optional().describe("The outcome that the agent recorded."),
      phone_number: z
        .string()
        .max(MOST_NUMBER_CHARS)
        .optional()
        .describe("With this number, however it is spelled; needs the scope listen or dial."),
      after: z.string().max(500).optional().describe("The `next` of the previous page."),
      limit: limit(50),
    }),
    output: page,
    strangers: true,
  },
  async ({ api }, query) => api.get("/api/v1/conversations", page, query),
);

const readConversation = looking(
  {
    name: "read_conversation",
    title: "Read a conversation",
    description: `Returns the transcript of a conversation, up to ${TURNS} turns at a time.`,
    scopes: ["listen"],
    input: z.strictObject({
      conversation_id: id("The conversation, from search_conversations."),
      after_seq: z.int().min(-1).default(-1).describe("Continues after this turn: the `next` of the previous page."),
    }),
    output: read,
    strangers: true,
  },
  async ({ api }, { conversation_id, after_seq }) => {
    const { turns, ...about } = await api.get(`/api/v1/conversations/${conversation_id}`, detail);
    const rest = (turns ?? []).filter(({ seq }) => seq > after_seq);
    const shown = firstPage(
      rest.slice(0, TURNS).map(({ seq, role, text, tool_call }) => ({
        seq,
        role,
        text: cut(text ?? "", TURN_CHARS),
        tool: tool_call ? cut(JSON.stringify(tool_call), TURN_CHARS) : null,
      })),
    );
    const next = rest.length > shown.length ? (shown.at(-1)?.seq ?? null) : null;
    return { conversation: about, turns: shown, next };
  },
);

/** Returns as many turns as fit into a page, but at least one. */
function firstPage<T>(turns: T[]): T[] {
  let room = PAGE_CHARS;
  const beyond = turns.findIndex((one) => {
    room -= JSON.stringify(one).length;
    return room < 0;
  });
  return beyond === -1 ? turns : turns.slice(0, Math.max(beyond, 1));
}

export const conversationTools: Tool[] = [searchConversations, readConversation];
