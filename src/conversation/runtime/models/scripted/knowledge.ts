import type { SessionSnapshot } from "../../session/session.ts";
import { isCommonWord, isFunctionWord, stem, wordsOf } from "./words.ts";

/** Something an agent knows, with how well it fits what was asked. */
export interface Finding {
  kind: "FAQ" | "playbook";
  name: string;
  title: string;
  summary: string;
  content: string;
  score: number;
  /** Share of the title's own words that were said. */
  title_said: number;
}

/** Where a root stands: the numbers of the items, and what its place in each of them counts. */
interface Places {
  items: number[];
  weights: number[];
}

type Item = Omit<Finding, "score" | "title_said"> & { titleRoots: Set<string> };

/** Most characters of contents that are searched, shared by all items, so that the first answer does not wait long. */
const ALL_CONTENT_CHARS = 200_000;
/** Most different words of a question. */
const QUESTION_WORDS = 200;
/** What a word counts by where it stands. */
const IN_TITLE = 3;
const IN_SUMMARY = 1.5;
const IN_CONTENT = 1;
/** A word that occurs in questions of every kind counts this much of another. */
const COMMON_SHARE = 0.2;
/** A playbook is written for the agent, an FAQ for the caller: at equal words the FAQ answers. */
const PLAYBOOK_SHARE = 0.7;
/** Less than this is a coincidence: one word of a title fits, or two of a text. */
const FITS_FROM = 1.7;

/** What an agent knows, found by the words a question has in common with it. */
export class Knowledge {
  readonly #items: Item[];
  /** By root: the items that have it. Made at the first question. */
  #places: Map<string, Places> | undefined;

  constructor({ faqs, playbooks }: Pick<SessionSnapshot, "faqs" | "playbooks">) {
    this.#items = [
      ...faqs.map(({ name, title, summary, content }): Item => {
        const titleRoots = new Set(topicRoots(title || name));
        return { kind: "FAQ", name, title: title || spaced(name), summary, content, titleRoots };
      }),
      ...playbooks.map(({ name, display_name, content }): Item => {
        const titleRoots = new Set(topicRoots(display_name || name));
        return { kind: "playbook", name, title: display_name || spaced(name), summary: "", content, titleRoots };
      }),
    ];
  }

  /** Titles to name when the caller does not know what to ask. */
  titles(most: number): string[] {
    return this.#items.slice(0, most).map(({ title }) => title);
  }

  /** What is known by a name; null for a name of nothing. */
  named(name: string): Finding | null {
    const item = this.#items.find((one) => one.name === name);
    if (!item) return null;
    const { kind, title, summary, content } = item;
    return { kind, name, title, summary, content, score: 0, title_said: 0 };
  }

  /** What fits best, the best first; at equal words the one the account put first. Empty where nothing fits. */
  find(question: string): Finding[] {
    const asked = new Map<string, boolean>();
    for (const word of wordsOf(question)) {
      if (isFunctionWord(word) || asked.size >= QUESTION_WORDS) continue;
      const root = stem(word);
      asked.set(root, (asked.get(root) ?? true) && isCommonWord(word));
    }
    this.#places ??= this.#index();
    const scores = new Map<number, { score: number; telling: boolean }>();
    for (const [root, common] of asked) {
      const places = this.#places.get(root);
      if (!places) continue;
      // A word that few items have says more than one that all have.
      const rarity =
        0.4 + 0.6 * (Math.log(1 + this.#items.length / places.items.length) / Math.log(1 + this.#items.length));
      for (const [i, item] of places.items.entries()) {
        const weight = places.weights[i] ?? 0;
        const so = scores.get(item) ?? { score: 0, telling: false };
        so.score += weight * rarity * (common ? COMMON_SHARE : 1);
        so.telling ||= !common;
        scores.set(item, so);
      }
    }
    return [...scores]
      .flatMap(([number, { score, telling }]) => {
        const item = this.#items[number];
        if (!item || !telling || score < FITS_FROM) return [];
        const { titleRoots, kind, name, title, summary, content } = item;
        const said = [...titleRoots].filter((root) => asked.has(root)).length;
        const weighed = score * (kind === "playbook" ? PLAYBOOK_SHARE : 1);
        const title_said = titleRoots.size === 0 ? 0 : said / titleRoots.size;
        return [{ number, finding: { kind, name, title, summary, content, score: weighed, title_said } }];
      })
      .sort(
        (a, b) =>
          b.finding.score - a.finding.score || b.finding.title_said - a.finding.title_said || a.number - b.number,
      )
      .map(({ finding }) => finding);
  }

  #index(): Map<string, Places> {
    const index = new Map<string, Places>();
    // By word: where its root stands, so that each word is taken apart once; null for one that says nothing.
    const known = new Map<string, Places | null>();
    const placesOf = (word: string): Places | null => {
      if (isFunctionWord(word)) return null;
      const root = stem(word);
      const places = index.get(root) ?? { items: [], weights: [] };
      index.set(root, places);
      return places;
    };
    const contentChars = Math.ceil(ALL_CONTENT_CHARS / Math.max(1, this.#items.length));
    for (const [item, { title, name, summary, content }] of this.#items.entries()) {
      // The best places first: of a root that stands in several only the first is kept.
      const put = (text: string, weight: number) => {
        for (const word of wordsOf(text)) {
          let places = known.get(word);
          if (places === undefined) {
            places = placesOf(word);
            known.set(word, places);
          }
          if (places !== null && places.items.at(-1) !== item) {
            places.items.push(item);
            places.weights.push(weight);
          }
        }
      };
      put(`${title} ${name}`, IN_TITLE);
      put(summary, IN_SUMMARY);
      put(content.slice(0, contentChars), IN_CONTENT);
    }
    return index;
  }
}

/** The roots of a text's words that say what it is about. */
export function topicRoots(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !isFunctionWord(word) && !isCommonWord(word))
    .map(stem);
}

/** A name as it is spoken: `order_number` is "order number". */
export function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[\s_.-]+/g, " ")
    .trim()
    .toLowerCase();
}
