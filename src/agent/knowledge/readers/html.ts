import { decodeEntities } from "./entities.ts";
import { Sections } from "./read-text.ts";

const names = (list: string) => new Set(list.split(" "));
/** Elements whose text begins and ends a line. */
const BLOCKS = names(
  "address article aside blockquote body br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol option p pre section summary table tr ul",
);
/** Elements that are skipped with their content. */
const SKIPPED = names("canvas iframe nav noscript object script select style svg template textarea");
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)/y;
const LANG = /\slang\s*=\s*["']?([\w-]{2,35})/i;

/**
 * Reads a page into sections by heading, without scripts, styles and navigation. It reads the page once and builds no
 * tree, so unclosed tags in a page of 20 MB don't slow it down.
 */
export function readHtml(page: string) {
  const text = new PageText();
  /** Elements that are never closed. */
  const unclosed = new Set<string>();
  let language: string | null = null;
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf("<", at);
    text.add(page.slice(at, open < 0 ? page.length : open));
    if (open < 0) break;
    TAG.lastIndex = open;
    const [, slash = "", written] = TAG.exec(page) ?? [];
    if (written === undefined) {
      at = afterMark(page, open);
      if (at === open + 1) text.add("<");
      continue;
    }
    const name = written.toLowerCase();
    at = afterTag(page, open);
    if (name === "html") language ??= LANG.exec(page.slice(open, Math.min(at, open + 1_000)))?.[1] ?? null;
    if (slash === "" && (name === "title" || SKIPPED.has(name)) && !unclosed.has(name)) {
      const end = endTag(page, name, at);
      if (end < 0) unclosed.add(name);
      else {
        if (name === "title") text.title ??= plain(page.slice(at, end));
        at = afterTag(page, end);
      }
    } else text.tag(name, slash !== "");
  }
  const blocks = text.end();
  return { title: text.title || text.firstHeading, language, blocks };
}

/** Returns the position after a comment or declaration, or after a `<` that begins neither. */
function afterMark(page: string, open: number): number {
  if (!/[!?/]/.test(page.charAt(open + 1))) return open + 1;
  const mark = page.startsWith("<!--", open) ? "-->" : ">";
  const end = page.indexOf(mark, open + 2);
  return end < 0 ? page.length : end + mark.length;
}

/** Returns the position of the next end tag of this name; -1 if there is none. */
function endTag(page: string, name: string, from: number): number {
  const tag = new RegExp(`</${name}[\\s/>]`, "gi");
  tag.lastIndex = from;
  return tag.exec(page)?.index ?? -1;
}

/** Returns the position after a tag. Its quoted values may contain `>`. */
function afterTag(page: string, open: number): number {
  let quote = "";
  for (let at = open; at < page.length; at++) {
    const character = page.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  // The tag has an unclosed quotation mark.
  const end = page.indexOf(">", open);
  return end < 0 ? page.length : end + 1;
}

/** The text of a page, collected between its tags. */
class PageText {
  readonly #sections = new Sections();
  #pieces: string[] = [];
  /** The level of the current heading; null outside of headings. */
  #heading: number | null = null;
  title: string | null = null;

  get firstHeading(): string | null {
    return this.#sections.title;
  }

  add(text: string): void {
    if (text !== "") this.#pieces.push(text);
  }

  tag(name: string, closing: boolean): void {
    const isSpace = name === "td" || name === "th" || (name === "br" && this.#heading !== null);
    if (isSpace) this.add(" ");
    if (isSpace || !BLOCKS.has(name)) return;
    this.#endLine();
    const [, level] = /^h([1-6])$/.exec(name) ?? [];
    this.#heading = level !== undefined && !closing ? Number(level) : null;
  }

  end() {
    this.#endLine();
    return this.#sections.end();
  }

  #endLine(): void {
    const line = plain(this.#pieces.join(""));
    this.#pieces = [];
    if (line === "") return;
    if (this.#heading === null) this.#sections.line(line);
    else this.#sections.heading(this.#heading, line);
  }
}

const plain = (text: string) => decodeEntities(text).replaceAll(/\s+/g, " ").trim();
