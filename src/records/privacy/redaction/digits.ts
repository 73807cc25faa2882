import { searched, type Work } from "./work.ts";

/** Separates two texts that are read as one. It is a private-use character, which is removed from clients' texts. */
export const JOINT = "\uE000";

/** Digits in a text: a run of figures, or a number word. */
export interface DigitGroup {
  digits: string;
  from: number;
  to: number;
  isWord: boolean;
}

/** The gap between two groups of a chain. */
interface Gap {
  /** Whether one text ends here and the next begins. */
  isJoint: boolean;
  /** Whether one number may end here and another begin: at a comma, a slash or "and". */
  isHard: boolean;
}

/** Groups of digits that are divided only by separators, with the gap before each group except the first. */
export interface DigitChain {
  groups: DigitGroup[];
  gaps: Gap[];
}

const UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const DIGIT_OF_WORD = new Map<string, string>([
  ...UNITS.map((word, n): [string, string] => [word, String(n)]),
  ["oh", "0"],
  ["o", "0"],
  ["nought", "0"],
  ["niner", "9"],
]);
const UNIT = [...DIGIT_OF_WORD.keys()].join("|");
/** What may separate the parts of a number word. Its length is limited, like everything between groups. */
const WITHIN = "[\\s-]{1,24}";
const TIMES = `(?:(double|triple)${WITHIN})`;
export const NUMBER_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${TIMES}?(${UNIT})|(${TEENS.join("|")})|(${TENS.join("|")})(?:${WITHIN}(${UNITS.slice(1).join("|")}))?|(hundred|thousand))(?![\\p{L}\\p{N}])`,
  "giu",
);
const FIGURES = /\p{Nd}+/gu;

/** The separators allowed between the groups of one number. `HARD` are those that may also separate two numbers. */
const SEPARATORS = new RegExp(
  `^(?:[\\s\\-\\u2010-\\u2015.,;/()_*+|${JOINT}]|(?<!\\p{L})(?:and|um|uh|er|then|dash|hyphen|space|dot)(?!\\p{L})){0,24}$`,
  "iu",
);
const HARD = /[,;/|+]|and|then/i;

export function digitChains(text: string, work: Work): DigitChain[] {
  const chains: DigitChain[] = [];
  let chain: DigitChain | null = null;
  let end = 0;
  for (const group of digitGroups(text, work)) {
    const between = text.slice(end, group.from);
    if (chain !== null && SEPARATORS.test(searched(between, work))) {
      chain.gaps.push({ isJoint: between.includes(JOINT), isHard: HARD.test(between) });
      chain.groups.push(group);
    } else {
      chain = { groups: [group], gaps: [] };
      chains.push(chain);
    }
    end = group.to;
  }
  return chains;
}

/** Checks whether only separators follow after `at`, so that further digits would continue a chain that ends there. */
export function isOpenEnded(text: string, at: number, work: Work): boolean {
  return SEPARATORS.test(searched(text.slice(at), work));
}

function digitGroups(text: string, work: Work): DigitGroup[] {
  const figures = Array.from(searched(text, work).matchAll(FIGURES), ({ index, 0: run }) => ({
    digits: [...run].map(digitOf).join(""),
    from: index,
    to: index + run.length,
    isWord: false,
  }));
  const words = Array.from(searched(text, work).matchAll(NUMBER_WORD), (match) => ({
    digits: digitsOfWord(match),
    from: match.index,
    to: match.index + match[0].length,
    isWord: true,
  }));
  return [...figures, ...words].sort((a, b) => a.from - b.from);
}

/** Returns the value of a decimal digit in any script. Unicode lists each script's ten digits in a row, from zero. */
export function digitOf(character: string): string {
  if (character >= "0" && character <= "9") return character;
  const code = character.codePointAt(0) ?? 0;
  let below = 0;
  while (below < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++;
  return String(below);
}

export function digitsOfWord([, times, unit, teen, ten, after, scale]: RegExpExecArray): string {
  if (unit !== undefined) {
    const digit = DIGIT_OF_WORD.get(unit.toLowerCase()) ?? "";
    return digit.repeat(times === undefined ? 1 : times.toLowerCase() === "double" ? 2 : 3);
  }
  if (teen !== undefined) return String(10 + TEENS.indexOf(teen.toLowerCase()));
  if (ten !== undefined) {
    const tens = TENS.indexOf(ten.toLowerCase()) + 2;
    return `${tens}${after === undefined ? 0 : UNITS.indexOf(after.toLowerCase())}`;
  }
  return scale?.toLowerCase() === "hundred" ? "00" : "000";
}
