import { describe, expect, it } from "vitest";
import { matching } from "../../src/browser/console/ui/matching.ts";

const labels = (typed: string, ...options: string[]) =>
  matching(
    options.map((label) => ({ label })),
    typed,
  ).map(({ label }) => label);

describe("options found by typing", () => {
  it("contain every typed word, in any order and case", () => {
    expect(labels("york new", "America/New York", "New Delhi", "York")).toEqual(["America/New York"]);
    expect(labels("sao", "America/São Paulo", "Asia/Tokyo")).toEqual(["America/São Paulo"]);
    expect(labels("zzz", "a", "b")).toEqual([]);
  });

  it("list those first that start with the typed text", () => {
    expect(labels("a", "Bella", "Ada", "Alan")).toEqual(["Ada", "Alan", "Bella"]);
    expect(labels("  ", "b", "a")).toEqual(["b", "a"]);
  });

  it("options are found by a number however it is grouped", () => {
    expect(labels("2025550", "+1 202 555 0143", "+44 20 7946 0018")).toEqual(["+1 202 555 0143"]);
    expect(labels("(202) 555", "+1 202 555 0143")).toEqual(["+1 202 555 0143"]);
  });
});
