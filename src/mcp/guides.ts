import { z } from "zod";
import type { McpContext } from "./tool.ts";

const guides = z.array(
  z.object({
    /** The path of the guide below /docs/. */
    name: z.string(),
    title: z.string(),
    summary: z.string(),
    markdown: z.string(),
  }),
);
export type Guide = z.output<typeof guides>[number];

export interface Passage {
  guide: Guide;
  heading: string;
  text: string;
}

/** The guides that users read under /docs. They only change with a deployment, which also replaces the isolate. */
export class GuideShelf {
  #cached: Guide[] | null = null;

  /**
   * Returns the guides, and caches them. A promise of them is never cached: the runtime may cancel a request that waits
   * for another one's ("code had hung"), and the promise of a request that ends early never settles.
   */
  async read(assets: Pick<Fetcher, "fetch">, origin: string): Promise<Guide[]> {
    if (this.#cached) return this.#cached;
    const response = await assets.fetch(new Request(new URL("/docs/pages.json", origin)));
    this.#cached = guides.parse(await response.json());
    return this.#cached;
  }
}

const shelf = new GuideShelf();

export const readGuides = ({ env, origin }: Pick<McpContext, "env" | "origin">): Promise<Guide[]> =>
  shelf.read(env.ASSETS, origin);

/** Returns the chapters that contain the most words of the query, best first. */
export function searchGuides(all: Guide[], query: string, most: number): Passage[] {
  const words = [...new Set(wordsOf(query))];
  const scored = all.flatMap(passagesOf).map((passage) => ({ passage, score: scoreOf(passage, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ passage }) => passage);
}

function passagesOf(guide: Guide): Passage[] {
  return guide.markdown.split(/^(?=##? )/m).map((text) => {
    const [first = ""] = text.split("\n");
    return { guide, heading: first.replace(/^#+ /, ""), text };
  });
}

/** Scores a chapter. A word in a heading counts more than a word in the text; repetitions don't count. */
function scoreOf({ guide, heading, text }: Passage, words: string[]): number {
  const named = new Set(wordsOf(`${guide.title} ${heading}`));
  const inText = new Set(wordsOf(text));
  return words.reduce((sum, word) => sum + (named.has(word) ? 3 : 0) + (inText.has(word) ? 1 : 0), 0);
}

/** Returns the words of a text in lower case and without endings. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).map((word) => word.replace(/(?<=...)(?:ing|ed|es|s)$/, ""));
