/** Most characters of one turn that are read, half of them from its beginning, half from its end. */
const READ_CHARS = 4_000;

/** Words that only hold a sentence together: they say nothing of what it is about. */
const FUNCTION_WORDS = new Set(
  (
    "a an the this that these those there here i me my mine myself you your yours we us our ours he him his she her it " +
    "its they them their one some any all both each every no not nor yes yeah ok okay please and or but if so than then " +
    "as at by for from in into of off on onto out over to up down with without about after before until while during am " +
    "is are was were be been being do does did done doing have has had having will would shall should can could may " +
    "might must cannot im ive id ill youre its dont doesnt didnt isnt cant wont whats wheres hows what which who whom " +
    "whose when where why how just also very too only even again once more most much many well oh um uh er hmm hi hello " +
    "hey t s re ve ll d m thank thanks"
  ).split(" "),
);

/** Words that occur in questions of every kind: they count little, and alone they decide nothing. */
const COMMON_WORDS = new Set(
  (
    "get got give go going come take make made let want need like know tell say said ask think see look find work works " +
    "happen happens use used try call calls calling called phone question questions answer help thing things something " +
    "anything way time times day days today now new good right long company business people person somebody somehow " +
    "wonder wondering sure really still back first last next please kind sort line speak talk hear explain"
  ).split(" "),
);

/** Endings that are taken off, the longest first. */
const ENDINGS = [
  "ations",
  "ation",
  "ments",
  "ment",
  "ings",
  "ing",
  "ions",
  "ion",
  "ies",
  "ed",
  "ly",
  "es",
  "s",
  "y",
  "e",
];

const LAST_LETTERS = new Set(ENDINGS.map((end) => end.at(-1)));

/** Text without a character beyond ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are a part of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** Words that callers use for what an account calls by another name. */
const SAME: Record<string, string> = {
  human: "person",
  agent: "person",
  meet: "appoint",
  reserv: "book",
  parcel: "deliver",
  packag: "deliver",
  ship: "deliver",
  mail: "email",
  text: "sms",
  loc: "address",
  locat: "address",
  login: "sign",
  log: "sign",
  complaint: "complain",
};

/** What is read of a turn: all of it, or the beginning and the end of one that is very long. */
export function read(text: string): string {
  if (text.length <= READ_CHARS) return text;
  return `${text.slice(0, READ_CHARS / 2)} ${text.slice(-READ_CHARS / 2)}`;
}

/** In small letters without accents, with plain apostrophes and single spaces: what patterns are held against. */
export function plain(text: string): string {
  return withoutAccents(text.toLowerCase())
    .replace(/[’‘`´]/g, "'")
    .replace(/[\s_]+/g, " ")
    .trim();
}

function withoutAccents(lower: string): string {
  return ASCII.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}+/gu, "");
}

/** The words of a text in order, in small letters and without accents. */
export function wordsOf(text: string): string[] {
  const lower = withoutAccents(text.toLowerCase()).replace(/['’‘`´]+/g, "");
  // An agent may know a megabyte: the simple pattern is several times as fast.
  return lower.match(ASCII.test(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** The root of a word, near enough for one form of it to find another. */
export function stem(word: string): string {
  const root = rootOf(word);
  return Object.hasOwn(SAME, root) ? (SAME[root] ?? root) : root;
}

function rootOf(word: string): string {
  if (word.length < 4 || word.length > 40) return word;
  const ending = LAST_LETTERS.has(word.at(-1) ?? "")
    ? ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= 3)
    : undefined;
  // "address" and "business" are no plurals.
  if (ending === undefined || (ending === "s" && word.endsWith("ss")) || (ending === "es" && word.endsWith("sses"))) {
    return word;
  }
  const root = word.slice(0, -ending.length);
  return /([^aeiouls])\1$/.test(root) || root.endsWith("ll") ? root.slice(0, -1) : root;
}

export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);
export const isCommonWord = (word: string): boolean => COMMON_WORDS.has(word);

/** The first sentences of a text that may be markdown, as one would say them; at most so many, and characters. */
export function firstSentences(text: string, most: number, maxChars: number): string {
  const prose = text
    .slice(0, 4_000)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(#|---|===|```|\||<)/.test(line))
    .map((line) => line.replace(/^([-*+>]|\d{1,3}[.)])\s+/, ""))
    .map((line) => (/[.!?:;,…”"]$/.test(line) ? line : `${line}.`))
    .join(" ")
    .replace(/\[([^\][]{1,200})\]\([^()\s]{1,400}\)/g, "$1")
    .replace(/[*`]+/g, "")
    .replace(/\s+/g, " ");
  const sentences = prose.split(/(?<=[.!?…][”"')]?)\s+(?=\S)/).slice(0, most);
  let said = "";
  for (const sentence of sentences) {
    const longer = said === "" ? sentence : `${said} ${sentence}`;
    if (said !== "" && longer.length > maxChars) break;
    said = longer;
  }
  return cut(said, maxChars);
}

/** At most so many characters, ending with a whole word and a mark where something is left out. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1);
  const space = head.lastIndexOf(" ");
  const kept = space > maxChars / 2 ? head.slice(0, space) : head;
  return `${kept.replace(/[\uD800-\uDBFF]$/, "").replace(/[\s,;:.]+$/, "")}…`;
}

/** "a", "a and b", "a, b and c"; `last` is the word before the last. */
export function listed(items: string[], last = "and"): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}
