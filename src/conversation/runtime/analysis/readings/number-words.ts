import { LANGUAGES, type NumberWords, numberWords, WEAK } from "./spoken-languages.ts";
import { longestAt, type Token } from "./tokens.ts";

export interface WordNumber {
  /** The possible values, by the languages that know these words. */
  values: number[];
  isSure: boolean;
  first: number;
  /** The token after it. */
  next: number;
}

interface Read {
  value: number;
  next: number;
}

/** The longest word of joined numbers: 999,999 has 67 letters in German. */
const MAX_JOINED_CHARS = 80;
const JOINED = /hundert|tausend|honderd|duizend|cento|mille|mila/;
/** The most tokens of a number below a hundred: "quatre vingt dix neuf". */
const MAX_SMALL_TOKENS = 4;

/** The languages in which a number can begin with a word. */
let starts: ReadonlyMap<string, readonly NumberWords[]> | null = null;

function languagesAt(word: string): readonly NumberWords[] {
  starts ??= startsOf();
  const found = starts.get(word);
  if (found !== undefined) return found;
  const mayJoin = word.length > 6 && word.length <= MAX_JOINED_CHARS && JOINED.test(word);
  return mayJoin ? LANGUAGES.map(numberWords).filter(({ joined }) => joined !== null) : [];
}

function startsOf(): Map<string, NumberWords[]> {
  const found = new Map<string, NumberWords[]>();
  for (const words of LANGUAGES.map(numberWords)) {
    const bare = words.isBare ? [...words.scales.keys()] : ["a", "an", "half"];
    for (const word of new Set([...words.starts, ...words.small.keys(), ...words.hundreds.keys(), ...bare]))
      found.set(word, [...(found.get(word) ?? []), words]);
  }
  return found;
}

/** Reads the number in words that begins at a token, as the longest that any language reads; null if there is none. */
export function wordNumberAt(tokens: readonly Token[], first: number): WordNumber | null {
  const word = tokens[first]?.text ?? "";
  let [next, values]: [number, number[]] = [first, []];
  for (const words of languagesAt(word)) {
    const read = readAt(tokens, first, words);
    if (read === null || read.next < next) continue;
    if (read.next > next) values = [];
    next = read.next;
    if (!values.includes(read.value)) values.push(read.value);
  }
  return next === first ? null : { values, isSure: next > first + 1 || !WEAK.has(word), first, next };
}

function readAt(tokens: readonly Token[], first: number, words: NumberWords): Read | null {
  const whole = wholeAt(tokens, first, words);
  if (whole === null) return null;
  return words.language === "en" ? englishParts(tokens, whole, words) : decimalsAfter(tokens, whole, words);
}

/** Reads a whole number: groups below a thousand with their scales, each scale smaller than the one before. */
function wholeAt(tokens: readonly Token[], first: number, words: NumberWords): Read | null {
  let [total, next, last] = [0, first, Number.POSITIVE_INFINITY];
  for (;;) {
    const isJoint = next > first && words.and.has(tokens[next]?.text ?? "");
    const from = isJoint ? next + 1 : next;
    const group = groupAt(tokens, from, words) ?? oneAt(tokens, from, words, next === first);
    if (group === null) break;
    const scale = words.scales.get(tokens[group.next]?.text ?? "") ?? 0;
    if (scale >= 1_000 && scale < last && group.value > 0 && group.value < 1_000) {
      total += group.value * scale;
      last = scale;
      next = group.next + 1;
      continue;
    }
    if (group.value >= last || group.next === from) break;
    total += group.value;
    next = group.next;
    // The thousands may be a separate word: "zweitausend fünfhundert".
    if (group.value < 1_000 || group.value % 1_000 !== 0) break;
    last = 1_000;
  }
  return next === first ? null : { value: total, next };
}

/** Reads a scale without a number before it, which means one: "a thousand", "mil". */
function oneAt(tokens: readonly Token[], from: number, words: NumberWords, isFirst: boolean): Read | null {
  if (!isFirst) return null;
  const at = words.isBare ? from : ["a", "an"].includes(tokens[from]?.text ?? "") ? from + 1 : null;
  const isScale = at !== null && (words.scales.get(tokens[at]?.text ?? "") ?? 0) >= 1_000;
  return isScale ? { value: 1, next: at } : null;
}

/** Reads a number below a thousand, "twelve hundred", or a number joined to one word. */
function groupAt(tokens: readonly Token[], from: number, words: NumberWords): Read | null {
  const hundred = longestAt(words.hundreds, tokens, from, MAX_SMALL_TOKENS);
  if (hundred !== null) return plusSmall(tokens, { value: hundred.value, next: hundred.next }, words);
  const small = longestAt(words.small, tokens, from, MAX_SMALL_TOKENS);
  if (small !== null) {
    const isHundreds = small.value > 10 && words.scales.get(tokens[small.next]?.text ?? "") === 100;
    return isHundreds ? plusSmall(tokens, { value: small.value * 100, next: small.next + 1 }, words) : small;
  }
  const joined = joinedIn(tokens[from]?.text ?? "", words);
  if (joined === null) return null;
  const read = { value: joined, next: from + 1 };
  return joined % 100 === 0 && joined % 1_000 !== 0 ? plusSmall(tokens, read, words) : read;
}

function plusSmall(tokens: readonly Token[], { value, next }: Read, words: NumberWords): Read {
  const from = words.and.has(tokens[next]?.text ?? "") ? next + 1 : next;
  const small = longestAt(words.small, tokens, from, MAX_SMALL_TOKENS);
  return small === null || small.value === 0 ? { value, next } : { value: value + small.value, next: small.next };
}

/** Reads a number of hundreds and thousands in one word: "zweitausendsechsundzwanzig". */
function joinedIn(word: string, { joined, small }: Pick<NumberWords, "joined" | "small">): number | null {
  if (joined === null || word.length > MAX_JOINED_CHARS || !JOINED.test(word)) return null;
  // Italian omits one of two vowels: "centottanta".
  const parts = joined.exec(word.replaceAll("centott", "centoott"))?.groups;
  if (!parts) return null;
  const below = (text: string, empty: number): number => (text === "" ? empty : (small.get(text) ?? Number.NaN));
  const hundreds = parts.hundreds === undefined ? 0 : 100 * below(parts.hundreds, 1);
  const rest = below(parts.rest ?? "", 0);
  const { thousands } = parts;
  const many =
    thousands === undefined || thousands === "" ? 1 : (small.get(thousands) ?? joinedIn(thousands, { joined, small }));
  const value = (thousands === undefined ? 0 : 1_000 * (many ?? Number.NaN)) + hundreds + rest;
  return Number.isNaN(value) ? null : value;
}

/** Reads decimals: one by one, or a number below a hundred as two digits: "drei Komma fünf". */
function decimalsAfter(tokens: readonly Token[], whole: Read, { point, small }: NumberWords): Read {
  if (!point.has(tokens[whole.next]?.text ?? "")) return whole;
  let [digits, next] = ["", whole.next + 1];
  for (let read = longestAt(small, tokens, next, MAX_SMALL_TOKENS); read !== null && digits.length < 15; ) {
    digits += String(read.value);
    next = read.next;
    // No digits follow a number of two digits.
    read = read.value < 10 ? longestAt(small, tokens, next, MAX_SMALL_TOKENS) : null;
  }
  return digits === "" ? whole : { value: Number(`${whole.value}.${digits}`), next };
}

/** Reads decimals, and English forms such as "two and a half", "two and a half thousand", "a dozen". */
function englishParts(tokens: readonly Token[], whole: Read, words: NumberWords): Read {
  const said = (at: number) => tokens[at]?.text ?? "";
  const isHalf = said(whole.next) === "and" && said(whole.next + 1) === "a" && said(whole.next + 2) === "half";
  const read = isHalf ? { value: whole.value + 0.5, next: whole.next + 3 } : decimalsAfter(tokens, whole, words);
  if (said(read.next) === "dozen") return { value: read.value * 12, next: read.next + 1 };
  const scale = words.scales.get(said(read.next)) ?? 0;
  return scale >= 1_000 && read.next !== whole.next ? { value: round(read.value * scale), next: read.next + 1 } : read;
}

/** Removes the floating point error of a product: 1.1 × 1,000 is 1,100. */
export function round(n: number): number {
  return Number(n.toPrecision(15));
}
