/* Finds the passages of documents that a turn of the agent is based on. */
import type { KnownDocument } from "../../../agent/knowledge/known-documents.ts";
import { wordsOf } from "../../../agent/knowledge/text/words.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import { MAX_SOURCES, type TurnSource } from "../../../records/conversations/sources.ts";
import { documentPassages } from "../built-in/document-passages.ts";

/** A sentence is based on a passage that contains at least this many of its longer words, and this share of them. */
const MIN_SHARED_WORDS = 2;
const MIN_SHARE = 0.7;
/** Shorter Latin words occur in every text. */
const SHORT_WORD = /^[a-z]{1,3}$/;
const SENTENCE_END = /(?<=[.!?:])\s+|(?<=[。！？])|\n+/u;

/**
 * Returns the sources of a turn: first the passages that searches found since the other side last spoke, then the
 * passages in the prompt that share the most words with one of its sentences. `earlier` contains the previous events in
 * order of arrival.
 */
function turnSources(
  text: string,
  earlier: readonly { event: ConversationEvent }[],
  documents: readonly KnownDocument[],
): TurnSource[] {
  const sources = [...searchedSources(earlier), ...promptSources(text, documents)];
  const byPassage = new Map(sources.map((source) => [`${source.document_id} ${source.chunk}`, source]));
  return [...byPassage.values()].slice(0, MAX_SOURCES);
}

/** Adds sources to an event if it is a turn of the agent without them. */
export function withSources(
  event: ConversationEvent,
  earlier: readonly { event: ConversationEvent }[],
  documents: readonly KnownDocument[],
): ConversationEvent {
  if (event.type !== "agent_turn" || event.sources !== undefined) return event;
  const sources = turnSources(event.text, earlier, documents);
  return sources.length === 0 ? event : Object.assign({}, event, { sources });
}

function searchedSources(earlier: readonly { event: ConversationEvent }[]): TurnSource[] {
  const since = earlier.slice(earlier.findLastIndex(({ event }) => event.type === "user_turn") + 1);
  const searches = new Set(
    since.flatMap(({ event }) =>
      event.type === "tool_call" && event.name === "search_knowledge" ? [event.tool_call_id] : [],
    ),
  );
  return since.flatMap(({ event }) => {
    if (event.type !== "tool_result" || !searches.has(event.tool_call_id)) return [];
    return documentPassages(event.result).map(({ source: { document_id, chunk, heading } }) => ({
      document_id,
      chunk,
      heading,
    }));
  });
}

function promptSources(text: string, documents: readonly KnownDocument[]): TurnSource[] {
  if (documents.every(({ passages }) => passages.length === 0)) return [];
  const sentences = text.split(SENTENCE_END).map(longWords);
  return documents.flatMap(({ document_id, title, passages }) =>
    passages.flatMap(({ chunk, heading, text: passage }) => {
      const words = longWords(`${title}\n${heading}\n${passage}`);
      return sentences.some((sentence) => repeats(sentence, words)) ? [{ document_id, chunk, heading }] : [];
    }),
  );
}

const longWords = (text: string) => new Set(wordsOf(text).filter((word) => !SHORT_WORD.test(word)));

function repeats(sentence: ReadonlySet<string>, passage: ReadonlySet<string>): boolean {
  const shared = [...sentence].filter((word) => passage.has(word)).length;
  return shared >= MIN_SHARED_WORDS && shared >= MIN_SHARE * sentence.size;
}
