import { describe, expect, it } from "vitest";
import { datesIn } from "../../../src/conversation/runtime/analysis/readings/dates.ts";
import { numbersIn } from "../../../src/conversation/runtime/analysis/readings/numbers.ts";

/** A Wednesday. */
const DAY = "2026-11-25";

describe("the numbers in a text", () => {
  it.each([
    ["I need 3 of them", 3],
    ["it was 1,234.50 in all", 1234.5],
    ["das macht 1.234,50", 1234.5],
    ["1 234 567 people", 1234567],
    ["about 12,000", 12000],
    ["3.5 stars", 3.5],
    ["3,5 Sterne", 3.5],
    ["$49.99, please", 49.99],
    ["minus 4 degrees, -4", -4],
    ["twenty-five guests", 25],
    ["two hundred and fifty", 250],
    ["a hundred and five", 105],
    ["one thousand two hundred", 1200],
    ["three point one four", 3.14],
    ["2 million", 2e6],
    ["four five six seven", 4567],
    ["a table for two", 2],
    ["between 5 and 7", 7],
    ["nineteen", 19],
  ])("%s: %d", (text, n) => {
    expect([...numbersIn(text)]).toContain(n);
  });

  it.each([
    ["1,234", 1.234],
    ["two hundred and fifty", 2],
    ["someone", 1],
    ["250", 25],
    ["", 0],
    ["twenty five", 20],
  ])("%s: not %d", (text, n) => {
    expect([...numbersIn(text)]).not.toContain(n);
  });

  it("takes time in the length of a text, whatever is counted in it", () => {
    numbersIn(`${"one ".repeat(150_000)}hundred`);
  });
});

describe("the days that a text names", () => {
  it.each([
    ["on 2026-11-27", "2026-11-27"],
    ["27.11.2026", "2026-11-27"],
    ["11/27/2026", "2026-11-27"],
    ["27/11/2026", "2026-11-27"],
    ["November 27th", "2026-11-27"],
    ["on the twenty-seventh of November", "2026-11-27"],
    ["27 Nov. 2027", "2027-11-27"],
    ["March 3", "2027-03-03"],
    ["Sept 3rd", "2026-09-03"],
    ["January the fifth", "2027-01-05"],
    ["today", "2026-11-25"],
    ["tomorrow at ten", "2026-11-26"],
    ["the day after tomorrow", "2026-11-27"],
    ["yesterday", "2026-11-24"],
    ["in three days", "2026-11-28"],
    ["in two weeks", "2026-12-09"],
    ["a week from today", "2026-12-02"],
    ["5 days ago", "2026-11-20"],
    ["on Friday", "2026-11-27"],
    ["this Friday", "2026-11-27"],
    ["Monday morning", "2026-11-30"],
    ["last Friday", "2026-11-20"],
    ["the 27th", "2026-11-27"],
    ["on the 3rd", "2026-12-03"],
  ])("%s: %s", (text, day) => {
    expect([...datesIn(text, DAY)]).toEqual([day]);
  });

  it.each([
    "next Friday",
    "Friday week",
    "on Wednesday",
    "every Monday",
    "03/04/2026",
    "31/02/2026",
    "2026-13-01",
    "in a day or two",
    "February 30",
    "in March",
    "the first one",
    "I sat down",
    "nine billion days ago",
    "in nine billion weeks",
    "nine billion weeks from tomorrow",
    "",
  ])("%s: none", (text) => {
    expect([...datesIn(text, DAY)]).toEqual([]);
  });
});
