import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotedText, spreadsheetText, unquotedText } from "../../src/kernel/rendering/spreadsheet-text.ts";

/** Formulas, and ways to hide them. */
const COMPUTED: [what: string, cell: string, text: string][] = [
  ["=", "=1+1", "'=1+1"],
  ["+", "+1+1", "'+1+1"],
  ["-", "-1+1", "'-1+1"],
  ["@", "@SUM(1,1)", "'@SUM(1,1)"],
  ["a command", "=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"],
  ["a command behind a number", "-5+cmd|'/C calc'!A0", "'-5+cmd|'/C calc'!A0"],
  ["a command behind a phone number", "+12025550100+cmd|'/C calc'!A0", "'+12025550100+cmd|'/C calc'!A0"],
  ["a command in a percentage", "-5%+cmd|'/C calc'!A0", "'-5%+cmd|'/C calc'!A0"],
  ["a sum of numbers", "+1-202-555-0100", "'+1-202-555-0100"],
  ["a number in brackets", "+49 (0)30 123456", "'+49 (0)30 123456"],
  ["a name behind a sign", "-foo", "'-foo"],
  ["two signs", "--1", "'--1"],
  ["a sum behind a number in powers of ten", "+1e5+1", "'+1e5+1"],
  ["a space before it", " =1+1", "' =1+1"],
  ["many spaces before it", "   +1+1", "'   +1+1"],
  ["a tab before it", "\t=1+1", "'\t'=1+1"],
  ["CR before it", "\r=1+1", "'\r'=1+1"],
  ["LF before it", "\n=1+1", "'\n'=1+1"],
  ["CR LF before it", "\r\n=1+1", "'\r\n'=1+1"],
  ["VT before it", "\v=1+1", "'\v'=1+1"],
  ["FF before it", "\f=1+1", "'\f'=1+1"],
  ["NEL before it", "\x85=1+1", "'\x85'=1+1"],
  ["a line separator before it", "\u2028=1+1", "'\u2028'=1+1"],
  ["a paragraph separator before it", "\u2029=1+1", "'\u2029'=1+1"],
  ["a no-break space before it", "\u00a0=1+1", "'\u00a0=1+1"],
  ["a narrow no-break space before it", "\u202f=1+1", "'\u202f=1+1"],
  ["an em space before it", "\u2003=1+1", "'\u2003=1+1"],
  ["an ideographic space before it", "\u3000=1+1", "'\u3000=1+1"],
  ["an ogham space before it", "\u1680=1+1", "'\u1680=1+1"],
  ["a BOM before it", "\ufeff=1+1", "'\ufeff=1+1"],
  ["a zero-width space before it", "\u200b=1+1", "'\u200b=1+1"],
  ["a zero-width joiner before it", "\u200d=1+1", "'\u200d=1+1"],
  ["a mark of direction before it", "\u202e=1+1", "'\u202e=1+1"],
  ["a soft hyphen before it", "\u00ad=1+1", "'\u00ad=1+1"],
  ["an invisible filler before it", "\u3164=1+1", "'\u3164=1+1"],
  ["a blank braille cell before it", "\u2800=1+1", "'\u2800=1+1"],
  ["NUL before it", "\0=1+1", "'\0=1+1"],
  ["a backspace before it", "\b=1+1", "'\b=1+1"],
  ["an escape before it", "\x1b=1+1", "'\x1b=1+1"],
  ["DEL before it", "\x7f=1+1", "'\x7f=1+1"],
  ["a quote before it", '"=1+1"', '\'"=1+1"'],
  ["all sorts before it", ' \u200b\ufeff" =1+1', "' \u200b\ufeff\" =1+1"],
  ["a full-width =", "＝1+1", "'＝1+1"],
  ["a full-width +", "＋1+1", "'＋1+1"],
  ["a full-width -", "－1+1", "'－1+1"],
  ["a full-width @", "＠SUM(1)", "'＠SUM(1)"],
  ["a small =", "﹦1+1", "'﹦1+1"],
  ["a small +", "﹢1+1", "'﹢1+1"],
  ["a small -", "﹣1+1", "'﹣1+1"],
  ["a small @", "﹫SUM(1)", "'﹫SUM(1)"],
  ["a minus sign", "−1+1", "'−1+1"],
  ["a full-width sign behind a full-width space", "\u3000＝1+1", "'\u3000＝1+1"],
  ["more lines behind it", "=1+1\nmore", "'=1+1\nmore"],
  ["lines before it", "note\n=1+1", "'note\n'=1+1"],
  ["CR LF and a space before it", "note\r\n =1+1\r\nend", "'note\r\n' =1+1\r\nend"],
  ["formulas in every line", "=1\n+a\n-b", "'=1\n'+a\n'-b"],
  ["a semicolon before it", "x;=1+1", "'x;'=1+1"],
  ["a comma before it", "x,=1+1", "'x,'=1+1"],
  ["a comma and a quote before it", 'x,"=1+1"', "'x,'\"=1+1\""],
  ["a tab in the middle before it", "x\t=1+1", "'x\t'=1+1"],
  ["a bar before it", "x|=1+1", "'x|'=1+1"],
  ["a number behind a separator, which the next cell may go on", "x;-5", "'x;'-5"],
];

describe("a cell that a spreadsheet would compute", () => {
  it.each(COMPUTED)("a cell that a spreadsheet would compute is quoted as text with %s", (_, cell, text) => {
    expect(spreadsheetText(cell)).toBe(text);
  });
});

describe("any other cell", () => {
  it.each([
    "",
    " ",
    "Ada",
    "Ada=Eve",
    "a@b.example",
    "1-2",
    "x+y",
    "https://x.example/?a=1&b=-2",
    "'=1",
    "- ",
    "-",
    "+",
    "-5",
    "+12025550100",
    "+49 30 901820",
    " -5.5 ",
    "-1,234.50",
    "+1.234,50",
    "-5%",
    "-1.5e-10",
    "-1\u00a0000",
    "one\r\ntwo",
    "one\ntwo; three, four|five\tsix",
    "Miller-Lüdenscheidt",
    "5 = 5",
    "\ttab",
    "“=1”",
    "ア＝イ",
  ])("a cell that a spreadsheet would not compute stays unchanged: %j", (cell) => {
    expect(spreadsheetText(cell)).toBe(cell);
  });
});

describe("any cell at all", () => {
  const unit = fc.oneof(
    fc.constantFrom(..."=+-@＝－;,|\t\r\n \u00a0\u2028\ufeff\u200b\"'5.ae"),
    fc.string({ maxLength: 1 }),
  );
  const cell = fc.string({ unit, maxLength: 20 });
  const blank = /^[\s\p{Z}\p{C}"]$/u;
  /** Checks, character by character, whether cutting the cell anywhere a reader might yields a formula. */
  const computed = (text: string) =>
    text.split(/[\n\r\v\f\x85\u2028\u2029,;|\t]/).some((part) => {
      const first = [...part].find((character) => !blank.test(character)) ?? "";
      return "=+-@＝＋－＠".includes(first) && first !== "";
    });

  it("any quoted cell is a number or holds nothing to compute, and loses nothing", () => {
    fc.assert(
      fc.property(cell, (before) => {
        const after = spreadsheetText(before);
        if (after === before) expect(!computed(after) || /^\s*[+-][\d\s.,e%+-]*$/.test(after)).toBe(true);
        else {
          expect(computed(before)).toBe(true);
          expect(computed(after)).toBe(false);
          expect(after.startsWith("'")).toBe(true);
        }
        // Only apostrophes were added.
        expect(after.replaceAll("'", "")).toBe(before.replaceAll("'", ""));
        expect(spreadsheetText(after)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("any cell is scanned once, however it is composed", () => {
    for (const piece of ["\t", " ", '"', "\n \t", "=", ",\u200b", "+1 "]) {
      const long = piece.repeat(65_536 / piece.length);
      expect(spreadsheetText(`${long}x=`)).toContain(piece);
    }
  });
});

describe("a cell quoted for a spreadsheet and unquoted again", () => {
  const piece = fc.constantFrom(
    "'",
    "=",
    "+",
    "-",
    "@",
    "\n",
    "\r\n",
    ";",
    "\t",
    '"',
    " ",
    "\u200b",
    "1",
    "a",
    "＝",
    "",
  );
  const cell = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string(),
  );

  it("a cell that is quoted and unquoted again is unchanged", () => {
    fc.assert(
      fc.property(cell, (text) => {
        const quoted = quotedText(text);
        expect(unquotedText(quoted)).toBe(text);
        expect(spreadsheetText(quoted)).toBe(quoted);
      }),
      { numRuns: 2_000 },
    );
  });

  it("loses only an apostrophe that quoting would have written", () => {
    expect(["'=1+1", "'plain", "'+4930901820", "it's", "'a\n'=1"].map(unquotedText)).toEqual([
      "=1+1",
      "'plain",
      "'+4930901820",
      "it's",
      "a\n=1",
    ]);
  });
});
