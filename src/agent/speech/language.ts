/* Languages as agents name them: BCP 47 tags of a language, if needed with script and region. */

/** The longest tag that is accepted, characters (RFC 5646, 4.4.1). */
const MAX_TAG_CHARS = 35;

/** The language of agents without a setting. */
export const DEFAULT_LANGUAGE = "en-US";

/** Languages that people are likely to name in words. */
const COMMON_LANGUAGES =
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh".split(
    " ",
  );

const named = (type: "language" | "region" | "script") =>
  new Intl.DisplayNames("en", { type, fallback: "none", languageDisplay: "standard" });
const NAMES = { language: named("language"), region: named("region"), script: named("script") };

/**
 * Returns a tag in its canonical spelling (`de-at` is `de-AT`), or null if it names no language that Unicode's CLDR knows.
 * Variants and extensions are refused: no carrier takes them.
 */
export function languageNamed(written: string): string | null {
  if (written.length > MAX_TAG_CHARS) return null;
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
 * Returns why `languageNamed` returns null, with the tag that is likely meant if the text names a language in English.
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

/** Adds the region where the language is spoken most to a tag without one: `de-DE` for `de`. */
export function withRegion(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region === undefined ? language : `${language}-${region}`;
}

/** Returns the agent's languages without duplicates, beginning with the one in which conversations begin. */
export function spokenLanguages({ language, languages }: { language: string; languages: readonly string[] }): string[] {
  return [...new Set([language, ...languages])];
}
