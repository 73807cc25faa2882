export interface Page {
  path: string;
  title: string;
  text: string;
}

/** Weight of a word in a title compared with one in the text. */
const TITLE_WEIGHT = 10;
/** Characters shown around the first match. */
const EXCERPT = 70;

/** Returns the pages linked from the index of the guides, each once. */
export function pagesOf(index: string): { path: string; title: string }[] {
  const links = [...index.matchAll(/<li><a href="(\/docs\/[\w/-]+)">([^<]+)<\/a>/g)];
  const pages = new Map(links.map(([, path = "", title = ""]) => [path, decoded(title)]));
  return [...pages].map(([path, title]) => ({ path, title }));
}

/** Returns a page's text without its navigation. */
export function textOfPage(html: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? html;
  const text = main.replace(/<(script|style|nav)[\s\S]*?<\/\1>/g, " ").replace(/<[^>]+>/g, " ");
  return decoded(text).replace(/\s+/g, " ").trim();
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const decoded = (text: string) => text.replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Returns the pages that contain all the words, best first, each with an excerpt around the first match. */
export function search(pages: readonly Page[], words: readonly string[]): (Page & { excerpt: string })[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== "");
  const scored = pages.flatMap((page) => {
    const [title, text] = [page.title.toLowerCase(), page.text.toLowerCase()];
    const counts = wanted.map((word) => text.split(word).length - 1 + TITLE_WEIGHT * (title.split(word).length - 1));
    if (counts.some((count) => count === 0)) return [];
    const score = counts.reduce((sum, count) => sum + Math.log(1 + count), 0);
    return [
      { path: page.path, title: page.title, text: page.text, score, excerpt: excerptOf(page.text, wanted[0] ?? "") },
    ];
  });
  return scored.sort((a, b) => b.score - a.score);
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const [from, to] = [Math.max(0, at - EXCERPT), Math.min(text.length, at + EXCERPT)];
  return `${from > 0 ? "… " : ""}${text.slice(from, to).trim()}${to < text.length ? " …" : ""}`;
}
