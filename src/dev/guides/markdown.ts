/** Renders the docs' Markdown to HTML when the static files are built. */
import { Marked, type Tokens } from "marked";

export interface Heading {
  id: string;
  /** HTML, because a heading may contain code. */
  html: string;
}

export interface Document {
  /** The first heading, as plain text. */
  title: string;
  /** The first paragraph, as plain text. */
  summary: string;
  /** The headings of its chapters. */
  chapters: Heading[];
  html: string;
}

/** Renders a document. Its first heading is its title. */
export function renderMarkdown(source: string): Document {
  const ids = new Map<string, number>();
  const chapters: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens, text }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${html}</h1>\n`;
        const id = unique(slug(text), ids);
        if (depth === 2) chapters.push({ id, html });
        // The link is placed beside the heading's text, because the text may contain other links.
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === null ? html : `<a href="${asHtml(address)}">${html}</a>`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = (lang ?? "").split(" ")[0] ?? "";
        // A block that scrolls must be reachable by keyboard.
        return `<pre data-language="${asHtml(language)}" tabindex="0"><code>${asHtml(text)}</code></pre>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return asHtml(text);
      },
    },
    hooks: {
      postprocess: (html: string) =>
        html
          .replaceAll("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
          .replaceAll("</table>", "</table></div>")
          // Tables with an empty header are lists of two columns.
          .replace(/<thead>\s*<tr>\s*(<th>\s*<\/th>\s*)+<\/tr>\s*<\/thead>/g, ""),
    },
  });
  const tokens = marked.lexer(source);
  const title = tokens.find((token): token is Tokens.Heading => token.type === "heading")?.text ?? "";
  const summary = tokens.find((token): token is Tokens.Paragraph => token.type === "paragraph")?.text ?? "";
  const html = marked.parse(source, { async: false });
  return { title: plain(title), summary: plain(summary), chapters, html };
}

/** Link targets that the site does not serve: the source, and documents for contributors. */
const NOT_SERVED = /^(?:\.\.\/)+(?:src|test|examples|packages)\/|^(?:\.\.\/)*decisions\/|^(?:\.\.\/)+[A-Z]+\.md/;

/** Returns the address on the site of a link's target; null if the site does not serve it. */
function addressOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  return NOT_SERVED.test(href) ? null : href.replace(/\.md(?=#|$)/, "");
}

const slug = (text: string) =>
  plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .trim()
    .replace(/ +/g, "-");

function unique(id: string, ids: Map<string, number>): string {
  const seen = ids.get(id) ?? 0;
  ids.set(id, seen + 1);
  return seen === 0 ? id : `${id}-${seen}`;
}

/** Removes Markdown's marks, for places that show plain text. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const asHtml = (text: string) => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
