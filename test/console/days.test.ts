import { assert, date, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { beginningOf, dayOf, endOf, lastDayBefore } from "../../src/browser/console/ui/days.ts";

describe("days in the user's time zone", () => {
  it("are recovered from their beginning and end, in every year", () => {
    const years = { min: new Date("0002-01-02T00:00:00Z"), max: new Date("9999-12-30T00:00:00Z"), noInvalidDate: true };
    assert(
      property(date(years), (at) => {
        const day = dayOf(at.toISOString());
        expect([dayOf(beginningOf(day)), lastDayBefore(endOf(day))]).toEqual([day, day]);
        expect(Date.parse(beginningOf(day))).toBeLessThanOrEqual(at.getTime());
        expect(Date.parse(endOf(day))).toBeGreaterThan(at.getTime());
      }),
    );
  });

  it("a day is undefined for an invalid date", () => {
    expect([beginningOf(""), endOf("tomorrow"), dayOf(""), lastDayBefore("")]).toEqual(["", "", "", ""]);
  });
});
