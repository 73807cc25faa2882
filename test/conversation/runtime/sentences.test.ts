import { describe, expect, it } from "vitest";
import {
  BUILT_IN_LANGUAGES,
  builtInSentences,
  languagesWithoutPhrases,
  sentencesOf,
} from "../../../src/agent/speech/sentences.ts";
import { NO_PHRASES, PHRASES } from "../../../src/kernel/db/schema/index.ts";

const TABLE = "src/agent/speech/sentences.ts";
const LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"];

/** The text of every source file by its path. */
const SOURCES = Object.entries(
  import.meta.glob<string>("../../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
);

/** Sources whose texts are not said on the phone or in the widget, or that play a person or a model. */
const NOT_SAID = /\/(?:browser|dev|mcp|scripted|catalog)\/|\/sandbox-people|contract\.ts$|\/contracts?\//;

/** Finds literal texts in a source that the service would say. */
function literalSpeech(source: string): string[] {
  const words = `(?:${['"', "'", "`"].map((mark) => `${mark}[^${mark}\\n]*\\p{L}[^${mark}\\n]*${mark}`).join("|")})`;
  const constants = [...source.matchAll(new RegExp(`const (\\w+) = ${words};`, "gu"))].map(([, name]) => name);
  const named = constants.length === 0 ? words : `(?:${words}|(?:${constants.join("|")})\\b)`;
  const ways = [
    `\\b(?:say|sayWhole|sayFiller|speak)\\(\\s*${named}`,
    `[{,]\\s*text: ${words}`,
    "<(?:Say|Speak)\\b[^>]*>[^<$]*\\p{L}",
  ];
  // Interpolated values come from other places.
  const written = source.replace(/\$\{[^{}]*\}/g, "");
  return ways.flatMap((way) => written.match(new RegExp(way, "gu")) ?? []);
}

describe("the built-in sentences", () => {
  it("the built-in sentences are defined only in their table", () => {
    expect(SOURCES.length).toBeGreaterThan(500);
    const sentences = Object.values(builtInSentences("en"));
    const elsewhere = SOURCES.flatMap(([path, text]) =>
      path.endsWith(TABLE) ? [] : sentences.filter((sentence) => text.includes(sentence)).map((found) => [path, found]),
    );
    expect(elsewhere).toEqual([]);
  });

  it("the service itself says only built-in sentences", () => {
    const said = SOURCES.filter(([path]) => !NOT_SAID.test(path) && !path.endsWith(TABLE)).flatMap(([path, text]) =>
      literalSpeech(text).map((found) => `${path}: ${found}`),
    );
    expect(said).toEqual([]);
  });

  it.each([
    'this.#say("Please hold the line.", true);',
    "speech.sayWhole(`Hold on.`);",
    'store.append({ type: "agent_turn", text: "Hold on." }, at);',
    "const sorry = { text: 'Nobody is here.', language };",
    "return `<Say>Nobody is here.</Say>`;",
    'const HOLD = "Please hold the line.";\nthis.#say(HOLD, true);',
  ])("would be missed in a literal elsewhere: %s", (source) => {
    expect(literalSpeech(source)).not.toEqual([]);
  });

  it("exist in eight languages", () => {
    expect(BUILT_IN_LANGUAGES.toSorted()).toEqual(LANGUAGES);
  });

  it.each(LANGUAGES)("the built-in sentences in %s are complete and about as long as in English", (language) => {
    const english = builtInSentences("en");
    const sentences = builtInSentences(language);
    expect(Object.keys(sentences)).toEqual(Object.keys(english));
    expect(Object.keys(sentences)).toEqual(expect.arrayContaining([...PHRASES]));
    for (const [name, sentence] of Object.entries(sentences)) {
      expect(sentence).toMatch(/^[\p{Lu}¿].*[.?]$/u);
      const inEnglish = Object.entries(english).find(([known]) => known === name)?.[1] ?? "";
      expect(sentence.length).toBeLessThan(1.6 * inEnglish.length + 15);
      expect(language === "en" || sentence !== inEnglish).toBe(true);
    }
  });

  it("built-in sentences are found by any tag of their language", () => {
    expect(builtInSentences("de-AT")).toBe(builtInSentences("DE"));
  });

  it("built-in sentences are English for a language without any", () => {
    expect(builtInSentences("tlh")).toBe(builtInSentences("en"));
  });
});

describe("an agent's sentences", () => {
  const phrases = Object.assign({}, NO_PHRASES, { goodbye: "Pfiat di!" });

  it("an agent says its own phrases, otherwise the built-in ones of its language", () => {
    const spoken = sentencesOf({ language: "de-AT", phrases });
    expect(spoken).toMatchObject({ goodbye: "Pfiat di!", silence: builtInSentences("de").silence });
  });

  it("an agent says built-in sentences while it speaks another language", () => {
    expect(sentencesOf({ language: "de-AT", phrases }, "fr-FR")).toEqual(builtInSentences("fr"));
    expect(sentencesOf({ language: "de-AT", phrases }, "de-CH").goodbye).toBe("Pfiat di!");
  });

  it("an agent has no sentences in a language that has neither its own nor built-in ones", () => {
    const own = Object.assign({}, ...PHRASES.map((name) => ({ [name]: "Merhaba." })));
    expect(languagesWithoutPhrases({ language: "tr-TR", languages: ["hi-IN", "de-DE"], phrases })).toEqual([
      "tr-TR",
      "hi-IN",
    ]);
    expect(languagesWithoutPhrases({ language: "tr-TR", languages: [], phrases: own })).toEqual([]);
  });
});
