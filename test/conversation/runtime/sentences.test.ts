import { describe, expect, it } from "vitest";
import { DEFAULT_LANGUAGE, sentencesIn } from "../../../src/conversation/runtime/sentences.ts";

const TABLE = "src/conversation/runtime/sentences.ts";

/** Every file of the service, by its path, as text. */
const SOURCES = Object.entries(
  import.meta.glob<string>("../../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
);

describe("the built-in sentences", () => {
  it("stand in their table alone", () => {
    expect(SOURCES.length).toBeGreaterThan(500);
    const sentences = Object.values(sentencesIn(DEFAULT_LANGUAGE));
    const elsewhere = SOURCES.flatMap(([path, text]) =>
      path.endsWith(TABLE) ? [] : sentences.filter((sentence) => text.includes(sentence)).map((found) => [path, found]),
    );
    expect(elsewhere).toEqual([]);
  });

  it("are found by any tag of their language", () => {
    expect(sentencesIn("en-GB")).toBe(sentencesIn("EN"));
  });

  it("are English for a language without any", () => {
    expect(sentencesIn("tlh")).toBe(sentencesIn("en"));
  });
});
