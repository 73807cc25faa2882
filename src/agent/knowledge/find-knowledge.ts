import { inArray, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { documents } from "../../kernel/db/schema/index.ts";
import { knowledgeBase } from "../../kernel/durable/objects.ts";
import { playbookMarkdown } from "../playbooks/markdown.ts";
import type { AgentContent } from "../versions/content.ts";
import { fusedScore, rarest, scoreOf, withTexts } from "./rank.ts";
import { chunksOf } from "./text/chunks.ts";
import { queryWords } from "./text/common-words.ts";
import { wordsOf } from "./text/words.ts";
import { dayIn, isVisible } from "./visible.ts";

/** A passage of a document, an FAQ or a playbook that a search found. */
export interface FoundPassage {
  document_id: string | null;
  faq_id: string | null;
  playbook_id: string | null;
  title: string;
  /** The passage's position in its source, counted from 0. */
  chunk: number;
  heading: string;
  text: string;
  /** A higher score is a better match. */
  score: number;
}

interface Context {
  env: Pick<Env, "KNOWLEDGE_BASE">;
  store: AccountStore;
  /** The current time, ms. */
  now: number;
}

/** The searched sources: all documents of the account, or those of one agent. */
export type Searched = "account" | Pick<AgentContent, "documents" | "faqs" | "playbooks">;

type Visible = Pick<typeof documents.$inferSelect, "id" | "title">;

/** Returns which of the documents exist and are visible today, with their titles, in one round trip. */
async function visibleDocuments(
  { store, now }: Pick<Context, "store" | "now">,
  ids: readonly string[] | "account",
): Promise<Visible[]> {
  if (ids.length === 0) return [];
  const where =
    ids === "account" ? undefined : inArray(documents.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const [{ timezone }, rows] = await store.read(
    store.profile(),
    store.select(documents, { ...(where && { where }), columns: ["id", "title", "effective_from", "effective_until"] }),
  );
  const today = dayIn(timezone, now);
  return rows.filter((row) => isVisible(row, today));
}

/** Finds the passages that match a query best. @throws ApiError 429 `busy` */
export async function findKnowledge(
  { env, store, now }: Context,
  { query, searched, limit }: { query: string; searched: Searched; limit: number },
): Promise<FoundPassage[]> {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const of = searched === "account" ? NOTHING_ELSE : searched;
  const attached = of.documents.map(({ id, text }) => ({ id, text }));
  const search = (documents: typeof attached) =>
    knowledgeBase(env, store.account).search({ query, words, documents, limit });
  // Nearly always all attached documents are visible, so their search need not wait for the check.
  const [visible, early] = await Promise.all([
    visibleDocuments({ store, now }, searched === "account" ? searched : attached.map(({ id }) => id)),
    searched === "account" ? null : search(attached),
  ]);
  const texts = new Map(attached.map(({ id, text }) => [id, text]));
  const { chunks, counts, wordScores } =
    early !== null && visible.length === attached.length
      ? early
      : await search(visible.map(({ id }) => ({ id, text: texts.get(id) ?? null })));
  const titles = new Map(visible.map(({ id, title }) => [id, title]));
  const found = chunks.map(({ document_id, ...chunk }) =>
    Object.assign({ document_id, faq_id: null, playbook_id: null, title: titles.get(document_id) ?? "" }, chunk),
  );
  const entries = entriesOf(of, new Set(words));
  const all = withTexts(
    counts,
    entries.map((entry) => entry.text),
  );
  const wanted = rarest(words, all);
  const scored = entries.flatMap(({ passage, text }) => {
    const score = scoreOf(text, wanted, all);
    return score > 0 ? [Object.assign(passage, { score })] : [];
  });
  const ranked =
    wordScores === null
      ? scored
      : scored
          .toSorted((a, b) => b.score - a.score)
          .slice(0, limit)
          .map(amongFused(wordScores));
  return [...found, ...ranked].toSorted((a, b) => b.score - a.score).slice(0, limit);
}

/**
 * Scores an FAQ or playbook passage on the scale of fused ranks. It has no embedding, so its rank by words is used for
 * both orders.
 */
function amongFused(wordScores: readonly number[]) {
  return (passage: FoundPassage): FoundPassage => {
    const rank = wordScores.filter((score) => score > passage.score).length;
    return Object.assign(passage, { score: fusedScore(rank, rank) });
  };
}

const NOTHING_ELSE = { documents: [], faqs: [], playbooks: [] } satisfies Searched;

/**
 * Returns the passages of an agent's FAQs and playbooks. Of their index words it returns only those of the query, because
 * all of them together take many times the memory of the texts.
 */
function entriesOf({ faqs, playbooks }: Pick<AgentContent, "faqs" | "playbooks">, query: ReadonlySet<string>) {
  const textOf = (words: readonly string[]) => ({
    length: words.length,
    found: words.filter((word) => query.has(word)),
  });
  const passages = (source: Pick<FoundPassage, "faq_id" | "playbook_id" | "title">, text: string) =>
    chunksOf([{ heading: source.title, text }]).map(({ heading, text }, chunk) => ({
      passage: Object.assign({ document_id: null, chunk, heading, text }, source),
      text: textOf(wordsOf(`${heading}\n${text}`)),
    }));
  return [
    ...faqs.flatMap(({ id, body }) =>
      passages({ faq_id: id, playbook_id: null, title: body.title || body.name }, body.content || body.summary),
    ),
    ...playbooks.flatMap(({ id, body }) =>
      passages({ faq_id: null, playbook_id: id, title: body.display_name }, playbookMarkdown(body)),
    ),
  ];
}
