import type { SessionSnapshot } from "../../session/session.ts";
import { isCommonRoot, rootsOf, spaced } from "./words.ts";

/** Something an agent knows, with how well it fits what was asked. */
export interface Finding {
  kind: "FAQ" | "playbook";
  name: string;
  title: string;
  summary: string;
  content: string;
  score: number;
  /** Share of the title's own words that were said. */
  titleSaid: number;
}

/** Most characters of contents that are searched, shared by all items, so that the first answer does not wait long. */
const ALL_CONTENT_CHARS = 200_000;
const IN_TITLE = 3;
const IN_SUMMARY = 1.5;
const IN_CONTENT = 1;
/** What a word of questions of every kind counts of another, and a playbook of an FAQ: it is written for the agent. */
const COMMON_SHARE = 0.2;
const PLAYBOOK_SHARE = 0.7;
/** Less is a coincidence: one word of a title fits, or two of a text. */
const FITS_FROM = 1.7;

interface Item {
  found: Omit<Finding, "score" | "titleSaid">;
  /** What a root counts in it, and the roots of its title. */
  weights: Map<string, number>;
  title: string[];
}

/** What an agent knows, found by the words a question has in common with it. */
export class Knowledge {
  readonly titles: string[];
  readonly #sources: Item["found"][];
  #items: Item[] | undefined;

  constructor({ faqs, playbooks }: Pick<SessionSnapshot, "faqs" | "playbooks">) {
    this.#sources = [
      ...faqs.map(({ name, title, summary, content }) => {
        return { kind: "FAQ" as const, name, title: title || spaced(name), summary, content };
      }),
      ...playbooks.map(({ name, display_name, content }) => {
        return { kind: "playbook" as const, name, title: display_name || spaced(name), summary: "", content };
      }),
    ];
    this.titles = this.#sources.map(({ title }) => title);
  }

  /** What fits best; at equal words the one the account put first. */
  find(question: string): Finding | undefined {
    this.#items ??= this.#sources.map((found) => this.#indexed(found));
    const asked = new Set(rootsOf(question));
    let best: Finding | undefined;
    for (const { found, weights, title } of this.#items) {
      const hits = [...asked].filter((root) => weights.has(root));
      if (hits.every(isCommonRoot)) continue;
      const sum = hits.reduce((all, root) => all + (weights.get(root) ?? 0) * this.#worth(root), 0);
      const score = sum * (found.kind === "playbook" ? PLAYBOOK_SHARE : 1);
      if (sum < FITS_FROM || (best && score <= best.score)) continue;
      const titleSaid = title.filter((root) => asked.has(root)).length / Math.max(1, title.length);
      best = Object.assign({ score, titleSaid }, found);
    }
    return best;
  }

  /** A word that few items have says more than one that all have. */
  #worth(root: string): number {
    const items = this.#items ?? [];
    const having = items.filter(({ weights }) => weights.has(root)).length;
    const rarity = Math.log(1 + items.length / Math.max(1, having)) / Math.log(1 + items.length);
    return (0.4 + 0.6 * rarity) * (isCommonRoot(root) ? COMMON_SHARE : 1);
  }

  #indexed(found: Item["found"]): Item {
    const weights = new Map<string, number>();
    const chars = Math.ceil(ALL_CONTENT_CHARS / this.#sources.length);
    // The best place last: it is the one that counts.
    for (const root of rootsOf(found.content.slice(0, chars))) weights.set(root, IN_CONTENT);
    for (const root of rootsOf(found.summary)) weights.set(root, IN_SUMMARY);
    for (const root of rootsOf(`${found.title} ${found.name}`)) weights.set(root, IN_TITLE);
    return { found, weights, title: rootsOf(found.title).filter((root) => !isCommonRoot(root)) };
  }
}
