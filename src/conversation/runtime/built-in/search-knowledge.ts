import { beginningOf } from "../../../kernel/http/plain-text.ts";
import { type Entry, type Knowledge, knowledgeOf, ranked } from "../models/scripted/knowledge.ts";
import { rootsOf } from "../models/scripted/words.ts";
import type { SessionSnapshot } from "../session/session.ts";

/** What is searched: everything that the agent knows. */
export type Searched = Pick<SessionSnapshot, "faqs" | "playbooks">;

/** Something that was found, with its source. */
export interface SearchResult {
  source: { kind: "faq" | "playbook"; name: string; title: string };
  text: string;
}

/** The most characters of a query that count, and of the contents that are searched. */
const MAX_QUERY_CHARS = 300;
const MAX_SEARCHED_CHARS = 400_000;
/** The most results, and the most characters of one. */
const MAX_RESULTS = 3;
const MAX_RESULT_CHARS = 1_500;

/** Each session searches the same texts again and again; reading them is what takes time. */
const read = new WeakMap<Searched, Knowledge>();

/** Searches FAQs and playbooks by words. Returns the best passage of each that fits, the best first; none without a match. */
export function searchKnowledge(searched: Searched, query: string): SearchResult[] {
  const knowledge = read.get(searched) ?? knowledgeOf(searched, MAX_SEARCHED_CHARS);
  read.set(searched, knowledge);
  const roots = new Set(rootsOf(query.slice(0, MAX_QUERY_CHARS)));
  return ranked(knowledge, roots)
    .slice(0, MAX_RESULTS)
    .map((entry) => ({
      source: { kind: entry.kind === "FAQ" ? "faq" : "playbook", name: entry.name, title: entry.title },
      text: passageOf(entry, roots),
    }));
}

/** The content of an entry, or the passage of it that has most of the words; its summary if it has no content. */
function passageOf({ summary, content }: Entry, roots: ReadonlySet<string>): string {
  if (content.trim() === "") return beginningOf(summary, MAX_RESULT_CHARS);
  if (content.length <= MAX_RESULT_CHARS) return content;
  let best = { text: "", words: -1 };
  for (const text of passagesOf(content.slice(0, MAX_SEARCHED_CHARS))) {
    const words = new Set(rootsOf(text)).intersection(roots).size;
    if (words > best.words) best = { text, words };
  }
  return best.text;
}

/** A long text in passages of whole paragraphs, or of whole lines and sentences where a paragraph is too long. */
function passagesOf(content: string): string[] {
  const passages: string[] = [];
  let passage = "";
  for (const part of content.split(/(?<=\n\s*\n)|(?<=\n)|(?<=[.!?。！？]\s)/u)) {
    if (passage !== "" && passage.length + part.length > MAX_RESULT_CHARS) {
      passages.push(passage.trim());
      passage = "";
    }
    passage += beginningOf(part, MAX_RESULT_CHARS);
  }
  return [...passages, passage.trim()].filter((text) => text !== "");
}
