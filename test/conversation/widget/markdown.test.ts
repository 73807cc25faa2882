import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Inline, parseMarkdown } from "../../../src/browser/widget/markdown.ts";

/** Returns the rendered text without marks. */
const textOf = (inlines: Inline[]): string =>
  inlines
    .map((inline) => {
      if (inline.type === "break") return "\n";
      return "children" in inline ? textOf(inline.children) : inline.text;
    })
    .join("");
const inlinesOf = (block: Block): Inline[][] => (block.type === "list" ? block.items : [block.children]);
const flat = (inlines: Inline[]): Inline[] =>
  inlines.flatMap((inline) => ("children" in inline ? [inline, ...flat(inline.children)] : [inline]));
const all = (text: string): Inline[] => parseMarkdown(text).flatMap(inlinesOf).flatMap(flat);
const links = (text: string) => all(text).flatMap((each) => (each.type === "link" ? [each] : []));
/** Returns one paragraph as HTML. */
const short = (text: string): string => {
  const written = (inlines: Inline[]): string =>
    inlines
      .map((inline) => {
        if ("children" in inline) return `<${inline.type}>${written(inline.children)}</${inline.type}>`;
        if (inline.type === "break") return "<br>";
        if (inline.type === "link") return `<a ${inline.href}>${inline.text}</a>`;
        return inline.type === "code" ? `<code>${inline.text}</code>` : inline.text;
      })
      .join("");
  return parseMarkdown(text).flatMap(inlinesOf).map(written).join("|");
};

describe("an agent's words", () => {
  it.each([
    ["Hello.", "Hello."],
    ["one\ntwo\n\nthree", "one<br>two|three"],
    ["**bold** and *italic* and `**code**`", "<strong>bold</strong> and <em>italic</em> and <code>**code**</code>"],
    ["***both***", "<strong><em>both</em></strong>"],
    ["**bold with *italic* in it**", "<strong>bold with <em>italic</em> in it</strong>"],
    ["2 * 3 * 4 and ** no", "2 * 3 * 4 and ** no"],
    ["not \\*this\\*", "not *this*"],
    ["snake_case_name", "snake_case_name"],
    ["[Shop](https://shop.example/a_(b)?c=1)", "<a https://shop.example/a_(b)?c=1>Shop</a>"],
    ["**[Shop](https://shop.example)**", "<strong><a https://shop.example/>Shop</a></strong>"],
    [
      "[write](mailto:a@b.example) [call](tel:+12025550100)",
      "<a mailto:a@b.example>write</a> <a tel:+12025550100>call</a>",
    ],
    [
      "See https://shop.example/a, (https://shop.example/b).",
      "See <a https://shop.example/a>https://shop.example/a</a>, (<a https://shop.example/b>https://shop.example/b</a>).",
    ],
    ["[x](javascript:alert(1))", "[x](javascript:alert(1))"],
    ["[x](data:text/html,a) [y](//evil.example) [z](/a)", "[x](data:text/html,a) [y](//evil.example) [z](/a)"],
    ["[bank](https://bank.example@evil.example)", "[bank](<a https://bank.example@evil.example>"],
    ["<b>no</b> <img src=x onerror=y>", "<b>no</b> <img src=x onerror=y>"],
  ])("the words %j are shown as markdown", (text, written) => {
    if (text.includes("@evil")) expect(links(text)).toEqual([]);
    else expect(short(text)).toBe(written);
  });

  it("are shown as lists, numbered from their first number, with the words after them", () => {
    expect(parseMarkdown("Open:\n- Mon\n  to Fri\n- **Sat**\nClosed else.\n\n3. c\n4. d")).toEqual([
      { type: "paragraph", children: [{ type: "text", text: "Open:" }] },
      {
        type: "list",
        ordered: false,
        start: 1,
        items: [
          [{ type: "text", text: "Mon" }, { type: "break" }, { type: "text", text: "to Fri" }],
          [{ type: "strong", children: [{ type: "text", text: "Sat" }] }],
        ],
      },
      { type: "paragraph", children: [{ type: "text", text: "Closed else." }] },
      { type: "list", ordered: true, start: 3, items: [[{ type: "text", text: "c" }], [{ type: "text", text: "d" }]] },
    ]);
  });

  it("an agent's words are plain text until their markup is complete", () => {
    const whole = "See [our **shop**](https://shop.example) and **more";
    for (let end = 0; end < whole.indexOf(")"); end++) expect(links(whole.slice(0, end))).toEqual([]);
    expect(short(whole)).toBe("See <a https://shop.example/>our **shop**</a> and **more");
    expect(parseMarkdown("https://shop.exam", false)).toEqual([
      { type: "paragraph", children: [{ type: "text", text: "https://shop.exam" }] },
    ]);
  });
});

/** Texts of meaningful marks and arbitrary characters. */
const marks = [
  "*",
  "**",
  "`",
  "[",
  "](",
  ")",
  "]",
  "https://",
  "javascript:",
  "\\",
  "\n",
  "- ",
  "1. ",
  " ",
  "a",
  "(",
  "é",
  "@",
  "\n\n",
  "mailto:",
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...marks), fc.string({ maxLength: 5 })), { maxLength: 60 })
  .map((all) => all.join(""));

describe("any text as markup", () => {
  it("links only to pages, mailboxes and telephones", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const { href } of links(text)) expect(href).toMatch(/^(https?:\/\/|mailto:|tel:)/);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps every letter, in order", () => {
    const letters = (text: string) => text.replace(/[^\p{L}]/gu, "");
    fc.assert(
      fc.property(hostile, (text) => {
        const read = parseMarkdown(text).flatMap(inlinesOf).map(textOf).join("\n");
        const shown = letters(text.replace(/\]\([^\s]*?\)/g, ""));
        // Link targets are not read; everything else is.
        if (!text.includes("](")) expect(letters(read)).toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    "*",
    "**",
    "*a",
    "**a ",
    "a* b*",
    "[",
    "[]",
    "[](",
    "[a](",
    "[a](https://",
    "`",
    "`a",
    "``",
    "https://",
    "https://-",
    "\\",
    "\n",
    "- a\n",
    "1. a\n",
    "\n\n",
    "(",
    ")",
    "[a](https://x.y/(",
    "***a*b**",
    " ",
    "\t- ",
  ])("any text is rendered in linear time: %j", (piece) => {
    // In quadratic time, this would take hours.
    const text = piece.repeat(1_000_000 / piece.length);
    expect(parseMarkdown(text)).toBeDefined();
  });
});
