/* Languages in the form that agents use: BCP 47 tags with a language, and optionally a script and region. */
import { BoundedMap } from "../../kernel/bounded-map.ts";

/** The maximum length of a tag, characters (RFC 5646, 4.4.1). */
const MAX_TAG_CHARS = 35;

/** The language of agents that don't set one. */
export const DEFAULT_LANGUAGE = "en-US";

/** Languages that people are likely to write by their English names. */
const COMMON_LANGUAGES =
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh".split(
    " ",
  );

const named = (type: "language" | "region" | "script") =>
  new Intl.DisplayNames("en", { type, fallback: "none", languageDisplay: "standard" });
const NAMES = { language: named("language"), region: named("region"), script: named("script") };

/** The tags that an isolate has looked up recently: a look-up in Unicode's data takes about 10 µs. */
const lookedUp = new BoundedMap<string, string | null>(1_000);

/**
 * Returns a tag in its canonical spelling (`de-AT` for `de-at`); null if it names no language that Unicode's CLDR
 * knows. Variants and extensions are refused, because no carrier accepts them.
 */
export function languageNamed(written: string): string | null {
  if (written.length > MAX_TAG_CHARS) return null;
  const known = lookedUp.get(written);
  if (known !== undefined) return known;
  const tag = lookUp(written);
  lookedUp.set(written, tag);
  return tag;
}

function lookUp(written: string): string | null {
  try {
    const locale = new Intl.Locale(written);
    const { language, script, region } = locale;
    const canonical = [language, script, region].filter((part) => part !== undefined).join("-");
    if (canonical !== locale.toString() || language === "und") return null;
    const isKnown =
      NAMES.language.of(language) !== undefined &&
      (script === undefined || NAMES.script.of(script) !== undefined) &&
      (region === undefined || NAMES.region.of(region) !== undefined);
    return isKnown ? canonical : null;
  } catch {
    return null;
  }
}

/**
 * Returns why `languageNamed` returned null. If the text is the English name of a language, the answer suggests its
 * tag.
 */
export function whyNoLanguage(written: string): string {
  const meant = COMMON_LANGUAGES.find((tag) => NAMES.language.of(tag)?.toLowerCase() === written.trim().toLowerCase());
  const spelled = written.length <= MAX_TAG_CHARS ? languageNamed(written.trim().replaceAll("_", "-")) : null;
  const likely = spelled ?? (meant === undefined ? null : withRegion(meant));
  return `must be the BCP 47 tag of a language such as de-DE${likely === null ? "" : `: did you mean ${likely}?`}`;
}

/** Returns the language of a tag without script and region: `de` for `de-AT`. */
export function subtagOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? "";
}

/** Adds to a tag without a region the region where the language is spoken most: `de-DE` for `de`. */
export function withRegion(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region === undefined ? language : `${language}-${region}`;
}

/** Returns the agent's languages without duplicates, starting with the one in which conversations begin. */
export function spokenLanguages({ language, languages }: { language: string; languages: readonly string[] }): string[] {
  return [...new Set([language, ...languages])];
}
