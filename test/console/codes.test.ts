import { describe, expect, it } from "vitest";
import { codeInWords } from "../../src/browser/console/texts/index.ts";

describe("a code", () => {
  it("a code is shown in words, whatever its source", () => {
    expect(codeInWords("user_busy")).toBe("The line was busy");
    expect(codeInWords("NO-ANSWER")).toBe("No answer");
    expect(codeInWords("bad_number")).toBe("The carrier doesn't recognize the number");
  });

  it("an unknown code is made readable, while text stays unchanged", () => {
    expect(codeInWords("callback_requested")).toBe("Callback requested");
    expect(codeInWords("interested")).toBe("Interested");
    expect(codeInWords("He asked for Tuesday.")).toBe("He asked for Tuesday.");
    expect(codeInWords("constructor")).toBe("Constructor");
  });
});
