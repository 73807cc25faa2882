import { z } from "zod";
import { MAX_QUERY_CHARS } from "../../../agent/knowledge/limits.ts";
import { queryWords } from "../../../agent/knowledge/text/common-words.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import type { AskedQuestion } from "../../../records/ledger/report.ts";
import { redactConversation } from "../../../records/privacy/redaction/redact-conversation.ts";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";

const nothingFound = z.object({ results: z.array(z.never()) });
const searched = z.object({ query: z.string().trim().min(1) });
const MAX_QUESTION_CHARS = 500;

/**
 * Returns the questions of a conversation for which a search found nothing, redacted as its record is. Without stored
 * content there are none.
 */
export function unansweredQuestions(
  conversation_id: string,
  events: ConversationEvent[],
  policy: StoragePolicy,
): AskedQuestion[] {
  const isEmpty = (event: ConversationEvent) =>
    event.type === "tool_result" && event.ok && nothingFound.safeParse(event.result).success;
  if (!events.some(isEmpty)) return [];
  const searches = new Map<string, AskedQuestion>();
  const found: AskedQuestion[] = [];
  let said = "";
  for (const event of redactConversation(events, policy)) {
    if (event.type === "user_turn") said = event.text;
    if (event.type === "tool_call" && event.name === "search_knowledge") {
      const { data } = searched.safeParse(event.arguments);
      const id = `${conversation_id}/${event.seq}`;
      if (data) searches.set(event.tool_call_id, asked(id, event.at, { said, query: data.query }));
    }
    if (event.type !== "tool_result") continue;
    const search = searches.get(event.tool_call_id);
    if (search && isEmpty(event)) found.push(search);
    searches.delete(event.tool_call_id);
  }
  return found;
}

function asked(id: string, at: string, { said, query }: { said: string; query: string }): AskedQuestion {
  const question = said.slice(0, MAX_QUESTION_CHARS).toWellFormed();
  const short = query.slice(0, MAX_QUERY_CHARS).toWellFormed();
  return { id, at, question, query: short, topic: topicOf(short) };
}

/** Returns the searched words of a query, sorted. Numbers are left out because they may identify a person. */
function topicOf(query: string): string {
  const words = queryWords(query).filter((word) => !/\p{N}/u.test(word));
  return [...new Set(words)].toSorted().join(" ");
}
