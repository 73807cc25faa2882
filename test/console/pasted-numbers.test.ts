import { describe, expect, it } from "vitest";
import { readPasted } from "../../src/browser/console/screens/do-not-call/pasted-numbers.ts";
import { canonicalNumber } from "../../src/kernel/numbers/read-number.ts";

describe("pasted numbers", () => {
  it("pasted numbers are read however they are grouped and separated, each once", () => {
    const text = "+1 (202) 555-0143\r\n\n+44 20 7946 0018, +12025550143;+49 30 123456\n";
    expect(readPasted(text, canonicalNumber)).toEqual({
      numbers: ["+12025550143", "+442079460018", "+4930123456"],
      repeated: 1,
      wrong: [],
    });
  });

  it("an invalid pasted number is reported by its line", () => {
    expect(readPasted("0202 555 0143\n+1 202 555 0143\nAda, +1\n", canonicalNumber).wrong).toEqual([
      { line: 1, text: "0202 555 0143" },
      { line: 3, text: "Ada" },
      { line: 3, text: "+1" },
    ]);
  });
});
