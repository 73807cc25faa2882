import { japaneseNumbers } from "./japanese.ts";
import { round, type WordNumber, wordNumberAt } from "./number-words.ts";
import { LANGUAGES, numberWords } from "./spoken-languages.ts";
import { type Mention, plainText, type Token, tokensOf } from "./tokens.ts";

/** Figures with possible separators. */
const FIGURES = /(?<![\p{sc=Latin}\p{N}])([-−]?)(\d+(?:[.,'’\u00a0\u202f ]\d+)*)/gu;
/** A suffix that multiplies the figures before it: "$5k", "3 million", "2 Tsd". */
const SUFFIX = /\s?(?:(\p{sc=Latin}+)(?![\p{L}\p{N}])|([万億]))/uy;
const SUFFIXES = new Map([
  ...Object.entries({ k: 1e3, tsd: 1e3, m: 1e6, mio: 1e6, mln: 1e6, mn: 1e6, bn: 1e9, mrd: 1e9, 万: 1e4, 億: 1e8 }),
]);
const MINUS = new Set(["minus", "moins", "menos", "meno", "min"]);
const AND = new Set(["and", "und", "et", "y", "e", "en", "i"]);
const CURRENCIES = new Set(
  (
    "$ € £ dollar dollars buck bucks euro euros pound pounds quid franc francs franken peso pesos real reais zloty zlote " +
    "zlotych"
  ).split(" "),
);
/** The most digits read as one number, because a longer row would be read again from each of its digits. */
const MAX_DIGITS = 20;
/** The fewest digits in groups that are one number, as telephone numbers are written. */
const MIN_GROUPED_DIGITS = 7;

/** Returns the numbers that a text names unambiguously. */
export function numbersIn(text: string): Set<number> {
  return new Set(numberMentions(text).flatMap(({ values, isSure }) => (isSure ? values : [])));
}

/**
 * Returns everything in a text that may be a number: figures with separators and suffixes, and words. Positions refer
 * to `plainText`.
 */
export function numberMentions(text: string): Mention<number>[] {
  const plain = plainText(text);
  const tokens = tokensOf(plain);
  const words = inWords(tokens);
  const all = [...inFigures(plain), ...words, ...joinedDigits(words), ...japaneseNumbers(plain)];
  const signed = all.toSorted((a, b) => a.from - b.from || b.to - a.to);
  return [...signed, ...amounts(signed, tokens)];
}

function inFigures(plain: string): Mention<number>[] {
  return Array.from(plain.matchAll(FIGURES), ({ 0: all, 1: sign = "", 2: figures = "", index }) => {
    const to = index + all.length;
    SUFFIX.lastIndex = to;
    const [, letters, numeral = ""] = SUFFIX.exec(plain) ?? [];
    const scale = SUFFIXES.get(letters ?? numeral) ?? scales().get(letters ?? "");
    const read = readingsOf(figures);
    const [first] = read;
    const scaled = scale === undefined || first === undefined ? [] : [round(first * scale)];
    const values = [...scaled, ...read];
    // A dash before figures may not be a sign, but a range or a list.
    const isMinus =
      sign !== "" || MINUS.has(/(\p{L}{1,8})\s$/u.exec(plain.slice(Math.max(0, index - 9), index))?.[1] ?? "");
    const both = isMinus ? [...values.map((n) => -n), ...values] : values;
    return { values: both, isSure: true, from: index, to: scaled.length === 0 ? to : SUFFIX.lastIndex };
  });
}

let scaleWords: ReadonlyMap<string, number> | null = null;

/** Returns the scales of all languages, for figures before them: "3 Millionen". */
function scales(): ReadonlyMap<string, number> {
  scaleWords ??= new Map(LANGUAGES.flatMap((language) => [...numberWords(language).scales]));
  return scaleWords;
}

/** Returns the possible values of figures with separators: all of them as one number, and each run between spaces. */
function readingsOf(figures: string): number[] {
  const runs = figures.split(/[\u00a0\u202f ]/);
  const isThousands = /^\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/.test(figures);
  const digits = runs.join("");
  const isGroups =
    runs.length > 1 && /^\d+$/.test(digits) && digits.length >= MIN_GROUPED_DIGITS && digits.length <= MAX_DIGITS;
  const whole = isThousands || isGroups ? [digits] : [];
  return [...whole, ...runs]
    .flatMap((run) => [asOne(run), ...(isGrouped(run) ? [] : run.split(/[,'’]/).map(Number))])
    .filter((n): n is number => n !== null && Number.isFinite(n));
}

/** Reads thousands and a decimal mark if the separators are unambiguous; otherwise null. */
function asOne(run: string): number | null {
  if (/^\d+$/.test(run)) return Number(run);
  if (isGrouped(run)) {
    const last = Math.max(run.lastIndexOf("."), run.lastIndexOf(","));
    const marks = new Set(run.replaceAll(/\d/g, ""));
    // If both marks occur, the last one is the decimal mark: 1,234.50 and 1.234,50.
    if (marks.size === 2 && !/['’]/.test(run[last] ?? ""))
      return Number(`${run.slice(0, last).replaceAll(/\D/g, "")}.${run.slice(last + 1)}`);
    return Number(run.replaceAll(/\D/g, ""));
  }
  const decimal = /^(\d+)[.,](\d+)$/.exec(run);
  return decimal ? Number(`${decimal[1]}.${decimal[2]}`) : null;
}

/** Checks whether figures are in groups of three, with or without decimals: 1,234 or 1.234,50. */
function isGrouped(run: string): boolean {
  return /^\d{1,3}(?:([.,'’])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?)$/.test(run);
}

type WordMention = WordNumber & Mention<number>;

function inWords(tokens: readonly Token[]): WordMention[] {
  const found: WordMention[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = wordNumberAt(tokens, at);
    if (read === null) {
      at++;
      continue;
    }
    const isMinus = MINUS.has(tokens[at - 1]?.text ?? "");
    const values = isMinus ? read.values.map((n) => -n) : read.values;
    const [from, to] = [tokens[at]?.from ?? 0, tokens[read.next - 1]?.to ?? 0];
    found.push(Object.assign({}, read, { values, from, to }));
    at = read.next;
  }
  return found;
}

/** Joins consecutive numbers below a hundred: "four five six seven", "nineteen eighty-four". */
function joinedDigits(words: readonly WordMention[]): Mention<number>[] {
  const found: Mention<number>[] = [];
  let row: { digits: string; count: number; from: number; to: number; next: number } | null = null;
  const close = () => {
    if (row !== null && row.count > 1)
      found.push({ values: [Number(row.digits)], isSure: true, from: row.from, to: row.to });
    row = null;
  };
  for (const word of words) {
    const digits = digitsOf(word);
    if (row === null || digits === null || word.first !== row.next || row.digits.length >= MAX_DIGITS) {
      close();
      row = digits === null ? null : { digits, count: 1, from: word.from, to: word.to, next: word.next };
    } else row = { digits: row.digits + digits, count: row.count + 1, from: row.from, to: word.to, next: word.next };
  }
  close();
  return found;
}

function digitsOf({ values: [value] }: WordMention): string | null {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value < 100 ? String(value) : null;
}

/** Returns amounts with their hundredths: "twenty-five dollars and fifty cents", "12 Euro 50". */
function amounts(mentions: readonly Mention<number>[], tokens: readonly Token[]): Mention<number>[] {
  if (!tokens.some(({ text }) => CURRENCIES.has(text))) return [];
  const after = new Map(tokens.map(({ to }, i) => [to, i + 1]));
  const starting = new Map(mentions.map((mention) => [mention.from, mention]));
  const found: Mention<number>[] = [];
  for (const mention of mentions) {
    const i = after.get(mention.to) ?? tokens.length;
    if (!CURRENCIES.has(tokens[i]?.text ?? "")) continue;
    const from = AND.has(tokens[i + 1]?.text ?? "") ? i + 2 : i + 1;
    const cents = starting.get(tokens[from]?.from ?? -1);
    const [whole] = mention.values;
    const [part] = cents?.values ?? [];
    if (cents === undefined || whole === undefined || part === undefined || part <= 0 || part >= 100) continue;
    if (Number.isInteger(whole) && Number.isInteger(part))
      found.push({ values: [round(whole + part / 100)], isSure: true, from: mention.from, to: cents.to });
  }
  return found;
}
