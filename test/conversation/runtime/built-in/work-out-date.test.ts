import { describe, expect, it } from "vitest";
import { workOutDate } from "../../../../src/conversation/runtime/built-in/work-out-date.ts";

/** Saturday, 28 November 2026, noon in UTC. */
const NOW = Date.parse("2026-11-28T12:00:00Z");
const dateOf = (when: string, zone = "UTC", now = NOW) => workOutDate(when, zone, now)?.date ?? null;

describe("work_out_date", () => {
  it.each([
    ["today", "2026-11-28"],
    ["tomorrow afternoon", "2026-11-29"],
    ["the day after tomorrow", "2026-11-30"],
    ["yesterday", "2026-11-27"],
    ["next Friday", "2026-12-04"],
    ["on Tuesday", "2026-12-01"],
    ["in two weeks", "2026-12-12"],
    ["ten days from now", "2026-12-08"],
    ["Tuesday in two weeks", "2026-12-15"],
    ["Friday next week", "2026-12-04"],
    ["next week Friday", "2026-12-04"],
    ["vendredi de la semaine prochaine", "2026-12-04"],
    ["Monday week", "2026-12-07"],
    ["today in a year", "2027-11-28"],
    ["heute in acht Tagen", "2026-12-06"],
    ["Monday is a good day", "2026-11-30"],
    ["tomorrow after five", "2026-11-29"],
    ["the 3rd of December", "2026-12-03"],
    ["December 24th", "2026-12-24"],
    ["2027-01-31", "2027-01-31"],
    ["in three months", "2027-02-28"],
    ["a year from now", "2027-11-28"],
    ["two months ago", "2026-09-28"],
    ["nächsten Freitag", "2026-12-04"],
    ["in zwei Wochen", "2026-12-12"],
    ["mañana", "2026-11-29"],
    ["明日", "2026-11-29"],
  ])("understands %s", (when, date) => {
    expect(dateOf(when)).toBe(date);
  });

  it("returns the weekday, the distance in days, and today", () => {
    expect(workOutDate("next Friday", "Europe/Vienna", NOW)).toEqual({
      date: "2026-12-04",
      weekday: "Friday",
      days_from_today: 6,
      could_also_be: [],
      today: { date: "2026-11-28", weekday: "Saturday", days_from_today: 0 },
      timezone: "Europe/Vienna",
    });
  });

  it("returns the other day that the words may mean", () => {
    const wednesday = Date.parse("2026-11-25T12:00:00Z");
    const found = workOutDate("next Friday", "UTC", wednesday);
    expect([found?.date, found?.could_also_be.map(({ date }) => date)]).toEqual(["2026-12-04", ["2026-11-27"]]);
    const eitherWay = workOutDate("3/4/2027", "UTC", NOW);
    expect([eitherWay?.date, eitherWay?.could_also_be.map(({ date }) => date)]).toEqual(["2027-03-04", ["2027-04-03"]]);
  });

  it("uses the person's time zone around midnight", () => {
    const lateInUtc = Date.parse("2026-11-28T23:30:00Z");
    expect([dateOf("tomorrow", "UTC", lateInUtc), dateOf("tomorrow", "Pacific/Auckland", lateInUtc)]).toEqual([
      "2026-11-29",
      "2026-11-30",
    ]);
  });

  it.each(["soon", "", "whenever you like", "in a bit", "the 45th of May", "zero"])(
    "work_out_date finds no day in %o",
    (when) => {
      expect(workOutDate(when, "UTC", NOW)).toBeNull();
    },
  );

  it.each([
    "a week on Tuesday",
    "two weeks after Tuesday",
    "three days before Friday",
    "a month from Friday",
    "next week on Friday",
    "last week Tuesday",
    "the thirtieth of next month",
    "first Monday of March",
    "heute in einem Jahr",
    "übernächsten Freitag",
    "drei Tage vor Freitag",
    "nächste Woche am Freitag",
    "letzten Monat am 3.",
    "lundi en huit",
    "la semana que viene el viernes",
    "w piątek za tydzień",
  ])("work_out_date names no day if it does not understand what moves it: %o", (when) => {
    expect(workOutDate(when, "UTC", NOW)).toBeNull();
  });

  it("reads at most one sentence of its input", () => {
    expect(workOutDate(`${"x".repeat(300)} tomorrow`, "UTC", NOW)).toBeNull();
    expect(workOutDate("in 999 years".repeat(2_000), "UTC", NOW)?.could_also_be.length ?? 0).toBeLessThan(4);
  });
});
