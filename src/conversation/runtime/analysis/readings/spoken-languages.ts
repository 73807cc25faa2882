import * as german from "n2words/de-DE";
import * as british from "n2words/en-GB";
import * as american from "n2words/en-US";
import * as spanish from "n2words/es-ES";
import * as belgian from "n2words/fr-BE";
import * as french from "n2words/fr-FR";
import * as italian from "n2words/it-IT";
import * as dutch from "n2words/nl-NL";
import * as polish from "n2words/pl-PL";
import * as portuguese from "n2words/pt-PT";
import { keyOf } from "./tokens.ts";

/** The languages whose dates and numbers are read, besides Japanese, which has no spaces between words. */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "pt", "nl", "pl"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Spoken {
  toCardinal(n: number): string;
  toOrdinal(n: number): string;
}

/** The number words of a language, by key. */
export interface NumberWords {
  language: Language;
  /** 0 to 99. */
  small: ReadonlyMap<string, number>;
  /** 100 to 900, alone and as the beginning of a longer number: "cien", "ciento". */
  hundreds: ReadonlyMap<string, number>;
  /** 1 to 31, as the day of a month is spoken. */
  ordinals: ReadonlyMap<string, number>;
  /** The words with which numbers begin. */
  starts: ReadonlySet<string>;
  /** Hundreds above nine ("twelve hundred"), thousands and higher. */
  scales: ReadonlyMap<string, number>;
  /** Matches joined words: "zweihundertfünf", "zweitausendsechs"; null if numbers stay separate words. */
  joined: RegExp | null;
  /** Whether a scale alone means one of it: "mil", not "thousand". */
  isBare: boolean;
  point: ReadonlySet<string>;
  and: ReadonlySet<string>;
}

interface Rules {
  speakers: Spoken[];
  /** Other forms of the library's words. */
  variants?: [RegExp, string][];
  ordinalVariants?: [RegExp, string][];
  extra?: Record<string, number>;
  scales: string;
  /** The words for a hundred and a thousand, if they join others to one word. */
  joined?: [hundred: string, thousand: string];
  point: string;
  and: string;
}

const RULES: Record<Language, Rules> = {
  en: {
    speakers: [american, british],
    variants: [[/^onehundred/, "ahundred"]],
    extra: { adozen: 12, halfdozen: 6, halfadozen: 6, halfa: 0.5, halfan: 0.5 },
    scales: "hundred:100 thousand:1e3 grand:1e3 million:1e6 billion:1e9",
    point: "point",
    and: "and",
  },
  de: {
    speakers: [german],
    variants: [
      [/^einhundert/, "hundert"],
      [/zwei/g, "zwo"],
    ],
    ordinalVariants: [
      [/e$/, "en"],
      [/e$/, "er"],
      [/e$/, "es"],
      [/e$/, "em"],
    ],
    extra: { null: 0, ein: 1, eine: 1, einer: 1, einem: 1, einen: 1 },
    scales: "hundert:100 tausend:1e3 million:1e6 millionen:1e6 milliarde:1e9 milliarden:1e9",
    joined: ["hundert", "tausend"],
    point: "komma",
    and: "und",
  },
  es: {
    speakers: [spanish],
    variants: [
      [/uno$/, "un"],
      [/uno$/, "una"],
      [/cientos/, "cientas"],
      [/quinientos/, "quinientas"],
    ],
    scales: "mil:1e3 millon:1e6 millones:1e6",
    point: "coma punto",
    and: "y",
  },
  fr: {
    speakers: [french, belgian],
    variants: [
      [/un$/, "une"],
      [/^quatrevingts$/, "quatrevingt"],
      [/cents$/, "cent"],
    ],
    scales: "mille:1e3 mil:1e3 million:1e6 millions:1e6 milliard:1e9 milliards:1e9",
    point: "virgule",
    and: "et",
  },
  it: {
    speakers: [italian],
    variants: [
      [/uno$/, "un"],
      [/uno$/, "una"],
    ],
    scales: "mille:1e3 mila:1e3 milione:1e6 milioni:1e6 miliardo:1e9 miliardi:1e9",
    joined: ["cento", "mille|mila"],
    point: "virgola",
    and: "e",
  },
  pt: {
    speakers: [portuguese],
    variants: [
      [/dezasseis/, "dezesseis"],
      [/dezassete/, "dezessete"],
      [/dezanove/, "dezenove"],
      [/um$/, "uma"],
      [/dois$/, "duas"],
      [/entos/, "entas"],
    ],
    scales: "mil:1e3 milhao:1e6 milhoes:1e6 bilhao:1e9 bilhoes:1e9",
    point: "virgula",
    and: "e",
  },
  nl: {
    speakers: [dutch],
    extra: { nul: 0 },
    scales: "honderd:100 duizend:1e3 miljoen:1e6 miljard:1e9",
    joined: ["honderd", "duizend"],
    point: "komma",
    and: "en",
  },
  pl: {
    speakers: [polish],
    variants: [[/dwa$/, "dwie"]],
    ordinalVariants: [
      [/y(?= |$)/g, "ego"],
      [/i(?= |$)/g, "iego"],
    ],
    scales: "tysiac:1e3 tysiace:1e3 tysiecy:1e3 milion:1e6 miliony:1e6 milionow:1e6 miliard:1e9 miliardy:1e9",
    point: "przecinek",
    and: "i",
  },
};

/** Words of one language that are articles or other words elsewhere. Alone they name no number for certain. */
export const WEAK: ReadonlySet<string> = new Set(
  "un une una ein eine einer einem einen een um uma once due sei cent onze sept neuf otto null nul set".split(" "),
);

const kept = new Map<Language, NumberWords>();

/** Returns the number words of a language, built once per isolate. */
export function numberWords(language: Language): NumberWords {
  const before = kept.get(language);
  if (before !== undefined) return before;
  const made = build(language);
  kept.set(language, made);
  return made;
}

function build(language: Language): NumberWords {
  const { speakers, variants = [], ordinalVariants = [], extra = {}, scales, joined, point, and } = RULES[language];
  const small = new Map<string, number>(Object.entries(extra));
  const hundreds = new Map<string, number>();
  const ordinals = new Map<string, number>();
  const starts = new Set<string>();
  const add = (table: Map<string, number>, said: string, n: number) => {
    starts.add(keyOf(said.split(/[\s-]/)[0] ?? ""));
    const key = keyOf(said);
    table.set(key, n);
    for (const [of, other] of variants) table.set(key.replace(of, other), n);
  };
  for (const { toCardinal, toOrdinal } of speakers) {
    const two = toCardinal(2);
    // The library has no German word for zero.
    for (let n = language === "de" ? 1 : 0; n < 100; n++) add(small, toCardinal(n), n);
    for (let n = 100; n < 1_000; n += 100) {
      add(hundreds, toCardinal(n), n);
      add(hundreds, toCardinal(n + 2).slice(0, -two.length), n);
    }
    for (let n = 1; n <= 31; n++) {
      const words = toOrdinal(n).toLowerCase();
      for (const said of [words, ...inflected(words, ordinalVariants)]) ordinals.set(keyOf(said), n);
    }
  }
  return {
    language,
    small,
    hundreds,
    ordinals,
    starts,
    scales: new Map(scales.split(" ").map((entry) => [entry.split(":")[0] ?? "", Number(entry.split(":")[1])])),
    joined: joined
      ? new RegExp(
          `^(?:(?<thousands>.*)(?:${joined[1]}))?(?:${and})?(?:(?<hundreds>.*)${joined[0]})?(?:${and})?(?<rest>.*)$`,
        )
      : null,
    isBare: language !== "en",
    point: new Set(point.split(" ")),
    and: new Set(and.split(" ")),
  };
}

/** Applies each ending by itself, and all together, because Polish inflects every word. */
function inflected(words: string, endings: [RegExp, string][]): string[] {
  const each = endings.map(([of, other]) => words.replace(of, other));
  return [...each, endings.reduce((said, [of, other]) => said.replace(of, other), words)];
}
