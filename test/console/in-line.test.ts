import { describe, expect, it } from "vitest";
import { inLine } from "../../src/browser/console/ui/in-line.ts";

describe("values in a line", () => {
  it("keep their positions beside a right-to-left one", () => {
    expect(inLine(["محمد", "06 12 34 56 80", "Marseille"])).toBe("\u2068محمد\u2069 · 06 12 34 56 80 · Marseille");
    expect(inLine(["Ann", "Zoë", "李 明", ""])).toBe("Ann · Zoë · 李 明 · ");
    expect(inLine([])).toBe("");
  });
});
