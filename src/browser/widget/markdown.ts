/** A piece of a line. Emphasis contains text, and at most one level of the other kind of emphasis. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "break" }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; text: string };

export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "list"; ordered: boolean; start: number; items: Inline[][] };

const BULLET = /^\s{0,8}[-*•+][ \t]+(?=\S)/;
const NUMBER = /^\s{0,8}(\d{1,9})[.)][ \t]+(?=\S)/;

/**
 * Parses the subset of Markdown that language models write: paragraphs, lists, emphasis, code and links. Incomplete
 * markup is plain text. While the text is still arriving (`isWhole` is false), an address at its end is plain text too.
 * Takes time linear in the length.
 */
export function parseMarkdown(text: string, isWhole = true): Block[] {
  const blocks: Block[] = [];
  /** The lines of the current block; `put` adds them to it. */
  let lines: string[] = [];
  let put: (children: Inline[]) => void = () => {};
  let list: Extract<Block, { type: "list" }> | undefined;
  const finish = () => {
    if (lines.length > 0) put(parseInline(lines.join("\n"), isWhole));
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const number = NUMBER.exec(line);
    const mark = number ?? BULLET.exec(line);
    if (mark) {
      finish();
      const ordered = number !== null;
      // Blank lines between items leave them in one list.
      if (list?.ordered !== ordered) {
        list = { type: "list", ordered, start: Number(number?.[1] ?? 1), items: [] };
        blocks.push(list);
      }
      const { items } = list;
      put = (children) => items.push(children);
      lines.push(line.slice(mark[0].length));
    } else if (line.trim() === "") {
      finish();
    } else if (lines.length > 0 && (!list || /^\s/.test(line))) {
      lines.push(line.trim());
    } else {
      finish();
      list = undefined;
      put = (children) => blocks.push({ type: "paragraph", children });
      lines.push(line);
    }
  }
  finish();
  return blocks;
}

/** Characters that may be markup within a line. */
const MARK = /\\[\\`*[\]]|`|\*\*|\*|\[|\n|https:\/\//g;
/** An address in parentheses, which may contain one pair of parentheses. */
const TARGET = /\(((?:https?:\/\/|mailto:|tel:)[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)?)\)/iy;
const BARE = /https:\/\/[^\s<>"'`*[\]{}|\\^]{1,2001}/y;
/** Longer addresses are plain text. `BARE` stops one character later: nested addresses would take quadratic time. */
const MAX_ADDRESS_CHARS = 2000;

interface Open {
  type: "line" | "strong" | "em";
  children: Inline[];
}

function parseInline(source: string, isWhole: boolean): Inline[] {
  const line: Open = { type: "line", children: [] };
  /** The open elements, innermost last. Each kind of emphasis is open at most once. */
  const open = [line];
  const find = { backtick: finder(source, "`"), bracket: finder(source, "]"), opening: finder(source, "[") };
  let at = 0;
  const add = (...nodes: Inline[]) => (open.at(-1) ?? line).children.push(...nodes);
  const write = (text: string) => {
    const { children } = open.at(-1) ?? line;
    const last = children.at(-1);
    if (last?.type === "text") last.text += text;
    else if (text !== "") children.push({ type: "text", text });
  };
  /** Turns the innermost emphasis, which was never closed, back into text. */
  const unwrap = () => {
    const inner = open.pop();
    if (!inner) return;
    write(inner.type === "strong" ? "**" : "*");
    for (const node of inner.children) node.type === "text" ? write(node.text) : add(node);
  };
  const emphasis = (mark: string, end: number) => {
    const type = mark === "*" ? "em" : "strong";
    const isOpen = open.some((each) => each.type === type);
    if (isOpen && /\S/.test(source[end - mark.length - 1] ?? "")) {
      while (open.at(-1)?.type !== type) unwrap();
      const { children } = open.pop() ?? line;
      if (children.length > 0) add({ type, children });
      else write(mark + mark);
    } else if (!isOpen && /\S/.test(source[end] ?? "")) open.push({ type, children: [] });
    else write(mark);
  };

  for (MARK.lastIndex = 0; ; ) {
    MARK.lastIndex = at;
    const found = MARK.exec(source);
    if (!found) break;
    let [mark] = found;
    write(source.slice(at, found.index));
    const from = found.index;
    // If there are three asterisks, the first closes the emphasis that was opened last.
    if (mark === "**" && open.at(-1)?.type === "em" && source[from + 2] === "*") mark = "*";
    at = from + mark.length;
    if (mark === "\n") add({ type: "break" });
    else if (mark[0] === "\\") write(mark.slice(1));
    else if (mark[0] === "*") emphasis(mark, at);
    else if (mark === "`") {
      const end = find.backtick(at);
      if (end <= at) write(mark);
      else {
        add({ type: "code", text: source.slice(at, end) });
        at = end + 1;
      }
    } else {
      const link = mark === "[" ? named(source, from, find) : bare(source, from);
      if (link && (isWhole || mark === "[" || link.end < source.length)) {
        add({ type: "link", href: link.href, text: link.text });
        at = link.end;
      } else write(mark);
    }
  }
  write(source.slice(at));
  while (open.length > 1) unwrap();
  return line.children;
}

interface Link {
  href: string;
  text: string;
  end: number;
}

/** Parses `[text](address)` at this position. */
function named(source: string, from: number, find: Record<"bracket" | "opening", Finder>): Link | undefined {
  const close = find.bracket(from + 1);
  const inner = find.opening(from + 1);
  if (close <= from + 1 || (inner !== -1 && inner < close)) return undefined;
  TARGET.lastIndex = close + 1;
  const [whole = "", address = ""] = TARGET.exec(source) ?? [];
  const href = safeAddress(address);
  if (href === undefined) return undefined;
  return { href, text: source.slice(from + 1, close).replace(/\s+/g, " "), end: close + 1 + whole.length };
}

/** Parses `https://…` at this position, without the punctuation of the surrounding sentence. */
function bare(source: string, from: number): Link | undefined {
  // An address within a word, or within text that may become `[text](address)`, is no link.
  if (/\w/.test(source[from - 1] ?? "") || source.slice(from - 2, from) === "](") return undefined;
  BARE.lastIndex = from;
  let [text = ""] = BARE.exec(source) ?? [];
  if (text.length > MAX_ADDRESS_CHARS) return undefined;
  text = text.replace(/[.,;:!?]+$/, "");
  if (text.endsWith(")") && !text.includes("(")) text = text.replace(/[.,;:!?)]+$/, "");
  const href = safeAddress(text);
  if (href === undefined) return undefined;
  return { href, text, end: from + text.length };
}

/** Returns the address if it leads to a page, a mailbox or a telephone and does not disguise its host. */
function safeAddress(address: string): string | undefined {
  if (address.length > MAX_ADDRESS_CHARS || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  if (username !== "" || password !== "") return undefined;
  return ["http:", "https:", "mailto:", "tel:"].includes(protocol) ? href : undefined;
}

type Finder = (from: number) => number;

/** Returns a function that finds the next occurrence of a character. Ascending positions are scanned only once. */
function finder(source: string, character: string): Finder {
  let next = -2;
  return (from) => {
    if (next !== -1 && next < from) next = source.indexOf(character, from);
    return next;
  };
}
