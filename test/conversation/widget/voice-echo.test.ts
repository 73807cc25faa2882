import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutEcho, wordsOf } from "../../../src/browser/widget/voice/echo.ts";

const VOICE = "Hello, I am Ada. What can I do for you today? We are open from nine to five.";

describe("the agent's voice in the visitor's microphone", () => {
  it.each([
    "Hello",
    "hello I am",
    "What can I do for you today",
    "we are open from nine till five",
    "what can you do for you today",
  ])("%j is not taken for the visitor's words", (echo) => expect(withoutEcho(echo, VOICE)).toBe(""));

  it.each(["Stop", "When are you open", "I want to talk to a person", "five to nine", "what do you do"])(
    "%j is taken for the visitor's words",
    (words) => expect(withoutEcho(words, VOICE)).toBe(words),
  );

  it("the agent's voice is removed from before the visitor's unchanged words", () => {
    expect(withoutEcho("hello I am Ada Stop, please!", VOICE)).toBe("Stop, please!");
    expect(withoutEcho("what can I do for you where is my parcel", VOICE)).toBe("where is my parcel");
  });

  it("the agent's voice is told apart from a short answer while the agent is silent", () => {
    expect(withoutEcho("nine to five", VOICE, 4)).toBe("nine to five");
    expect(withoutEcho("open from nine to five", VOICE, 4)).toBe("");
  });

  it("never hides what comes after it, however long it lasts", () => {
    const refrain = "la ".repeat(110);
    expect(withoutEcho(`${refrain}where is my parcel`, refrain).endsWith("where is my parcel")).toBe(true);
  });

  it("the agent's voice is found wherever it begins and ends", () => {
    const words = wordsOf(VOICE);
    fc.assert(
      fc.property(fc.nat(words.length - 1), fc.integer({ min: 1, max: words.length }), (from, count) => {
        expect(withoutEcho(words.slice(from, from + count).join(" "), VOICE)).toBe("");
      }),
    );
  });

  it("removing the agent's voice never adds to the visitor's words", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (words, voice) => {
        expect(withoutEcho(words, "")).toBe(words.trim());
        expect(words.trim().endsWith(withoutEcho(words, voice))).toBe(true);
      }),
    );
  });
});
