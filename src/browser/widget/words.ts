import { make } from "./dom.ts";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

/** Renders an agent's words as elements. */
export function wordsOf(text: string, isWhole = true): Node[] {
  return parseMarkdown(text, isWhole).map(blockOf);
}

function blockOf(block: Block): Node {
  if (block.type === "paragraph") return make("p", { dir: "auto" }, ...block.children.map(inlineOf));
  const items = block.items.map((item) => make("li", {}, ...item.map(inlineOf)));
  const list = make(block.ordered ? "ol" : "ul", { dir: "auto" }, ...items);
  if (block.ordered) list.setAttribute("start", `${block.start}`);
  return list;
}

function inlineOf(inline: Inline): Node | string {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "break":
      return make("br");
    case "code":
      return make(inline.type, {}, inline.text);
    case "link":
      // The opened page must learn neither the address of this page nor how to control it.
      return make("a", { href: inline.href, target: "_blank", rel: "noopener noreferrer nofollow" }, inline.text);
    default:
      return make(inline.type, {}, ...inline.children.map(inlineOf));
  }
}
