const SMALL = new Map(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen"
  )
    .split(" ")
    .map((word, n) => [word, n]),
);
const TENS = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, n) => [word, 10 * (n + 2)]),
);
const SCALES = new Map([
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);

/** Figures with what may stand between them. */
const FIGURES = /(?<![\p{L}\p{N}])([-−]?)(\d+(?:[.,'’\u00a0\u202f ]\d+)*)/gu;

/** All numbers that a text names: in figures with separators, and in English words. */
export function numbersIn(text: string): Set<number> {
  const plain = text.normalize("NFKC");
  const found = new Set<number>();
  for (const [, sign = "", figures = ""] of plain.matchAll(FIGURES)) {
    for (const n of readingsOf(figures)) found.add(sign === "" ? n : -n);
    // A dash before figures may be no sign: a range, an item of a list.
    if (sign !== "") for (const n of readingsOf(figures)) found.add(n);
  }
  for (const n of inWords(plain)) found.add(n);
  return found;
}

/** What figures with separators may mean: the whole of them as one number, and each run that a space divides. */
function readingsOf(figures: string): number[] {
  const runs = figures.split(/[\u00a0\u202f ]/);
  const whole = /^\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/.test(figures) ? [runs.join("")] : [];
  return [...whole, ...runs]
    .flatMap((run) => [asOne(run), ...(isGrouped(run) ? [] : run.split(/[,'’]/).map(Number))])
    .filter((n): n is number => n !== null && Number.isFinite(n));
}

/** Thousands and a decimal mark, the way that the separators leave no doubt about; null if they do. */
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

/** Whether figures are in groups of three, with a decimal part or without: 1,234 or 1.234,50. */
function isGrouped(run: string): boolean {
  return /^\d{1,3}(?:([.,'’])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?)$/.test(run);
}

/** The numbers that English words name: "two hundred and fifty", "three point five", "one two three" digit by digit. */
function inWords(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+|\d+(?:[.,]\d+)?|[^\p{L}\p{N}\s-]/gu) ?? [];
  const found: number[] = [];
  let at = 0;
  while (at < words.length) {
    const read = numberAt(words, at);
    if (read === null) {
      at++;
      continue;
    }
    found.push(...read.numbers);
    at = read.next;
  }
  return found;
}

interface Read {
  numbers: number[];
  next: number;
}

function numberAt(words: string[], from: number): Read | null {
  let at = from;
  const isMinus = words[at] === "minus";
  if (isMinus) at++;
  const digits = digitsAt(words, at);
  if (digits !== null) return { numbers: signed(digits.numbers, isMinus), next: digits.next };
  const cardinal = cardinalAt(words, at);
  if (cardinal === null) return null;
  return { numbers: signed(cardinal.numbers, isMinus), next: cardinal.next };
}

const signed = (numbers: number[], isMinus: boolean) => (isMinus ? numbers.map((n) => -n) : numbers);

/** Most digits that are read as one number: a long row would be read again from each of them. */
const MAX_DIGITS = 20;

/** Two digits or more, one by one: each, and all of them as one number. */
function digitsAt(words: string[], from: number): Read | null {
  const digits: number[] = [];
  let at = from;
  for (let n = digitOf(words[at]); n !== null && digits.length < MAX_DIGITS; n = digitOf(words[at])) {
    digits.push(n);
    at++;
  }
  // "two hundred", "five point one": the last one belongs to what follows.
  if (digits.length < 2 || isPart(words[at])) return null;
  return { numbers: [...digits, Number(digits.join(""))], next: at };
}

function digitOf(word: string | undefined): number | null {
  const n = SMALL.get(word ?? "");
  return n !== undefined && n < 10 ? n : null;
}

const isPart = (word: string | undefined) =>
  word === "hundred" || word === "point" || SCALES.has(word ?? "") || TENS.has(word ?? "");

/** Whether "and" stands within one number: "two hundred and fifty". */
function isJoined(before = "", after = ""): boolean {
  return (before === "hundred" || SCALES.has(before)) && (SMALL.has(after) || TENS.has(after));
}

/** A number in words, or a figure before a scale ("3 million"). */
function cardinalAt(words: string[], from: number): Read | null {
  let [at, total, group, seen] = [from, 0, 0, false];
  // "a hundred", "a thousand"
  if ((words[at] === "a" || words[at] === "an") && (words[at + 1] === "hundred" || SCALES.has(words[at + 1] ?? ""))) {
    group = 1;
    at++;
  } else if (/^\d/.test(words[at] ?? "")) {
    if (words[at + 1] !== "hundred" && !SCALES.has(words[at + 1] ?? "")) return null;
    group = Number((words[at] ?? "").replace(",", "."));
    at++;
  }
  for (;;) {
    const word = words[at] ?? "";
    const small = SMALL.get(word);
    const tens = TENS.get(word);
    const scale = SCALES.get(word);
    if (small !== undefined && group % (small < 10 ? 10 : 100) === 0 && (group % 100 === 0 || small > 0))
      group += small;
    else if (tens !== undefined && group % 100 === 0) group += tens;
    else if (word === "hundred" && group > 0 && group < 100) group *= 100;
    else if (scale !== undefined && group > 0) {
      total += group * scale;
      group = 0;
    } else if (word === "and" && isJoined(words[at - 1], words[at + 1])) {
      at++;
      continue;
    } else break;
    seen = true;
    at++;
  }
  if (!seen) return null;
  const whole = total + group;
  if (words[at] !== "point") return { numbers: [whole], next: at };
  const decimals: number[] = [];
  let next = at + 1;
  for (let n = digitOf(words[next]); n !== null; n = digitOf(words[next])) {
    decimals.push(n);
    next++;
  }
  return decimals.length === 0
    ? { numbers: [whole], next: at }
    : { numbers: [Number(`${whole}.${decimals.join("")}`)], next };
}
