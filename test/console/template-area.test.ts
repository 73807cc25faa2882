import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completed, namesFor, typingAt } from "../../src/browser/console/screens/agents/prompt/completion.ts";
import { openBracesLine } from "../../src/browser/console/screens/agents/prompt/open-braces.ts";
import { namesWithoutDefault, placeholders } from "../../src/kernel/rendering/placeholders.ts";

/** Parses a text in which `^` is the caret. */
const at = (marked: string) => [marked.replace("^", ""), marked.indexOf("^")] as const;

describe("a variable being typed", () => {
  it.each([
    ["Hello {{^", { from: 8, typed: "" }],
    ["Hello {{na^", { from: 8, typed: "na" }],
    ["Hello {{na^me}}", { from: 8, typed: "na" }],
    ["Hello {{name}}^", undefined],
    ["Hello {{name|th^ere}}", undefined],
    ["Hello {na^", undefined],
    ["Hello {{name\nand^", undefined],
  ])("a variable being typed is found in %j", (marked, found) => {
    expect(typingAt(...at(marked))).toEqual(found);
  });

  it.each([
    ["Hello {{na^", "Hello {{name}}^"],
    ["Hello {{^, hi", "Hello {{name}}^, hi"],
    ["Hello {{co^mpany}}!", "Hello {{name}}^!"],
    ["Hello {{^}}!", "Hello {{name}}^!"],
    ["Hello {{co^mpany|you}}!", "Hello {{name^|you}}!"],
    ["Hello {{^ and {{company}}", "Hello {{name}}^ and {{company}}"],
    ["Hello {{^\n{{company}}", "Hello {{name}}^\n{{company}}"],
  ])("a variable being typed completes %j", (marked, done) => {
    const { text, caret } = completed(...at(marked), "name");
    expect(`${text.slice(0, caret)}^${text.slice(caret)}`).toBe(done);
  });

  it("a completed variable is a variable of the text, wherever it is typed", () => {
    const piece = fc.constantFrom("Hello ", "{{company}}", "{{company|you}}", "\n", "name", ", ", "{a}", "|", "}");
    const pieces = fc.array(piece, { maxLength: 6 }).map((found) => found.join(""));
    fc.assert(
      fc.property(pieces, fc.constantFrom("", "f", "first n"), pieces, (before, typed, after) => {
        const head = `${before} {{${typed}`;
        const { text } = completed(head + after, head.length, "first_name");
        expect([...placeholders(text)].map(({ name }) => name)).toContain("first_name");
      }),
    );
  });

  it("a variable is completed by any name that contains it, those that begin with it first", () => {
    const variables = ["last_name", "name", "company"].map((name) => ({ name }));
    expect(namesFor(variables, "Na").map(({ name }) => name)).toEqual(["name", "last_name"]);
    expect(namesFor(variables, "")).toEqual(variables);
    expect(namesFor(variables, "x")).toEqual([]);
  });
});

describe("unclosed braces", () => {
  it.each([
    ["Hello {{name}}", undefined],
    ["Hello {{{name}}}", undefined],
    ["Hello {{name|you}}, {a}", undefined],
    ["Hello {{name", 1],
    ["Hello\nyou {{name}, good\nday", 2],
    ["Hello {{name|you\n{{company}}", 1],
    ["{{a}}\n{{b}}\nHello {{", 3],
    ['Hello {{name}, answer {"a":{"b":1}}', 1],
  ])("unclosed braces are found in %j", (text, line) => {
    expect(openBracesLine(text)).toBe(line);
  });

  it("unclosed braces are in no text with only complete variables", () => {
    const name = fc.constantFrom("name", "first name", "Company");
    const fallback = fc.constantFrom("", "|", "|you", "| a default ");
    const words = fc.constantFrom("Hello ", "\n", "one } and {two", "");
    const parts = fc.array(fc.tuple(words, name, fallback), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.nat(), (written, n) => {
        const text = (lost: number) =>
          written.map((part, i) => `${part[0]}{{${part[1]}${part[2]}${i === lost ? "" : "}}"}`).join("");
        const lost = n % written.length;
        expect(openBracesLine(text(-1))).toBeUndefined();
        const before = written
          .slice(0, lost + 1)
          .map(([words]) => words)
          .join("");
        expect(openBracesLine(text(lost))).toBe(before.split("\n").length);
        expect(namesWithoutDefault(text(-1)).length).toBeLessThanOrEqual(written.length);
      }),
    );
  });
});
