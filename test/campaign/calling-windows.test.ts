import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallingWindow, nextOpening, openingAfter } from "../../src/campaign/decide/calling-windows.ts";
import { isTimeZone } from "../../src/kernel/zones/time-zone.ts";
import { isOpen } from "./world/wall-clock.ts";

const ms = (time: string) => Date.parse(time);
const at = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const office: CallingWindow[] = [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }];

describe("calling windows", () => {
  it("an open calling window admits calls, and a closed one returns its next opening", () => {
    // 2026-11-20 is a Friday.
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T10:00:00Z")))).toBe("2026-11-20T10:00:00.000Z");
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T16:00:00Z")))).toBe("2026-11-23T08:00:00.000Z");
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T07:59:00Z")))).toBe("2026-11-20T08:00:00.000Z");
  });

  it("end exclusively, and may last until midnight", () => {
    const late: CallingWindow[] = [{ days: [5], start: "22:00", end: "24:00" }];
    expect(at(nextOpening(late, "UTC", ms("2026-11-20T23:59:59Z")))).toBe("2026-11-20T23:59:59.000Z");
    expect(at(nextOpening(late, "UTC", ms("2026-11-21T00:00:00Z")))).toBe("2026-11-27T22:00:00.000Z");
  });

  it("skip what the clock skips: 02:00 to 03:00 on 2026-03-08 in New York", () => {
    const night: CallingWindow[] = [{ days: [7], start: "02:00", end: "03:00" }];
    expect(at(nextOpening(night, "America/New_York", ms("2026-03-08T05:00:00Z")))).toBe("2026-03-15T06:00:00.000Z");
    const across: CallingWindow[] = [{ days: [7], start: "02:30", end: "04:00" }];
    expect(at(nextOpening(across, "America/New_York", ms("2026-03-08T05:00:00Z")))).toBe("2026-03-08T07:00:00.000Z");
  });

  it("follow a clock that is set back: 01:00 to 02:00 lasts two hours on 2026-11-01 in New York", () => {
    const night: CallingWindow[] = [{ days: [7], start: "01:00", end: "02:00" }];
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T04:00:00Z")))).toBe("2026-11-01T05:00:00.000Z");
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T06:59:00Z")))).toBe("2026-11-01T06:59:00.000Z");
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T07:00:00Z")))).toBe("2026-11-08T06:00:00.000Z");
  });

  // The clock changes on each of these Sundays. If it is set forward, an hour is skipped; if it is set back, an hour is
  // repeated.
  it.each<[zone: string, when: string, window: [string, string], open: [string, string][]]>([
    ["Europe/Berlin", "2026-03-29 skips 02-03", ["02:00", "03:00"], []],
    ["Europe/Berlin", "2026-03-29 skips 02-03", ["02:30", "03:30"], [["01:00", "01:30"]]],
    ["Europe/Berlin", "2026-03-29 skips 02-03", ["01:30", "02:30"], [["00:30", "01:00"]]],
    ["Europe/Berlin", "2026-10-25 repeats 02-03", ["02:00", "03:00"], [["00:00", "02:00"]]],
    [
      "Europe/Berlin",
      "2026-10-25 repeats 02-03",
      ["02:00", "02:30"],
      [
        ["00:00", "00:30"],
        ["01:00", "01:30"],
      ],
    ],
    [
      "Europe/Berlin",
      "2026-10-25 repeats 02-03",
      ["02:30", "03:30"],
      [
        ["00:30", "01:00"],
        ["01:30", "02:30"],
      ],
    ],
    ["Europe/Berlin", "2026-10-25 lasts 25 hours", ["23:00", "24:00"], [["22:00", "23:00"]]],
    ["America/New_York", "2026-03-08 skips 02-03", ["02:15", "02:45"], []],
    ["America/New_York", "2026-03-08 skips 02-03", ["02:15", "04:00"], [["07:00", "08:00"]]],
    [
      "America/New_York",
      "2026-11-01 repeats 01-02",
      ["01:30", "02:30"],
      [
        ["05:30", "06:00"],
        ["06:30", "07:30"],
      ],
    ],
    ["America/New_York", "2026-11-01 repeats 01-02", ["00:30", "02:00"], [["04:30", "07:00"]]],
    ["Australia/Lord_Howe", "2026-10-03 skips 02:00-02:30", ["02:00", "02:30"], []],
    ["Australia/Lord_Howe", "2026-10-03 skips 02:00-02:30", ["02:15", "03:00"], [["15:30", "16:00"]]],
    ["Australia/Lord_Howe", "2026-04-04 repeats 01:30-02:00", ["01:30", "02:00"], [["14:30", "15:30"]]],
    [
      "Australia/Lord_Howe",
      "2026-04-04 repeats 01:30-02:00",
      ["01:15", "01:45"],
      [
        ["14:15", "14:45"],
        ["15:00", "15:15"],
      ],
    ],
  ])("calling windows in %s when %s: %j is open at %j", (zone, when, [start, end], open) => {
    const windows: CallingWindow[] = [{ days: [7], start, end }];
    const date = when.slice(0, 10);
    const stretches: [string | undefined, string | undefined][] = [];
    // From before that Sunday begins in the zone, to the end of the UTC date, which is before the next Sunday.
    let from = ms(`${date}T00:00:00Z`) - 3_600_000;
    for (let looks = 0; looks < 10; looks++) {
      const opening = openingAfter(windows, zone, from);
      if (!opening || opening.opens > ms(`${date}T23:59:59Z`)) break;
      const last = stretches.at(-1);
      const [opens, closes] = [at(opening.opens)?.slice(11, 16), at(opening.closes)?.slice(11, 16)];
      if (last && last[1] === opens) last[1] = closes;
      else stretches.push([opens, closes]);
      from = opening.closes;
    }
    expect(stretches).toEqual(open);
  });

  it("calling windows are open exactly while the local clock says so, across clock changes", () => {
    const change = fc.constantFrom(
      ["Europe/Berlin", "2026-03-29T01:00:00Z"],
      ["Europe/Berlin", "2026-10-25T01:00:00Z"],
      ["America/New_York", "2026-03-08T07:00:00Z"],
      ["America/New_York", "2026-11-01T06:00:00Z"],
      ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
      ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
      // Midnight itself is skipped, and part of a day is repeated across midnight.
      ["Africa/Cairo", "2026-04-23T22:00:00Z"],
      ["America/Nuuk", "2026-10-25T01:00:00Z"],
      ["UTC", "2026-06-30T23:00:00Z"],
    );
    const clock = fc.integer({ min: 0, max: 24 * 4 }).map((quarters) => {
      const minutes = quarters * 15;
      return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    });
    const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3 });
    const window = fc
      .record({ days, start: clock, end: clock })
      .filter(({ start, end }) => start < end && start !== "24:00");
    const minutes = fc.integer({ min: -24 * 60, max: 5 * 60 });
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        change,
        minutes,
        (windows, [zone, when], offset) => {
          const now = ms(when ?? "") + offset * 60_000;
          const opening = nextOpening(windows, zone ?? "", now);
          const until = now + 30 * 3_600_000;
          let minute = now;
          while (minute < until && !isOpen(windows, zone ?? "", minute)) minute += 60_000;
          if (minute < until) expect(at(opening)).toBe(at(minute));
          else if (opening !== null) expect(opening).toBeGreaterThanOrEqual(until);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("calling windows are optional and fail closed for an invalid zone or window", () => {
    expect(nextOpening(null, "Nowhere/At_All", 5)).toBe(5);
    expect(nextOpening(office, "Nowhere/At_All", 5)).toBeNull();
    expect(nextOpening([], "UTC", 5)).toBeNull();
    expect(isTimeZone("+01:00")).toBe(false);
  });

  it("return the earliest open time", () => {
    const zone = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "Pacific/Apia",
    );
    const window = fc
      .tuple(
        fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 22 }),
        fc.integer({ min: 1, max: 10 }),
      )
      .map(([days, start, hours]) => ({
        days,
        start: `${String(start).padStart(2, "0")}:15`,
        end: `${String(Math.min(24, start + hours)).padStart(2, "0")}:00`,
      }))
      .filter(({ start, end }) => start < end);
    const time = fc.integer({ min: ms("2026-01-01T00:00:00Z"), max: ms("2027-12-31T00:00:00Z") });
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        zone,
        time,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (windows, tz, now, part) => {
          const opening = nextOpening(windows, tz, now);
          if (opening === null) throw new Error("a window on some weekday always comes");
          expect(nextOpening(windows, tz, opening)).toBe(opening);
          const before = Math.floor(now + (opening - now) * part);
          if (before < opening) expect(nextOpening(windows, tz, before)).toBe(opening);
        },
      ),
      { numRuns: 300 },
    );
  });
});
