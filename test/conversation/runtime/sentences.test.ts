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

/** Every file of the service, by its path, as text. */
const SOURCES = Object.entries(
  import.meta.glob<string>("../../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
);

describe("the built-in sentences", () => {
  it("stand in their table alone", () => {
    expect(SOURCES.length).toBeGreaterThan(500);
    const sentences = Object.values(builtInSentences("en"));
    const elsewhere = SOURCES.flatMap(([path, text]) =>
      path.endsWith(TABLE) ? [] : sentences.filter((sentence) => text.includes(sentence)).map((found) => [path, found]),
    );
    expect(elsewhere).toEqual([]);
  });

  it("exist in eight languages", () => {
    expect(BUILT_IN_LANGUAGES.toSorted()).toEqual(LANGUAGES);
  });

  it.each(LANGUAGES)("are complete in %s, end as sentences do, and are about as long as in English", (language) => {
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

  it("are found by any tag of their language", () => {
    expect(builtInSentences("de-AT")).toBe(builtInSentences("DE"));
  });

  it("are English for a language without any", () => {
    expect(builtInSentences("tlh")).toBe(builtInSentences("en"));
  });
});

describe("an agent's sentences", () => {
  const phrases = Object.assign({}, NO_PHRASES, { goodbye: "Pfiat di!" });

  it("are its phrases, else the built-in ones of its language", () => {
    const spoken = sentencesOf({ language: "de-AT", phrases });
    expect(spoken).toMatchObject({ goodbye: "Pfiat di!", silence: builtInSentences("de").silence });
  });

  it("are the built-in ones while it speaks another language", () => {
    expect(sentencesOf({ language: "de-AT", phrases }, "fr-FR")).toEqual(builtInSentences("fr"));
    expect(sentencesOf({ language: "de-AT", phrases }, "de-CH").goodbye).toBe("Pfiat di!");
  });

  it("are missing in languages that have neither", () => {
    const own = Object.assign({}, ...PHRASES.map((name) => ({ [name]: "Merhaba." })));
    expect(languagesWithoutPhrases({ language: "tr-TR", languages: ["hi-IN", "de-DE"], phrases })).toEqual([
      "tr-TR",
      "hi-IN",
    ]);
    expect(languagesWithoutPhrases({ language: "tr-TR", languages: [], phrases: own })).toEqual([]);
  });
});
