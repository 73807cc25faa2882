import { subtagOf } from "../../agent/speech/language.ts";
import { OTHER_LANGUAGES } from "./opt-out-languages.ts";

/** Callers of any language may ask in English. */
const DEFAULT_LANGUAGE = "en";

/*
 * How callers ask not to be called again, by language subtag (BCP 47). The patterns match the words of a turn in lower
 * case, without accents, apostrophes and marks. If in doubt they match: an unwanted call is illegal in many places, and a
 * wrong match can be undone.
 */

/** Verbs for what an unwanted caller does. */
const CALLING = "(?:call|phon|ring|text|messag|contact|bother|harass|spamm)ing";
const CALL = "(?:call|phone|ring|text|message|contact|bother)";
const HERE = "(?:me|us|here|this number|my (?:number|phone|house|home|cell|mobile))";
const LIST =
  "(?:(?:call(?:ing|ers?)?|phone|contact|mailing|marketing|dialing|do not call) )?(?:list|lists|database|system)";
/** A time until or from which a call is welcome. */
const TIMED =
  "(?:before|until|till|after|during|while|at (?:work|night|\\d|noon|this)|on (?:mon|tues|wednes|thurs|fri|satur|sun|week)|in the (?:morning|evening|afternoon)|today|tonight|tomorrow|this (?:week|morning|evening|afternoon)|so (?:early|late)|(?:that )?(?:early|late))";

const ENGLISH = [
  `(?<!\\b(?:dont|do not|never|not|didnt|did not|wouldnt|without) (?:(?:want|need|ask|tell|expect) (?:you |them |her |him )?(?:to )?)?)(?:stop|quit|no more) ${CALLING}(?: ${HERE}(?! (?:sir|maam|madam|names|mr|mrs|ms|miss|that|stupid|crazy)\\b)|$| (?:please|now|again|already|at once|immediately|and|or))(?! ${TIMED}\\b)`,
  `no more (?:calls|phone calls|texts|messages)(?! ${TIMED}\\b)`,
  `(?:dont|do not|never|not) (?:you )?(?:ever |please )?${CALL} ${HERE}(?: back)? (?:again|any ?more|ever)\\b`,
  `(?:dont|do not|never) (?:ever )?${CALL} (?:again|any ?more)\\b`,
  `(?:please |just )(?:dont|do not|never) (?:ever )?${CALL} ${HERE}(?:$| please\\b| thank)`,
  `^(?:dont|do not|never) (?:ever )?${CALL} ${HERE}(?:$| please\\b| thank)`,
  `(?:dont|do not) (?:want|wish|need) (?:(?:you|anybody|anyone|people|them) (?:to )?${CALL}(?:ing)? ${HERE}|to be (?:called|contacted|phoned|texted|bothered)|to (?:get|receive|have) (?:any )?(?:more |of )?(?:these |your )?calls|(?:any )?(?:more |of )?(?:these |your )?calls)(?:$| (?:again|any ?more|ever|please|from you))`,
  `(?:take|get|want|remove|strike|put|scratch) (?:me|us|my (?:name|number|phone(?: number)?)|this number|our number) (?:off|out|from)(?: of)?(?: (?:your|the|this|that|that|any|all|every))?(?: of)?(?: (?:your|the))? ${LIST}\\b`,
  `(?:off|from) your ${LIST}\\b`,
  "(?:take|get) (?:me|us|my number|this number) off(?:$| please\\b)",
  "(?:remove|delete|lose|erase|forget) (?:my|this|our) (?:phone )?number",
  "remove (?:me|us)(?:$| please\\b| from (?:your|the|this) (?:calls|calling))",
  "(?:on|to) (?:your|the|a) (?:do not call|dont call|no call) (?:list|registry)",
  "(?:^|\\b(?:want|like|need|wish|have) to |\\bplease |\\bme )(?:unsubscribe|opt out)(?: me| us)?(?:$| please\\b| (?:of|from) (?:(?:all|any|these|your|further|future|more) )*(?:calls|calling|messages|texts|list))",
  "opt (?:me|us) out(?:$| please\\b| (?:of|from) (?:(?:all|any|these|your) )*(?:calls|calling|messages|texts|list))",
];

const OPT_OUT_WORDS = new Map([
  ["en", new RegExp(`\\b(?:${ENGLISH.join("|")})`)],
  ...Object.entries(OTHER_LANGUAGES).map(([language, { asks, but }]): [string, RegExp] => {
    // A match must not be followed by a wish for another time.
    const pattern = `(?<![\\p{L}\\p{M}\\p{N}])(?:${asks.join("|")})(?![\\p{L}\\p{M}])(?! (?:\\S+ )?${but}(?![\\p{L}\\p{M}]))`;
    return [language, new RegExp(pattern, "u")];
  }),
]);

/** The most characters of a turn that are read. A request not to be called again is short. */
const MAX_CHARS = 2_000;

/**
 * Returns the words of a text in lower case, without apostrophes and punctuation. It also removes what only some people
 * write: the accents of Latin letters, the dot of a Turkish i and the nukta of Devanagari. The vowel signs of Hindi are
 * kept.
 */
function plainWords(text: string): string {
  const words = text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u093c'’‘`´]+/gu, "")
    .replaceAll("ı", "i")
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(" ") ?? "";
}

/**
 * Checks whether a caller asks not to be called again, in `language` (a BCP 47 tag) or in English, which recognizers of
 * other languages transcribe too.
 */
export function asksToOptOut(text: string, language: string = DEFAULT_LANGUAGE): boolean {
  const subtag = subtagOf(language);
  const words = plainWords(text);
  return [...OPT_OUT_WORDS].some(
    ([known, pattern]) => (known === subtag || known === DEFAULT_LANGUAGE) && pattern.test(words),
  );
}
