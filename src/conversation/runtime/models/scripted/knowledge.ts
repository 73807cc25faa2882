import { documentPassages } from "../../built-in/document-passages.ts";
import type { SessionSnapshot } from "../../session/session.ts";
import { parsed } from "./results.ts";
import { isCommon, rootsOf, spaced } from "./words.ts";

/** An FAQ, a playbook or a passage of a document, with a weight for each root of its words. */
export interface Entry {
  kind: "FAQ" | "playbook" | "document";
  name: string;
  title: string;
  summary: string;
  content: string;
  weights: Map<string, number>;
}
export type Knowledge = readonly Entry[];

/** An entry that answers a question, and the share of its title's words that the question contains. */
export type Finding = Entry & { titleShare: number };

/** Maximum characters of contents that are searched, shared evenly, so that the first answer is quick. */
const MAX_CONTENT_CHARS = 200_000;
const WEIGHT = { title: 3, summary: 1.5, content: 1 };
/**
 * The weight of a word that occurs in all kinds of questions, and of a playbook compared with an FAQ, because a
 * playbook is written for the agent.
 */
const COMMON_SHARE = 0.2;
const PLAYBOOK_SHARE = 0.7;
/** Below this score a match is a coincidence. One word of a title is enough, or two words of a text. */
const MIN_SCORE = 1.7;

/** Returns all of the agent's knowledge in the account's order, with `maxChars` characters of the contents. */
export function knowledgeOf(
  { faqs, playbooks, documents }: Pick<SessionSnapshot, "faqs" | "playbooks" | "documents">,
  maxChars = MAX_CONTENT_CHARS,
): Knowledge {
  const passages = documents.flatMap(({ title, passages }) =>
    passages.map(({ heading, text }) => ({ title: heading || title, text })),
  );
  const chars = Math.ceil(maxChars / (faqs.length + playbooks.length + passages.length));
  const entry = (kind: Entry["kind"], name: string, title: string, summary: string, content: string): Entry => {
    const weights = new Map(rootsOf(content.slice(0, chars)).map((root) => [root, WEIGHT.content]));
    for (const root of rootsOf(summary)) weights.set(root, WEIGHT.summary);
    for (const root of rootsOf(`${title} ${name}`)) weights.set(root, WEIGHT.title);
    return { kind, name, title: title || spaced(name), summary, content, weights };
  };
  return [
    ...faqs.map(({ name, title, summary, content }) => entry("FAQ", name, title, summary, content)),
    ...playbooks.map(({ name, display_name, content }) => entry("playbook", name, display_name, "", content)),
    ...passages.map(({ title, text }) => entry("document", "", title, "", text)),
  ];
}

/** Returns the passages of documents in a search's result. */
export function passagesIn(result: string): Knowledge {
  const documents = documentPassages(parsed(result)).map(
    ({ source: { document_id, title, chunk, heading }, text }) => ({
      document_id,
      title,
      passages: [{ chunk, heading, text }],
    }),
  );
  return knowledgeOf({ faqs: [], playbooks: [], documents });
}

/** Returns the entry that shares the most words with the question; of equal ones, the first. */
export function lookUp(knowledge: Knowledge, question: string): Finding | undefined {
  const roots = new Set(rootsOf(question));
  const [best] = ranked(knowledge, roots, MIN_SCORE);
  if (best === undefined) return undefined;
  const title = rootsOf(best.title).filter((root) => !isCommon(root));
  const titleShare = title.filter((root) => roots.has(root)).length / Math.max(1, title.length);
  return Object.assign({ titleShare }, best);
}

/**
 * Returns the entries that share more than common words with these roots, best first; equally good entries keep the
 * account's order. `minimum` is the least total weight of the shared words.
 */
export function ranked(knowledge: Knowledge, roots: ReadonlySet<string>, minimum = 0): Entry[] {
  // A rare word has more weight than one in all entries.
  const worth = (root: string) => {
    const having = knowledge.filter(({ weights }) => weights.has(root)).length;
    const rarity = Math.log(1 + knowledge.length / having) / Math.log(1 + knowledge.length);
    return (0.4 + 0.6 * rarity) * (isCommon(root) ? COMMON_SHARE : 1);
  };
  const worths = new Map([...roots].map((root) => [root, worth(root)]));
  const scored = knowledge.flatMap((entry) => {
    const shared = [...roots].filter((root) => entry.weights.has(root));
    const sum = shared.reduce((all, root) => all + (entry.weights.get(root) ?? 0) * (worths.get(root) ?? 0), 0);
    const score = sum * (entry.kind === "playbook" ? PLAYBOOK_SHARE : 1);
    return shared.every(isCommon) || sum < minimum ? [] : [{ entry, score }];
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
}
