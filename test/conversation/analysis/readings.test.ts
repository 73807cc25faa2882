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
    ["$5k", 5000],
    ["about €1.2m", 1.2e6],
    ["202 555 0143", 2025550143],
    ["it costs five grand", 5000],
    ["twenty-five dollars and fifty cents", 25.5],
    ["two and a half thousand", 2500],
    ["half a million", 5e5],
    ["two dozen eggs", 24],
    ["twelve hundred", 1200],
    ["nineteen eighty-four", 1984],
    ["1.234,56 €", 1234.56],
    ["12 Euro 50", 12.5],
    ["3 Millionen", 3e6],
    ["zweitausend fünfhundert", 2500],
    ["eintausendzweihundertvierunddreißig", 1234],
    ["drei Komma fünf", 3.5],
    ["mil doscientos", 1200],
    ["quatre-vingt-dix-neuf", 99],
    ["septante-deux", 72],
    ["milleduecento", 1200],
    ["dois mil e trezentos", 2300],
    ["dezesseis", 16],
    ["twaalfhonderd", 1200],
    ["tysiąc dwieście", 1200],
    ["千二百円", 1200],
    ["5万円", 50_000],
    ["五人です", 5],
  ])("“%s” contains the number %d", (text, n) => {
    expect([...numbersIn(text)]).toContain(n);
  });

  it.each([
    ["1,234", 1.234],
    ["two hundred and fifty", 2],
    ["someone", 1],
    ["250", 25],
    ["", 0],
    ["twenty five", 20],
    ["only once", 11],
    ["it is due on Friday", 2],
    ["um, hello", 1],
    ["une table", 1],
    ["一緒に", 1],
    ["thousand", 1000],
  ])("“%s” does not contain the number %d", (text, n) => {
    expect([...numbersIn(text)]).not.toContain(n);
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
    ["Friday next week", "2026-12-04"],
    ["Friday week", "2026-12-04"],
    ["on Friday, the 4th of December", "2026-12-04"],
    ["December twenty-fourth twenty twenty-six", "2026-12-24"],
    ["am vierundzwanzigsten Dezember", "2026-12-24"],
    ["am 24. Dezember", "2026-12-24"],
    ["am 24.12.", "2026-12-24"],
    ["24.12.26", "2026-12-24"],
    ["am vierundzwanzigsten", "2026-12-24"],
    ["Guten Morgen, übermorgen bitte", "2026-11-27"],
    ["in drei Tagen", "2026-11-28"],
    ["vor zwei Wochen", "2026-11-11"],
    ["Freitag nächster Woche", "2026-12-04"],
    ["el veinticuatro de diciembre de dos mil veintiséis", "2026-12-24"],
    ["pasado mañana por la mañana", "2026-11-27"],
    ["hace tres días", "2026-11-22"],
    ["le 3 mars", "2027-03-03"],
    ["le premier janvier 2027", "2027-01-01"],
    ["aujourd'hui", "2026-11-25"],
    ["il y a 2 jours", "2026-11-23"],
    ["il primo marzo", "2027-03-01"],
    ["tra tre giorni", "2026-11-28"],
    ["vinte e quatro de dezembro", "2026-12-24"],
    ["na sexta-feira", "2026-11-27"],
    ["vierentwintig december", "2026-12-24"],
    ["over drie dagen", "2026-11-28"],
    ["dwudziestego czwartego grudnia", "2026-12-24"],
    ["w środę, 2 grudnia", "2026-12-02"],
    ["3月4日", "2027-03-04"],
    ["2026年12月24日", "2026-12-24"],
    ["十二月二十四日", "2026-12-24"],
    ["来週の金曜日", "2026-12-04"],
    ["明後日", "2026-11-27"],
  ])("“%s” names the day %s", (text, day) => {
    expect([...datesIn(text, DAY)]).toEqual([day]);
  });

  it.each([
    "next Friday",
    "nächsten Freitag",
    "vendredi prochain",
    "el viernes que viene",
    "venerdì prossimo",
    "volgende vrijdag",
  ])("“%s” names the day of the coming week and of the next week", (text) => {
    expect([...datesIn(text, DAY)]).toEqual(["2026-12-04", "2026-11-27"]);
  });

  it.each([
    "on Wednesday",
    "3 out of 5",
    "it may be 10:30",
    "3.5 March",
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
  ])("“%s” names no day", (text) => {
    expect([...datesIn(text, DAY)]).toEqual([]);
  });
});
